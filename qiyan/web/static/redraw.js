// Redrawing without taking anything out of a person's hands: nothing is replaced that looks the same, focus stays.
const drawn = new WeakMap();

export function redraw(container, children) {
  const text = children.map((child) => child.outerHTML ?? child).join("");
  if (drawn.get(container) === text) return;
  drawn.set(container, text);
  const focused = container.contains(document.activeElement) ? selectorOf(document.activeElement) : null;
  container.replaceChildren(...children);
  if (focused) container.querySelector(focused)?.focus();
}

function selectorOf(element) {
  const parts = Object.entries(element.dataset).map(([key, value]) => {
    const name = key.replace(/[A-Z]/g, (sign) => `-${sign.toLowerCase()}`);
    return `[data-${name}="${CSS.escape(value)}"]`;
  });
  return parts.length ? element.tagName.toLowerCase() + parts.join("") : null;
}
