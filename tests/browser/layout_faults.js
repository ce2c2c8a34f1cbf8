// What is wrong with the layout as it stands: text beyond its box, text over text, what scrolls inside of the page.
() => {
  const faults = [];
  const told = (what, element) => faults.push(`${what}: ${element.tagName}.${element.className?.baseVal ?? element.className} ` +
    (element.value || element.textContent).trim().slice(0, 60));
  // the head of a folded table is there for those who listen
  const listened = (element) => element.closest('thead') && getComputedStyle(element.closest('thead')).clipPath !== 'none';
  const seen = (element) => element.checkVisibility({ checkOpacity: true }) && !element.closest('.unseen, dialog, pre, .stage, .skip') && !listened(element);
  if (document.documentElement.scrollWidth > innerWidth) faults.push(`page: ${document.documentElement.scrollWidth} px`);
  // a vertical bar inside of the page, and tables that go on beyond their edge
  for (const element of document.querySelectorAll('main *')) {
    if (!seen(element) || element.closest('svg') || ['INPUT', 'SELECT', 'TEXTAREA'].includes(element.tagName)) continue;
    const style = getComputedStyle(element);
    if (/auto|scroll/.test(style.overflowY) && element.scrollHeight > element.clientHeight + 1) told('scrolls', element);
    if (/auto|scroll/.test(style.overflowX) && element.scrollWidth > element.clientWidth + 1) told('scrolls sideways', element);
  }
  // numbers that are typed are seen whole; names may be longer than any box
  for (const box of document.querySelectorAll('main input[inputmode]')) {
    if (seen(box) && box.scrollWidth > box.clientWidth + 1) told('cut', box);
  }
  // words stay inside of what holds them
  const holders = '.rates dl > div, button, .chip, .tabs button, .data td, .data th, .grid td, .segments span, .verdict, .about, summary, label, figcaption, .note, .hint';
  for (const holder of document.querySelectorAll(holders)) {
    if (!seen(holder) || getComputedStyle(holder).display === 'inline' || holder.querySelector('details:not([open])')) continue;
    const edge = holder.getBoundingClientRect();
    const words = document.createRange();
    words.selectNodeContents(holder);
    for (const { left, right, width } of words.getClientRects()) {
      if (width > 1 && (right > edge.right + 1.5 || left < edge.left - 1.5) && !holder.querySelector('.unseen')) { told('beyond', holder); break; }
    }
  }
  // names go on in a further line
  for (const name of document.querySelectorAll('.grid thead .name bdi')) if (name.scrollWidth > name.clientWidth + 1) told('cut', name);
  // words of one picture do not lie over each other
  for (const svg of document.querySelectorAll('main figure svg')) {
    for (const text of svg.querySelectorAll('text')) if (text.textContent.includes('…')) faults.push(`cut: ${text.textContent}`);
    const texts = [...svg.querySelectorAll('text')].filter((text) => text.textContent.trim() && !text.closest('.threshold, .here'));
    const boxes = texts.map((text) => text.getBoundingClientRect());
    for (let i = 0; i < texts.length; i++) for (let j = 0; j < i; j++) {
      const across = Math.min(boxes[i].right, boxes[j].right) - Math.max(boxes[i].left, boxes[j].left);
      const down = Math.min(boxes[i].bottom, boxes[j].bottom) - Math.max(boxes[i].top, boxes[j].top);
      if (across > 2 && down > 4) faults.push(`one over the other: ${texts[j].textContent} | ${texts[i].textContent}`);
    }
  }
  // what belongs together stands together
  for (const pair of document.querySelectorAll('.together')) {
    const tops = new Set([...pair.children].map((child) => Math.round(child.getBoundingClientRect().top)));
    if (tops.size > 1) told('apart', pair);
  }
  return faults;
}
