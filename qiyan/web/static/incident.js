// One incident in the console: what happened, its clip, its clause, and the decision on it.
import { Answer } from "./answer.js";
import { Board } from "./board.js";
import { timeOf } from "./hall.js";
import { redraw } from "./redraw.js";
import { make, moveText } from "./words.js";

const STILLS = ["before", "moment", "after"];
const LOOK_AGAIN_MS = 2000;
const LONGEST_WAIT_MS = 20000; // a clip that is not there by then is not being written

export class IncidentPanel {
  // `decide(address, body)`: sends a decision; whether it was taken.
  constructor(root, words, table, seq, decide) {
    this.root = root;
    this.words = words;
    this.table = table;
    this.seq = seq;
    this.decide = decide;
    this.board = new Board("red", (point) => this.#namePoint(point), true);
    this.#build();
  }

  get incident() {
    return this.table.incidents.get(this.seq);
  }

  #build() {
    const { words, incident } = this;
    const say = (key, facts) => words.say(key, facts);
    this.text = make("p", { id: "incident-text" }, incident.text[words.language]);
    this.rulings = make("div", { id: "rulings", "aria-live": "polite" });
    this.answer = new Answer();
    this.toName = make("p", { id: "name-point", hidden: true }, make("b", {}, say("name_point")), " ", say("name_point_hint"), " ",
      incident.incident === "between_points" ? this.#pointButtons() : null);
    this.note = make("input", { id: "note", maxlength: 500, "data-say-hint": "note_hint", placeholder: say("note_hint"), "aria-label": say("note_hint") });
    const name = encodeURIComponent(this.table.name);
    this.root.replaceChildren(
      make("h2", {}, `${say(`severity_${incident.severity}`)} · ${say(`incident_${incident.incident}`)} · ${say("table")} ${this.table.name} · ${say("at_ply", { ply: incident.ply })} · ${timeOf(incident)}`),
      this.text, this.#clause(), this.#clipOf(),
      make("div", { class: "row", id: "decide" },
        this.clip ? make("button", { id: "play", class: "main", on: { click: () => this.#play(1) } }, `▶ ${say("play_clip")}`) : null,
        this.clip ? make("button", { id: "slow", on: { click: () => this.#play(0.25) } }, say("slower")) : null,
        make("span", { class: "gap" }),
        make("button", { id: "uphold", class: "choice", on: { click: () => this.#rule("upheld") } }, `✓ ${say("uphold")}`),
        make("button", { id: "dismiss", class: "choice", on: { click: () => this.#rule("dismissed") } }, `✗ ${say("dismiss")}`)),
      make("form", { class: "row", on: { submit: (event) => { event.preventDefault(); this.#rule("noted"); } } },
        this.note, make("button", { id: "save-note" }, say("save_note"))),
      this.answer.element, this.rulings, this.#stills(),
      this.toName,
      this.board.element,
      make("p", { class: "row" },
        make("a", { class: "button", id: "sheet", target: "_blank", rel: "noopener", href: `/arbiter/sheet/${name}/${this.seq}?lang=${words.language}` }, say("sheet")),
        make("a", { class: "button", id: "save-sheet", href: `/arbiter/sheet/${name}/${this.seq}?lang=${words.language}&save=1` }, say("sheet_save"))));
  }

  #addressOf(path) {
    return `/arbiter/evidence/${encodeURIComponent(this.table.name)}/${encodeURIComponent(path.split("/").at(-1))}`;
  }

  #clipOf() {
    const { words, incident } = this;
    const path = incident.evidence.find((one) => /\.(webm|mp4)$/.test(one));
    if (!path) return make("p", { class: "quiet" }, words.say("no_clip"));
    const address = this.#addressOf(path);
    this.clip = make("video", { id: "clip", controls: true, muted: true, playsinline: true, preload: "auto", src: address });
    this.clip.muted = true;
    const coming = make("p", { id: "clip-state", class: "quiet", role: "status", hidden: true }, words.say("clip_coming"));
    const began = performance.now();
    this.clip.addEventListener("error", async () => {
      coming.hidden = false;
      const gone = await whyGone(address) ?? (performance.now() - began > LONGEST_WAIT_MS ? "clip_not_there" : null);
      if (gone) coming.textContent = words.say(gone);
      else setTimeout(() => { if (this.clip.isConnected) this.clip.load(); }, LOOK_AGAIN_MS);
    });
    this.clip.addEventListener("loadeddata", () => { coming.hidden = true; });
    return make("div", {}, this.clip, coming);
  }

  // In the order of time; recordings of earlier versions have no still of the moment.
  #stills() {
    const { words, incident } = this;
    const stills = STILLS.map((name) => [name, incident.evidence.find((path) => path.endsWith(`-${name}.jpg`))]).filter(([, path]) => path);
    if (!stills.length) return "";
    const ahead = touchAhead(incident);
    const short = (name) => words.say(ahead && name === "moment" ? "still_touch" : `still_${name}`);
    const caption = (name) => ahead && name === "moment" ? words.say("touch_ahead", { name: short(name), seconds: ahead.toFixed(1) }) : short(name);
    return make("details", { id: "stills" }, make("summary", {}, stills.map(([name]) => short(name)).join(" / ")),
      make("div", { class: "stills" }, ...stills.map(([name, path]) => make("figure", {},
        make("a", { href: this.#addressOf(path), target: "_blank", rel: "noopener" },
          make("img", { src: this.#addressOf(path), alt: caption(name), "data-still": name, loading: "lazy" })),
        make("figcaption", {}, caption(name))))));
  }

  #play(rate) {
    if (!this.clip) return;
    this.clip.currentTime = 0;
    this.clip.playbackRate = rate;
    // Playing is broken off when another incident is opened meanwhile; nothing is lost by that.
    this.clip.play().catch(() => {});
  }

  #clause() {
    const { words, incident } = this;
    if (!incident.clause) return "";
    const key = `clause_${incident.clause}`;
    const text = words.has(key) ? words.say(key) : words.say("clause_unknown");
    return make("p", { id: "clause" }, make("b", {}, `${words.say("clause")} ${incident.clause} (${incident.rules ?? ""}) `), text);
  }

  #pointButtons() {
    return make("span", { class: "row" }, ...this.incident.points.map((point) => make("button", {
      "data-name-point": point, on: { click: () => this.#namePoint(point) },
    }, point)));
  }

  #namePoint(point) {
    if (!this.table.mayNamePoint(this.incident) || !this.incident.points.includes(point)) return;
    this.decide(`/arbiter/decide/${encodeURIComponent(this.table.name)}`, { of: this.seq, ruling: "corrected", change: { point } });
  }

  async #rule(ruling) {
    const note = this.note.value.trim();
    if (ruling === "noted" && !note) { this.note.focus(); return; }
    const taken = await this.decide(`/arbiter/decide/${encodeURIComponent(this.table.name)}`, { of: this.seq, ruling, change: note ? { note } : null });
    if (taken) this.note.value = "";
  }

  refresh() {
    const { words, table, incident } = this;
    if (!incident) { this.root.replaceChildren(make("p", {}, words.say("no_such_incident"))); return; }
    this.board.show(table.fenAtPly(incident.ply), table.game.moves[incident.ply - 1]?.iccs, incident.points);
    this.toName.hidden = !table.mayNamePoint(incident);
    const waiting = table.waiting.filter((decision) => decision.of === this.seq);
    redraw(this.rulings, [
      ...incident.rulings.map((decision) => decisionLine(words, table, decision, this.decide)),
      ...waiting.map((decision) => waitingLine(words, table, decision)),
    ]);
    const now = table.ruling(incident)?.ruling;
    const soon = table.waitingRuling(incident)?.ruling;
    for (const [id, ruling] of [["uphold", "upheld"], ["dismiss", "dismissed"]]) {
      const pressed = soon === ruling ? "mixed" : String(now === ruling);
      this.root.querySelector(`#${id}`).setAttribute("aria-pressed", pressed);
    }
  }

  tell(text, waits = false) {
    this.answer.say(text, waits);
  }

  forget() {
    this.answer.forget();
  }

  key(key) {
    if (key === "p") this.#play(1);
    else if (key === "u") this.#rule("upheld");
    else if (key === "d") this.#rule("dismissed");
    else if (key === "n") setTimeout(() => this.note.focus());
  }
}

// How long before it happened a hand was at its points, s; 0 where that is no other moment.
function touchAhead(incident) {
  const touched = incident.remedy?.t_touched;
  return typeof touched === "number" ? Math.max(0, Math.round((incident.t_happened - touched) * 10) / 10) : 0;
}

// The words for why a file will never come; null where it may, or where the server cannot be asked.
async function whyGone(address) {
  try {
    const answer = await fetch(address);
    if (answer.status === 410) return (await answer.json()).error;
    await answer.body?.cancel();
  } catch { /* the server is away: it is asked again with the clip */ }
  return null;
}

// A decision in words, with its undo. `of`: the incident, where it is to be named.
export function decisionLine(words, table, decision, decide, of = null) {
  const change = decision.change ?? {};
  const undone = table.isUndone(decision);
  const line = make("p", { class: "row", "data-decision": decision.seq },
    make("span", {}, `${decision.seq}. ${decisionText(words, table, decision, of)}${decision.at ? ` (${decision.at.slice(11, 19)})` : ""}`));
  if (undone) line.append(make("b", {}, words.say("undone")));
  else if (change.undo === undefined) {
    line.append(make("button", {
      "data-undo": decision.seq,
      on: { click: () => decide(`/arbiter/undo/${encodeURIComponent(table.name)}`, { seq: decision.seq }) },
    }, `↶ ${words.say("undo")}`));
  }
  return line;
}

// A decision that no recorder has taken yet.
export function waitingLine(words, table, decision, of = null) {
  const why = table.pulse.state === "live" ? "waits_for_recorder" : "waits_for_restart";
  return make("p", { class: "waiting" }, make("b", {}, words.say(why)), ` ${decisionText(words, table, decision, of)}`);
}

function decisionText(words, table, decision, of) {
  const named = of ? `${words.say(`incident_${of.incident}`)} · ${words.say("at_ply", { ply: of.ply })} · ${timeOf(of)} — ` : "";
  const said = words.say("decided_by", { by: decision.by, ruling: words.say(`ruling_${decision.ruling}`) });
  const said_of = [changeText(words, table, decision.change ?? {})].filter(Boolean);
  if (decision.finding) said_of.push(decision.finding.allowed ? words.say("offer_allowed") : words.say("offer_refused", { clause: decision.finding.clause ?? "–" }));
  return `${named}${said}${said_of.length ? `: ${said_of.join(" — ")}` : ""}`;
}

function changeText(words, table, change) {
  const parts = [];
  if (change.undo !== undefined) parts.push(words.say("undo_of", { seq: change.undo }));
  if (change.note) parts.push(change.note);
  if (change.ply !== undefined) {
    const stands = table.game.moves[change.ply - 1];
    const names = stands?.iccs === change.iccs ? stands?.names : null;
    parts.push(change.iccs ? words.say("will_play", { ply: change.ply, move: moveText(words, names, change.iccs) }) : `${words.say("take_out")} (${words.say("at_ply", { ply: change.ply })})`);
  }
  if (change.point) parts.push(`${words.say("name_point")} ${change.point}`);
  if (change.fen) parts.push(`${words.say("edit_position")} ${change.fen.split(" ")[0]}`);
  if (change.result) parts.push(words.say(`result_${change.result}`));
  if (change.clause) parts.push(`${words.say("clause")} ${change.clause}`);
  for (const claim of ["draw_offer", "limit_claim"]) {
    if (change[claim]) parts.push(`${words.say(claim)}: ${words.say(`side_${change[claim]}`)}`);
  }
  if (change.times) parts.push(`${words.say("adjust_times")} ${change.times.red_s ?? "–"} s / ${change.times.black_s ?? "–"} s`);
  return parts.join("; ");
}
