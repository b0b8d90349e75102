// The words of the pages: one file a language, fetched once.
import { askFor } from "./patient.js";

export function chosenLanguage() {
  const asked = new URLSearchParams(location.search).get("lang");
  let kept = null;
  try { kept = localStorage.getItem("lang"); } catch { /* no storage in this browser: the language is asked for again */ }
  const found = asked ?? kept ?? (navigator.language || "zh").slice(0, 2);
  return found === "en" ? "en" : "zh";
}

export function keepLanguage(language) {
  try { localStorage.setItem("lang", language); } catch { /* as above */ }
  const address = new URL(location.href);
  address.searchParams.set("lang", language);
  location.replace(address);
}

export class Words {
  constructor(texts, language) {
    this.texts = texts;
    this.language = language;
  }

  static async load(language = chosenLanguage()) {
    const { data } = await askFor(`/static/messages/${language}.json`);
    document.documentElement.lang = language;
    return new Words(data, language);
  }

  has(key) {
    return key in this.texts;
  }

  // The message of that key; {name} is replaced by what `facts` say.
  say(key, facts = {}) {
    const text = this.texts[key] ?? key;
    return text.replace(/\{(\w+)\}/g, (_, name) => facts[name] ?? "?");
  }

  // Fill every element that names a message by data-say (text), data-say-label (aria-label), data-say-hint (placeholder).
  fill(root = document) {
    for (const element of root.querySelectorAll("[data-say]")) element.textContent = this.say(element.dataset.say);
    for (const element of root.querySelectorAll("[data-say-label]")) {
      element.setAttribute("aria-label", this.say(element.dataset.sayLabel));
    }
    for (const element of root.querySelectorAll("[data-say-hint]")) {
      element.setAttribute("placeholder", this.say(element.dataset.sayHint));
    }
    const title = document.documentElement.dataset.title;
    if (title) document.title = `${this.say(title)} · 棋眼 qiyan`;
  }
}

// A move as the page's language writes it, with its points: names tell little of an odd move, points little to a player.
export function moveText(words, names, iccs) {
  const name = words.language === "zh" ? names?.chinese : names?.wxf;
  return name && name !== iccs ? `${name} (${iccs})` : iccs;
}

// The table's name in the page's own address, which somebody may have typed.
export function tableOf(prefix) {
  const name = location.pathname.slice(prefix.length);
  try { return decodeURIComponent(name); } catch { return name; }
}

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "on") for (const [name, handler] of Object.entries(value)) element.addEventListener(name, handler);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}
