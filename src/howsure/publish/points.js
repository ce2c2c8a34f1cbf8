"use strict";
// One threshold out of many that were computed beforehand: the dot on each curve, the matrix and the numbers follow it.
const known = JSON.parse(document.getElementById("predictive").textContent);
const slider = document.getElementById("threshold");
const curves = [...document.querySelectorAll("[data-curve]")];
const cells = [...document.querySelectorAll("[data-cell]")];
const rows = [...document.querySelectorAll("[data-row]")];

function show(at) {
  const point = known.points[at];
  slider.value = at;
  slider.setAttribute("aria-valuetext", point.short);
  document.getElementById("said").textContent = point.said;
  cells.forEach((cell, i) => (cell.textContent = point.cells[i]));
  rows.forEach((row, i) => [...row.children].slice(1).forEach((cell, j) => (cell.textContent = point.rows[i][j])));
  for (const curve of curves) {
    const [x, y] = point[curve.dataset.curve];
    for (const dot of curve.querySelectorAll(".here")) {
      dot.setAttribute("cx", x);
      dot.setAttribute("cy", y);
    }
  }
}

// the point of a curve that lies next to a place of its picture
function nearest(curve, event) {
  const drawn = curve.querySelector("svg");
  const box = drawn.getBoundingClientRect();
  const { width, height } = drawn.viewBox.baseVal;
  const x = ((event.clientX - box.left) * width) / box.width;
  const y = ((event.clientY - box.top) * height) / box.height;
  const away = ([px, py]) => (px - x) ** 2 + (py - y) ** 2;
  let best = 0;
  known.points.forEach((point, i) => {
    if (away(point[curve.dataset.curve]) < away(known.points[best][curve.dataset.curve])) best = i;
  });
  return best;
}

for (const curve of curves) {
  const drawn = curve.querySelector("svg");
  drawn.addEventListener("pointerdown", (event) => {
    drawn.setPointerCapture(event.pointerId);
    show(nearest(curve, event));
  });
  drawn.addEventListener("pointermove", (event) => {
    if (drawn.hasPointerCapture(event.pointerId)) show(nearest(curve, event));
  });
}
slider.addEventListener("input", () => show(Number(slider.value)));
show(Number(slider.value));
