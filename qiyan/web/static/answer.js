// What became of a decision that was just sent, said beside the buttons and kept in view.
import { make } from "./words.js";

export class Answer {
  constructor() {
    this.element = make("p", { id: "answer", role: "status" });
    this.waits = false;
  }

  // `waits`: it holds only until the decision stands in the journal.
  say(text, waits = false) {
    this.element.textContent = text;
    this.waits = waits;
  }

  // The decision took effect.
  forget() {
    if (this.waits) this.say("");
  }
}
