// Redrawing without taking anything out of a person's hands: what looks the same stays the same element, focus stays.
const drawn = new WeakMap(); // container -> the texts of its children

export function redraw(container, children) {
  const texts = children.map((child) => child.outerHTML ?? child);
  const before = drawn.get(container) ?? [];
  if (texts.length === before.length && texts.every((text, index) => text === before[index])) return;
  const focused = container.contains(document.activeElement) ? selectorOf(document.activeElement) : null;
  const kept = new Map(before.map((text, index) => [text, container.children[index]]));
  container.replaceChildren(...children.map((child, index) => kept.get(texts[index]) ?? child));
  drawn.set(container, texts);
  if (focused && !container.contains(document.activeElement)) container.querySelector(focused)?.focus();
}

function selectorOf(element) {
  const parts = Object.entries(element.dataset).map(([key, value]) => {
    const name = key.replace(/[A-Z]/g, (sign) => `-${sign.toLowerCase()}`);
    return `[data-${name}="${CSS.escape(value)}"]`;
  });
  return parts.length ? element.tagName.toLowerCase() + parts.join("") : null;
}
