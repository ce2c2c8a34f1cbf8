// Of selectors, the elements whose contrast is below what WCAG 2.2 asks (4.5, or 3 for large text), with the ratio: by
// their own colours and what lies under them, where axe gives no answer (short texts, words of pictures).
(selectors) => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], under, part = 1) => [r, g, b].map((x, i) => x * a * part + under[i] * (1 - a * part));
  const light = (x) => (x / 255 <= 0.04045 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = ([r, g, b]) => 0.2126 * light(r) + 0.7152 * light(g) + 0.0722 * light(b);
  const found = [];
  for (const selector of selectors) {
    const element = document.querySelector(selector);
    const own = getComputedStyle(element);
    const drawn = element.closest('svg');
    const above = [];
    for (let each = element; each; each = each.parentElement) above.unshift(getComputedStyle(each));
    let ground = [255, 255, 255];
    for (const style of above) ground = over(rgba(style.backgroundColor), ground);
    if (drawn) {
      const at = element.getBoundingClientRect();
      const [x, y] = [(at.left + at.right) / 2, (at.top + at.bottom) / 2];
      for (const shape of drawn.querySelectorAll('rect, polygon, circle, path')) {
        const box = shape.getBoundingClientRect();
        const style = getComputedStyle(shape);
        const under = shape.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING;
        if (!under || style.fill === 'none' || !(box.left <= x && x <= box.right && box.top <= y && y <= box.bottom)) continue;
        ground = over(rgba(style.fill), ground, style.fillOpacity * style.opacity);
      }
      // a rim of paper around the letters
      if (own.paintOrder.startsWith('stroke') && own.stroke !== 'none') ground = over(rgba(own.stroke), ground);
    }
    const part = above.reduce((product, style) => product * style.opacity, 1) * (drawn ? own.fillOpacity : 1);
    const ink = over(rgba(drawn ? own.fill : own.color), ground, part);
    const [dark, bright] = [luminance(ink), luminance(ground)].sort((a, b) => a - b);
    const ratio = (bright + 0.05) / (dark + 0.05);
    const size = parseFloat(own.fontSize);
    if (ratio < (size >= 24 || (size >= 18.66 && own.fontWeight >= 700) ? 3 : 4.5))
      found.push(`contrast ${ratio.toFixed(2)}: ${selector} ${element.textContent.trim().slice(0, 40)}`);
  }
  return found;
}
