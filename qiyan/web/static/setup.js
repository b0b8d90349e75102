// Setting one table up: what the camera sees, where the grid lies, who plays, start and stop.
import { glyph, svg } from "./board.js";
import { clockText, remaining } from "./game.js";
import { redraw } from "./redraw.js";
import { Refusal, post, session } from "./request.js";
import { Words, keepLanguage, make, tableOf } from "./words.js";

const CORNERS = ["a0", "i0", "i9", "a9"];
const NAMES = ["Red", "RedTeam", "Black", "BlackTeam", "Event", "Round", "TimeControl"];
const LOOK_EVERY_MS = 1000;
const element = (id) => document.getElementById(id);
const table = tableOf("/setup/");
const at = (what) => `/table/${what}/${encodeURIComponent(table)}`;
const words = await Words.load();
words.fill();
element("table").textContent = table;
element("to-overlay").href = `/overlay/${encodeURIComponent(table)}?lang=${words.language}`;
await session();

let facts = null;
let corners = null; // what is shown: the server's, or what is being dragged
let dragging = null;
let heldUntil = 0; // after a drop the server's older corners are not shown again
let named = false;

const stage = element("stage");
const layer = svg("svg", { "aria-label": words.say("grid_heading") });
const outline = svg("path", { class: "dragged" });
layer.append(outline);
const handles = new Map(CORNERS.map((name) => [name, handle(name)]));
stage.append(layer);

function handle(name) {
  const group = svg("g", { hidden: "" });
  const spot = svg("circle", { class: "corner", tabindex: 0, role: "button", "aria-label": words.say("corner", { name }), "data-corner": name });
  const label = svg("text", {});
  label.textContent = name;
  group.append(spot, label);
  layer.append(group);
  spot.addEventListener("pointerdown", (event) => {
    dragging = name;
    spot.setPointerCapture(event.pointerId);
    event.preventDefault();
    spot.focus();
  });
  spot.addEventListener("pointermove", (event) => {
    if (dragging !== name) return;
    corners[name] = fromScreen(event);
    drawGrid();
  });
  spot.addEventListener("pointerup", () => { if (dragging === name) drop(); });
  spot.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!step || !corners) return;
    event.preventDefault();
    const by = event.shiftKey ? 10 : 1;
    corners[name] = [corners[name][0] + by * step[0], corners[name][1] + by * step[1]];
    heldUntil = performance.now() + 3000;
    drawGrid();
    clearTimeout(handle.timer);
    handle.timer = setTimeout(drop, 500);
  });
  return group;
}

function fromScreen(event) {
  const box = layer.getBoundingClientRect();
  const [width, height] = facts.picture.size_wh;
  return [(event.clientX - box.left) / box.width * width, (event.clientY - box.top) / box.height * height];
}

function drawGrid() {
  if (!corners || !facts?.picture) return;
  const [width, height] = facts.picture.size_wh;
  layer.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const unit = width / 100;
  outline.setAttribute("d", linesThrough(corners));
  outline.setAttribute("stroke-width", unit * 0.15);
  for (const name of CORNERS) {
    const [x, y] = corners[name];
    const group = handles.get(name);
    group.removeAttribute("hidden");
    const [spot, label] = group.children;
    for (const [key, value] of Object.entries({ cx: x, cy: y, r: unit * 2, "stroke-width": unit * 0.4 })) spot.setAttribute(key, value);
    for (const [key, value] of Object.entries({ x: x + unit * 2.2, y: y - unit, "font-size": unit * 2.6, "stroke-width": unit * 0.5 })) label.setAttribute(key, value);
  }
  stage.dataset.corners = JSON.stringify(corners);
}

// The board's outer lines, river banks and middle file through four corners: the projective map of a square on them.
function linesThrough(of) {
  const map = squareTo(CORNERS.map((name) => of[name]));
  const line = (a, b) => `M${map(a[0] / 8, a[1] / 9).join(" ")}L${map(b[0] / 8, b[1] / 9).join(" ")}`;
  let path = "";
  for (let rank = 0; rank <= 9; rank++) path += line([0, rank], [8, rank]);
  for (let file = 0; file <= 8; file++) {
    path += file === 0 || file === 8 ? line([file, 0], [file, 9]) : line([file, 0], [file, 4]) + line([file, 5], [file, 9]);
  }
  return path;
}

