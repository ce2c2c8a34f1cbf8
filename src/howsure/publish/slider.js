"use strict";
// Moves along a grid that was computed beforehand; nothing is computed here but integers of cases.
const known = JSON.parse(document.getElementById("predictive").textContent);

function words([low, middle, high]) {
  const half = (high - low) / 2;
  const digits = half > 0 ? Math.max(0, Math.min(12, Math.ceil(-Math.log10(half / 3.55)))) : 4;
  return `${middle.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`;
}

const grouped = (cases) => cases.toLocaleString("en");

function show(block, at) {
  const one = known.classes[Number(block.dataset.number)];
  const share = known.prevalence[at];
  const column = (values) => values.map((row) => row[at]);
  const ill = Math.round(10000 * share);
  const found = Math.round(ill * one.recall);
  const alarms = Math.round((10000 - ill) * one.alarm);
  block.querySelector("output").textContent =
    `Where ${(100 * share).toPrecision(3)}% of the cases are ${one.label}: a case predicted ${one.label} is ${one.label} with ` +
    `probability ${words(column(one.positive))}; a case predicted otherwise is not ${one.label} with probability ` +
    `${words(column(one.negative))}. Of 10,000 cases ${grouped(ill)} are ${one.label}: ${grouped(found)} found and ` +
    `${grouped(ill - found)} missed; ${grouped(alarms)} others are false alarms.`;
  const line = block.querySelector(".here");
  const x = 44 + ((640 - 20 - 44) * at) / (known.prevalence.length - 1);
  line.setAttribute("x1", x);
  line.setAttribute("x2", x);
}

for (const block of document.querySelectorAll("[data-number]")) {
  const slider = block.querySelector("input");
  slider.addEventListener("input", () => show(block, Number(slider.value)));
  show(block, Number(slider.value));
}
