// All tables as the console knows them: games, incidents with their rulings, decisions, proposed results.
import { apply } from "./game.js";

export class Table {
  constructor(name) {
    this.name = name;
    this.about = { names: {} };
    this.pulse = { state: "none" };
    this.begin({ moves: [], fen: null, clock: null, view: null, view_points: [], seq: 0 }, [], "");
  }

  begin(game, privates, recording) {
    this.game = game;
    this.recording = recording;
    this.incidents = new Map();
    this.decisions = [];
    this.proposed = null;
    for (const entry of privates) this.takePrivate(entry);
  }

  takePublic(entry) {
    if (entry.seq > this.game.seq) apply(this.game, entry);
  }

  takePrivate(entry) {
    if (entry.kind === "incident") {
      if (this.incidents.has(entry.seq)) return;
      const replaced = this.incidents.get(entry.updates);
      if (replaced) replaced.replaced = true;
      this.incidents.set(entry.seq, { ...entry, table: this.name, rulings: [], replaced: false });
    } else if (entry.kind === "decision") {
      if (this.decisions.some((known) => known.seq === entry.seq)) return;
      this.decisions.push(entry);
      this.incidents.get(entry.of)?.rulings.push(entry);
    } else if (entry.kind === "result") {
      this.proposed = entry.status === "proposed" && entry.result !== "*" ? entry : null;
    }
  }

  // The decision that rules on an incident now; null: none, or it was undone.
  ruling(incident) {
    let now = null;
    for (const decision of incident.rulings) {
      if (decision.change?.undo !== undefined) now = decision.ruling === "noted" ? null : decision;
      else if (decision.ruling !== "noted") now = decision;
    }
    return now;
  }

  // Decisions that no recorder has taken into the journal yet, oldest first.
  get waiting() {
    return this.about.waiting ?? [];
  }

  // The one of them that will rule on an incident; null: none.
  waitingRuling(incident) {
    return this.waiting.filter((decision) => decision.of === incident.seq && decision.ruling !== "noted").at(-1) ?? null;
  }

  // Whether an arbiter has ruled on an incident, in the journal already or not.
  isRuled(incident) {
    return this.ruling(incident) !== null || this.waitingRuling(incident) !== null;
  }

  // Breaches and doubts that nobody has ruled on; a notice asks for no ruling.
  undecided() {
    return this.shown().filter((incident) => incident.severity !== "notice" && !this.isRuled(incident));
  }

  // Whether a piece still lies between points there, and nobody has named one.
  mayNamePoint(incident) {
    const named = this.waiting.some((decision) => decision.of === incident.seq && decision.change?.point);
    return (this.about.between ?? []).includes(incident.seq) && !named;
  }

  isUndone(decision) {
    return this.decisions.some((other) => other.change?.undo === decision.seq);
  }

  // Incidents that count, newest first.
  shown() {
    return [...this.incidents.values()].filter((incident) => !incident.replaced).reverse();
  }

  // The position as it was before entry `seq`, as far as the moves that stand now tell it.
  fenAtPly(ply) {
    return ply <= 0 ? this.game.start_fen : this.game.moves[ply - 1]?.fen ?? this.game.fen;
  }
}

// When an incident happened, however late it was told: the time of day at a camera, else since the recording began.
export function timeOf(incident) {
  const two = (value) => String(Math.floor(value)).padStart(2, "0");
  if (!incident.at) return `${Math.floor(incident.t_happened / 60)}:${two(incident.t_happened % 60)}`;
  const [hours, minutes, seconds] = incident.at.slice(11, 23).split(":").map(Number);
  const day = 24 * 3600;
  const time = (hours * 3600 + minutes * 60 + seconds - (incident.t - incident.t_happened) + day) % day;
  return `${two(time / 3600)}:${two((time / 60) % 60)}:${two(time % 60)}`;
}