// Heckbert's map of the unit square: (0,0) (1,0) (1,1) (0,1) to four points.
function squareTo([[x0, y0], [x1, y1], [x2, y2], [x3, y3]]) {
  const dx1 = x1 - x2, dx2 = x3 - x2, dx3 = x0 - x1 + x2 - x3;
  const dy1 = y1 - y2, dy2 = y3 - y2, dy3 = y0 - y1 + y2 - y3;
  const whole = dx1 * dy2 - dx2 * dy1 || 1e-9;
  const g = (dx3 * dy2 - dx2 * dy3) / whole;
  const h = (dx1 * dy3 - dx3 * dy1) / whole;
  const [a, b, d, e] = [x1 - x0 + g * x1, x3 - x0 + h * x3, y1 - y0 + g * y1, y3 - y0 + h * y3];
  return (u, v) => {
    const w = g * u + h * v + 1;
    return [(a * u + b * v + x0) / w, (d * u + e * v + y0) / w];
  };
}

async function send(what, body, done) {
  try {
    await post(at(what), body);
    if (done) tell(words.say(done));
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    tell(error.words(words));
    return false;
  }
}

async function drop() {
  dragging = null;
  heldUntil = performance.now() + 3000;
  const rounded = Object.fromEntries(CORNERS.map((name) => [name, corners[name].map((v) => Math.round(v * 100) / 100)]));
  if (!(await send("corners", { corners_px: rounded }, "grid_set"))) heldUntil = 0;
}

function tell(text) {
  element("said").textContent = text;
}

async function look() {
  try {
    const answer = await fetch(at("look"));
    if (answer.status === 401) await session();
    const data = await answer.json();
    if (!answer.ok) {
      pictureState(false, words.say(data.error, { detail: data.detail }));
      return;
    }
    facts = data;
    element("connection").classList.remove("bad");
    element("connection").textContent = `● ${words.say("connected")}`;
    draw();
  } catch {
    element("connection").classList.add("bad");
    element("connection").textContent = words.say("server_away");
  }
}

function draw() {
  drawPicture();
  drawWarnings();
  drawPieces();
  drawClock();
  drawNames();
  const running = facts.recording || facts.elsewhere;
  element("recording").textContent = words.say(facts.recording ? "is_recording" : facts.elsewhere ? "is_recorded_elsewhere" : "is_not_recording");
  element("trouble").hidden = !facts.trouble;
  if (facts.trouble) element("trouble").textContent = words.say(facts.trouble.code, facts.trouble);
  element("start").disabled = running || !facts.source;
  element("stop").disabled = !facts.recording;
  element("find").disabled = element("red-side").disabled = running;
}

function drawPicture() {
  const picture = facts.picture;
  if (!picture) {
    pictureState(false, facts.source ? words.say("no_picture_yet", { detail: facts.source }) : words.say("no_camera_set"));
    return;
  }
  if (!facts.live && !facts.source) pictureState(false, `${words.say("picture_old", { age: Math.round(facts.age_s) })} ${words.say("no_camera_set")}`);
  else pictureState(facts.live, words.say(facts.live ? "picture_live" : "picture_old", { age: Math.round(facts.age_s) }));
  const image = element("picture");
  const next = `${at("picture")}?at=${picture.unix_s}`;
  if (image.getAttribute("src") !== next) image.src = next;
  image.hidden = false;
  image.alt = words.say("setup_picture");
  if (!dragging && performance.now() > heldUntil) {
    const [width, height] = picture.size_wh;
    corners = picture.corners_px ? structuredClone(picture.corners_px) : corners
      ?? { a0: [width * 0.2, height * 0.9], i0: [width * 0.8, height * 0.9], i9: [width * 0.8, height * 0.1], a9: [width * 0.2, height * 0.1] };
    drawGrid();
  }
  if (picture.red_side && document.activeElement !== element("red-side")) element("red-side").value = picture.red_side;
}

