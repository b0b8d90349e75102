// The broadcast overlay: one table, public, following for ever.
import { Board, glyph } from "./board.js";
import { apply, captured, clockText, remaining, startsWithBlack } from "./game.js";
import { SharedStream } from "./shared_stream.js";
import { Words, make, tableOf } from "./words.js";

const SIZES = { s: 360, m: 540, l: 720, xl: 900 };
const OLD_AFTER_S = 10;
const PARTS = ["board", "clocks", "names", "moves", "captured"];
const options = new URLSearchParams(location.search);
const table = tableOf("/overlay/");
const element = (id) => document.getElementById(id);
const words = await Words.load();
words.fill();

const parts = (options.get("parts") ?? PARTS.join(",")).split(",").filter((part) => PARTS.includes(part));
const bottom = options.get("side") === "black" ? "black" : "red";
const notation = ["iccs", "wxf", "chinese", "chinese-short"].includes(options.get("notation"))
  ? options.get("notation") : words.language === "zh" ? "chinese" : "wxf";
const theme = ["wood", "dark", "light", "clear"].includes(options.get("theme")) ? options.get("theme") : "wood";
const asked = SIZES[options.get("size")] ?? Number(options.get("size"));
const width = asked >= 120 && asked <= 4000 ? asked : SIZES.m;

document.body.dataset.theme = theme;
for (const part of PARTS) document.body.classList.toggle(`no-${part}`, !parts.includes(part));
document.documentElement.style.setProperty("--board", `${width}px`);
const board = new Board(bottom);
element("board").append(board.element);

let state = null;
let about = { names: {}, delay_s: 0 };
let pulse = { state: "none" };
let serverAhead_s = 0;
let gone = null;

const delay = options.get("delay");
const address = `/feed/${encodeURIComponent(table)}` + (delay ? `?delay=${encodeURIComponent(delay)}` : "");
const stream = new SharedStream({ kind: "tables", of: `${Number(delay) || 0}:${table}`, address }, {
  about(data) {
    gone = null;
    about = data;
    keepTime(data);
    // Another recording took the place of the one that was followed while this page was away.
    if (state && state.recording !== data.recording) stream.again();
    draw();
  },
  state(data) {
    gone = null;
    state = data;
    keepTime(data);
    draw();
  },
  entry(data) {
    if (!state || data.seq <= state.seq) return;
    apply(state, data);
    draw();
  },
  ping(data) {
    gone = null;
    keepTime(data);
    pulse = data.pulse;
    notice();
  },
}, (status) => { gone = status; notice(); });

function keepTime(data) {
  serverAhead_s = data.now_s - Date.now() / 1000;
}

function now_s() {
  const delayed = Math.max(about.delay_s ?? 0, 60 * (Number(delay) || 0));
  return Date.now() / 1000 + serverAhead_s - delayed;
}

function draw() {
  document.body.dataset.seq = state?.seq ?? 0;
  document.body.dataset.plies = state?.moves.length ?? 0;
  document.body.dataset.fen = state?.fen ?? "";
  const last = state?.moves.at(-1);
  board.show(state?.fen, last?.iccs);
  const upper = bottom === "red" ? "black" : "red";
  element("top-player").replaceChildren(...player(upper));
  element("bottom-player").replaceChildren(...player(bottom));
  drawMoves();
  tick();
  notice();
}

function player(side) {
  const names = about.names ?? {};
  const name = names[side === "red" ? "Red" : "Black"];
  const team = names[side === "red" ? "RedTeam" : "BlackTeam"];
  const taken = state ? captured(state.moves)[side === "red" ? "black" : "red"] : [];
  return [
    make("span", { class: `side ${side}`, "aria-hidden": "true" }, side === "red" ? "红" : "黑"),
    make("span", { class: "name" }, name ?? words.say(`side_${side}`), team ? make("small", {}, team) : null),
    make("span", { class: "captured", "aria-label": words.say("captured") },
      ...taken.map((letter) => make("i", { class: letter === letter.toUpperCase() ? "red" : "black" }, glyph(letter)))),
    make("span", { class: "clock", "data-side": side }),
  ];
}

function drawMoves() {
  const list = element("moves");
  if (!state) return;
  const cells = state.moves.map((move, index) => make("span", {
    class: ["move", move.legal ? "" : "illegal", index === state.moves.length - 1 ? "now" : ""].join(" "),
    "data-ply": move.ply,
  }, move.names[notation] ?? move.iccs));
  if (startsWithBlack(state)) cells.unshift(make("span", { class: "move" }, "…"));
  const rows = [];
  for (let i = 0; i < cells.length; i += 2) {
    rows.push(make("div", { class: "round" }, make("b", {}, `${i / 2 + 1}.`), ...cells.slice(i, i + 2)));
  }
  if (state.result) {
    const why = words.say(`termination_${state.result.termination}`);
    rows.push(make("div", { class: "result" }, `${words.say(`result_${state.result.result}`)} · ${why}`));
  }
  list.replaceChildren(...rows);
  list.scrollTop = list.scrollHeight;
}

function tick() {
  for (const clock of document.querySelectorAll(".clock")) {
    const side = clock.dataset.side;
    const left_s = state ? remaining(state, side, now_s()) : null;
    const text = left_s === null ? "" : clockText(left_s);
    if (clock.textContent !== text) clock.textContent = text;
    clock.classList.toggle("running", state?.clock?.running === side && !state.result);
    clock.classList.toggle("low", left_s !== null && left_s < 60);
  }
}

// What is wrong, in words; empty while all is well.
function notice() {
  let text = "";
  if (gone === 404) text = words.say("no_such_table", { detail: table });
  else if (stream.silentMs > OLD_AFTER_S * 1000) {
    text = words.say("feed_old", { age: Math.round(stream.silentMs / 1000) });
  } else if (gone !== null) text = words.say("server_away");
  else if (!state || state.seq === 0) text = words.say("waiting_for_recording");
  else if (pulse.state === "silent") text = words.say("feed_old", { age: pulse.age_s });
  else if (!state.fen) text = words.say("waiting_for_board");
  else if (state.system === "source_lost") text = words.say("camera_lost");
  else if (state.clock?.event === "lost") text = words.say("clock_lost");
  const shown = element("notice");
  if (shown.textContent !== text) shown.textContent = text;
  shown.hidden = text === "";
}

setInterval(() => { tick(); notice(); }, 200);
draw();
