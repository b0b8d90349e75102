// One table in the console: its board and moves, and everything by which an arbiter changes its game.
import { Answer } from "./answer.js";
import { Board, glyph, piecesOf, placementOf } from "./board.js";
import { clockText, remaining } from "./game.js";
import { decisionLine, waitingLine } from "./incident.js";
import { redraw } from "./redraw.js";
import { make, moveText } from "./words.js";

const RESULTS = ["1-0", "1/2-1/2", "0-1"];
const SPARE = "KABNRCPkabnrcp";
const CLAIMS = ["draw_offer", "limit_claim"];
const THREE_MINUTES_S = 180;

export class TablePanel {
  constructor(root, words, table, decide, now_s) {
    this.root = root;
    this.words = words;
    this.table = table;
    this.now_s = now_s;
    this.address = `/arbiter/decide/${encodeURIComponent(table.name)}`;
    this.decide = decide;
    this.mode = null; // { kind: "move", ply, from, was } or { kind: "position", pieces, chosen, side }
    this.board = new Board("red", (point) => this.#point(point), true);
    this.#build();
  }

  #build() {
    const say = (key, facts) => this.words.say(key, facts);
    const button = (id, key, handler, kind = "") => make("button", { id, class: kind, on: { click: handler } }, say(key));
    const link = (page, key) => make("a", { class: "button", target: "_blank", rel: "noopener", href: `/${page}/${encodeURIComponent(this.table.name)}?lang=${this.words.language}` }, say(key));
    this.turn = make("p", { id: "turn", class: "quiet" });
    this.clocks = make("p", { class: "clocks" });
    this.proposal = make("div", {});
    this.moves = make("div", { class: "moves" });
    this.ply = make("input", { id: "ply", type: "number", min: 1, inputmode: "numeric", "aria-label": say("ply_to_correct") });
    this.hint = make("p", { id: "hint", role: "status" });
    this.beside = make("div", { class: "beside", hidden: true });
    this.confirm = button("confirm", "confirm", () => this.#confirm(), "main");
    this.cancel = button("cancel", "cancel", () => this.#leave());
    this.history = make("div", { id: "history" });
    this.answer = new Answer();
    this.clause = make("input", { id: "result-clause", maxlength: 20, placeholder: say("result_clause"), "aria-label": say("result_clause") });
    this.red = make("input", { id: "red-time", placeholder: say("side_red"), "aria-label": say("side_red") });
    this.black = make("input", { id: "black-time", placeholder: say("side_black"), "aria-label": say("side_black") });
    this.timeFault = make("p", { role: "alert", hidden: true }, say("bad_time"));
    this.root.replaceChildren(
      make("div", { class: "row" }, make("h2", {}, `${say("table")} ${this.table.name}`), link("setup", "to_setup"), link("overlay", "to_overlay")), this.turn, this.clocks, this.proposal, this.board.element,
      this.hint, this.beside, make("div", { class: "row" }, this.confirm, this.cancel), this.answer.element,
      make("h3", {}, say("moves_heading")), this.moves,
      make("details", { open: true, id: "correct" }, make("summary", {}, say("correct_record")),
        make("div", { class: "row" }, make("label", { for: "ply" }, say("ply_to_correct")), this.ply,
          button("replace-move", "replace_move", () => this.#beginMove(Number(this.ply.value))),
          button("take-out", "take_out", () => this.#takeOut(Number(this.ply.value))),
          button("add-move", "add_move", () => this.#beginMove(this.table.game.moves.length + 1)),
          button("edit-position", "edit_position", () => this.#beginPosition()))),
      make("details", { id: "results" }, make("summary", {}, say("set_result")),
        make("div", { class: "row" }, this.clause,
          ...RESULTS.map((result) => make("button", { "data-result": result, on: { click: () => this.#result(result) } }, say(`result_${result}`))),
          button("reopen", "reopen_game", () => this.#result("*")))),
      make("details", { id: "claims" }, make("summary", {}, say("claims")), make("p", { class: "quiet" }, say("claim_hint")),
        ...CLAIMS.map((claim) => make("div", { class: "row" }, `${say(claim)}:`, ...["red", "black"].map((side) => make("button", {
          "data-claim": claim, "data-by": side,
          on: { click: () => this.decide(this.address, { ruling: "noted", change: { [claim]: side } }) },
        }, say(`side_${side}`)))))),
      make("details", { id: "times" }, make("summary", {}, say("adjust_times")), make("p", { class: "quiet" }, `${say("adjust_hint")} ${say("time_format")}`),
        make("form", { class: "row", on: { submit: (event) => { event.preventDefault(); this.#times(); } } },
          this.red, make("button", { type: "button", on: { click: () => this.#add("red") } }, say("add_three_minutes")),
          this.black, make("button", { type: "button", on: { click: () => this.#add("black") } }, say("add_three_minutes")),
          make("button", { id: "save-times", class: "main" }, say("save"))), this.timeFault),
      make("h3", {}, say("history_heading")), this.history);
    this.#leave();
  }

  refresh() {
    const { table, words } = this;
    const game = table.game;
    this.turn.textContent = this.#turnText();
    redraw(this.moves, game.moves.map((move) => make("button", {
      "data-ply": move.ply, class: move.legal ? "" : "illegal", on: { click: () => this.#look(move.ply) },
    }, `${move.ply}. ${words.language === "zh" ? move.names.chinese : move.names.wxf}`)));
    const proposed = table.proposed;
    redraw(this.proposal, proposed ? [make("p", { class: "problem" }, words.say("proposed", { result: words.say(`result_${proposed.result}`), why: words.say(`termination_${proposed.termination}`) }),
      " ", make("button", { "data-accept": proposed.result, on: { click: () => this.#result(proposed.result, proposed.clause) } }, words.say("accept_proposed")))] : []);
    const decisions = [
      ...[...table.waiting].reverse().map((decision) => waitingLine(words, table, decision, table.incidents.get(decision.of))),
      ...[...table.decisions].reverse().map((decision) => decisionLine(words, table, decision, this.decide, table.incidents.get(decision.of))),
    ];
    redraw(this.history, decisions.length ? decisions : [make("p", { class: "quiet" }, words.say("no_decisions"))]);
    if (!this.mode) this.board.show(game.fen, game.moves.at(-1)?.iccs);
    this.tick();
  }

  // Whose turn it is; while a move is replaced or added, whose that one is.
  #turnText() {
    const { words, mode } = this;
    const { result, fen: reached } = this.table.game;
    const ply = mode?.kind === "move" ? mode.ply : null;
    const fen = ply === null ? reached : this.table.fenAtPly(ply - 1);
    if (ply === null && result) return words.say(`result_${result.result}`);
    if (!fen) return words.say("waiting_for_board");
    const turn = words.say("turn", { side: words.say(fen.split(" ")[1] === "b" ? "side_black" : "side_red") });
    return ply === null ? turn : `${words.say("at_ply", { ply })} · ${turn}`;
  }

  tell(text, waits = false) {
    this.answer.say(text, waits);
  }

  forget() {
    this.answer.forget();
  }

  tick() {
    redraw(this.clocks, ["red", "black"].map((side) => make("span", { class: this.table.game.clock?.running === side ? "running" : "" },
      `${this.words.say(`side_${side}`)} ${clockText(remaining(this.table.game, side, this.now_s()))}`)));
  }

  #look(ply) {
    this.ply.value = ply;
    if (!this.mode) this.board.show(this.table.fenAtPly(ply), this.table.game.moves[ply - 1]?.iccs);
  }

  #leave() {
    this.mode = null;
    this.beside.hidden = this.confirm.hidden = this.cancel.hidden = true;
    this.hint.textContent = "";
    this.#choose(null);
    this.refresh();
  }

  #choose(point) {
    for (const spot of this.board.element.querySelectorAll(".touchable")) spot.classList.toggle("chosen", spot.dataset.touch === point);
  }

  // What stands there while the arbiter looks; the recorder refuses the correction where it has changed by then.
  #iccsOf(ply) {
    return this.table.game.moves[ply - 1]?.iccs ?? null;
  }

  #beginMove(ply) {
    if (!(ply >= 1 && ply <= this.table.game.moves.length + 1)) { this.ply.focus(); return; }
    this.mode = { kind: "move", ply, from: null, iccs: null, was: this.#iccsOf(ply) };
    this.board.show(this.table.fenAtPly(ply - 1));
    this.turn.textContent = this.#turnText();
    this.hint.textContent = this.words.say("pick_from");
    this.cancel.hidden = false;
    this.confirm.hidden = true;
    this.board.focus();
  }

  #beginPosition() {
    const fen = this.table.game.fen;
    const pieces = piecesOf(fen);
    this.mode = { kind: "position", pieces, chosen: null, side: (fen ?? " w").split(" ")[1] };
    this.hint.textContent = this.words.say("edit_hint");
    this.beside.hidden = this.confirm.hidden = this.cancel.hidden = false;
    this.#drawPosition();
    this.board.focus();
  }

  #drawPosition() {
    const { mode, words } = this;
    this.board.showPieces(new Map(mode.pieces));
    this.#choose(mode.chosen?.point ?? null);
    const pick = (piece) => make("button", {
      "data-spare": piece, class: piece === piece.toUpperCase() ? "red" : "black", "aria-pressed": String(mode.chosen?.piece === piece),
      on: { click: () => { mode.chosen = { piece }; this.#drawPosition(); } },
    }, glyph(piece));
    redraw(this.beside, [...[...SPARE].map(pick),
      make("button", { "data-spare": "none", "aria-pressed": String(mode.chosen?.piece === ""), on: { click: () => { mode.chosen = { piece: "" }; this.#drawPosition(); } } }, words.say("remove_piece")),
      make("button", { "data-side": mode.side, on: { click: () => { mode.side = mode.side === "b" ? "w" : "b"; this.#drawPosition(); } } }, words.say(mode.side === "b" ? "black_to_move" : "red_to_move"))]);
  }

  #point(point) {
    const { mode } = this;
    if (!mode) return;
    if (mode.kind === "move") this.#movePoint(point);
    else this.#positionPoint(point);
  }

  #movePoint(point) {
    const { mode } = this;
    if (!mode.from) {
      if (!this.board.pieces.has(point)) return;
      mode.from = point;
      this.hint.textContent = this.words.say("pick_to");
    } else if (point === mode.from) {
      this.#beginMove(mode.ply);
    } else {
      mode.iccs = mode.from + point;
      this.board.show(this.table.fenAtPly(mode.ply - 1), mode.iccs);
      this.#sayMove(mode);
      this.confirm.hidden = false;
      this.confirm.focus();
    }
    this.#choose(point);
  }

  // By its points at once, and by its name as soon as the server has told it.
  async #sayMove(mode) {
    const { ply, iccs } = mode;
    const fen = this.table.fenAtPly(ply - 1) ?? "";
    this.hint.textContent = this.words.say("will_play", { ply, move: iccs });
    const names = await namesOf(fen, iccs);
    if (this.mode === mode && mode.iccs === iccs) this.hint.textContent = this.words.say("will_play", { ply, move: moveText(this.words, names, iccs) });
  }

  #positionPoint(point) {
    const { mode } = this;
    if (mode.chosen?.piece !== undefined) {
      if (mode.chosen.piece) mode.pieces.set(point, mode.chosen.piece);
      else mode.pieces.delete(point);
    } else if (mode.chosen) {
      const piece = mode.pieces.get(mode.chosen.point);
      mode.pieces.delete(mode.chosen.point);
      if (point !== mode.chosen.point) mode.pieces.set(point, piece);
      else mode.pieces.set(point, piece);
      mode.chosen = null;
    } else if (mode.pieces.has(point)) {
      mode.chosen = { point };
    }
    this.#drawPosition();
  }

  async #confirm() {
    const { mode } = this;
    const fields = (this.table.game.fen ?? "x w - - 0 1").split(" ");
    const change = mode.kind === "move"
      ? { ply: mode.ply, iccs: mode.iccs, was: mode.was }
      : { fen: [placementOf(mode.pieces), mode.side, "-", "-", ...fields.slice(4)].join(" ") };
    if (await this.decide(this.address, { ruling: "corrected", change })) {
      this.#leave();
      this.root.focus();
    }
  }

  async #takeOut(ply) {
    if (!(ply >= 1 && ply <= this.table.game.moves.length)) { this.ply.focus(); return; }
    await this.decide(this.address, { ruling: "corrected", change: { ply, was: this.#iccsOf(ply) } });
  }

  #result(result, clause = this.clause.value.trim()) {
    return this.decide(this.address, { ruling: "corrected", change: { result, ...(clause ? { clause } : {}) } });
  }

  #add(side) {
    const input = side === "red" ? this.red : this.black;
    const shown = seconds(input.value) ?? remaining(this.table.game, side, this.now_s()) ?? 0;
    input.value = clockText(shown + THREE_MINUTES_S);
  }

  #times() {
    const times = {};
    for (const [name, input] of [["red_s", this.red], ["black_s", this.black]]) {
      if (!input.value.trim()) continue;
      times[name] = seconds(input.value);
    }
    this.timeFault.hidden = Object.keys(times).length > 0 && Object.values(times).every((value) => value !== null);
    if (this.timeFault.hidden) this.decide(this.address, { ruling: "corrected", change: { times } });
  }

  key(key) {
    if (key === "n") this.#beginMove(this.table.game.moves.length + 1);
  }
}

// The move in every notation; null where the server does not say.
async function namesOf(fen, iccs) {
  try {
    const answer = await fetch(`/arbiter/name?${new URLSearchParams({ fen, iccs })}`);
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

function seconds(text) {
  const match = /^(?:(\d{1,2}):)?(\d{1,3}):(\d{1,2})$/.exec(text.trim());
  return match ? Number(match[1] ?? 0) * 3600 + Number(match[2]) * 60 + Number(match[3]) : null;
}