function pictureState(good, text) {
  element("picture-state").className = good ? "good" : "problem";
  element("picture-state").textContent = text;
}

function drawWarnings() {
  const warnings = facts.picture?.warnings ?? [];
  const lines = warnings.map((warning) => make("p", { class: "problem", "data-warning": warning.code }, `▲ ${words.say(`warning_${warning.code}`, { points: warning.points.join(", ") })}`));
  if (!lines.length) lines.push(make("p", { class: facts.picture ? "good" : "quiet" }, facts.picture ? `✓ ${words.say("picture_good")}` : "…"));
  redraw(element("warnings"), lines);
}

function drawPieces() {
  const pieces = facts.picture?.pieces;
  if (!pieces) { redraw(element("pieces"), [make("p", { class: "quiet" }, words.say("pieces_unread"))]); return; }
  const shown = (letter) => letter ? `${words.say(letter === letter.toUpperCase() ? "side_red" : "side_black")} ${glyph(letter)}` : words.say("piece_none");
  const lines = pieces.wrong.length
    ? [make("p", { class: "problem" }, `▲ ${words.say("pieces_wrong", { count: pieces.wrong.length })}`),
      make("ul", {}, ...pieces.wrong.map((one) => make("li", { "data-wrong": one.point }, words.say("piece_expected", { point: one.point, expected: shown(one.expected), seen: shown(one.seen) }))))]
    : [make("p", { class: "good" }, `✓ ${words.say("pieces_right")}`)];
  if (pieces.doubts.length) lines.push(make("p", { class: "quiet" }, words.say("piece_doubt", { points: pieces.doubts.join(", ") })));
  redraw(element("pieces"), lines);
}

function drawClock() {
  const before = facts.live ? facts.picture?.clock : null; // heard by the preview, before recording
  const game = { clock: facts.clock };
  const times = before?.state === "heard" ? [before.red_s, before.black_s]
    : facts.clock ? ["red", "black"].map((side) => remaining(game, side, facts.now_s)) : null;
  const [good, text] = before?.state === "away" ? [false, words.say("clock_away", { source: facts.clock_source, detail: before.why })]
    : before?.state === "silent" ? [false, words.say("clock_silent", { source: facts.clock_source })]
    : !before && facts.clock?.event === "lost" ? [false, words.say("clock_lost")]
    : times ? [true, words.say("clock_shows", { red: clockText(times[0]), black: clockText(times[1]) })]
    : [null, facts.clock_source ? words.say("clock_waiting", { source: facts.clock_source }) : words.say("clock_none")];
  element("clock").className = good === null ? "quiet" : good ? "good" : "problem";
  element("clock").textContent = `${good === null ? "" : good ? "✓ " : "▲ "}${text}`;
}

function drawNames() {
  if (named) return;
  named = true;
  element("names").append(make("div", { class: "pairs" }, ...NAMES.map((tag) => make("label", {}, make("span", {}, words.say(`name_${tag}`)),
    make("input", { name: tag, maxlength: 80, value: facts.names[tag] ?? (tag === "TimeControl" ? facts.control ?? "" : "") })))),
  make("button", {}, words.say("save")), make("p", { id: "names-said", role: "status" }));
}

element("names").addEventListener("submit", async (event) => {
  event.preventDefault();
  await send("names", Object.fromEntries(new FormData(element("names"))), "names_saved");
  element("names-said").textContent = element("said").textContent;
});
element("language").addEventListener("click", () => keepLanguage(words.language === "zh" ? "en" : "zh"));
element("find").addEventListener("click", () => { heldUntil = 0; send("find", {}, "searching"); });
element("red-side").addEventListener("change", () => send("red_side", { red_side: element("red-side").value }, "grid_set"));
element("start").addEventListener("click", async () => { await send("start", {}, "is_recording"); look(); });
element("stop").addEventListener("click", async () => {
  if (!confirm(words.say("stop_sure"))) return;
  await send("stop", {}, "is_not_recording");
  look();
});

await look();
setInterval(look, LOOK_EVERY_MS);
