// Contrast of texts with what they stand on (WCAG 2.2, "contrast ratio" and "relative luminance").

/** Texts outside of charts below a ratio; it runs in the page. */
export function lowContrasts(least) {
  const channel = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  const parse = (colour) => colour.match(/[\d.]+/g).map(Number);
  const luminance = ([red, green, blue]) => {
    const [r, g, b] = [red, green, blue].map((value) => channel(value / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour.length < 4 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const low = new Set();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || element.closest("svg, script") || !element.checkVisibility()) continue;
    const [a, b] = [parse(getComputedStyle(element).color), ground(element)].map(luminance);
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < least) low.add(`${ratio.toFixed(2)} in ${element.tagName}.${element.className}: ${texts.currentNode.data.trim().slice(0, 40)}`);
  }
  return [...low];
}
