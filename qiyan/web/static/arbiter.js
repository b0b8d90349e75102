// The arbiter's console: all tables, alerts that are seen and heard, and a panel to decide in.
import { Alarm, SEVERITIES } from "./alarm.js";
import { Table, timeOf } from "./hall.js";
import { IncidentPanel } from "./incident.js";
import { redraw } from "./redraw.js";
import { Refusal, post, session } from "./request.js";
import { SharedStream } from "./shared_stream.js";
import { TablePanel } from "./table.js";
import { Words, keepLanguage, make } from "./words.js";

const SHAPES = { breach: "▲", doubt: "◆", notice: "●" };
const OLD_AFTER_S = 8;
const element = (id) => document.getElementById(id);
const words = await Words.load();
words.fill();
const me = await session();
element("who").textContent = me.name;

const tables = new Map();
const alarm = new Alarm(drawSound);
let selected = null; // { table, seq } of an incident, or { table }
let panel = null;
let showAll = false;
let known = loadAcknowledged();
let announced = new Set();
let serverAhead_s = 0;
let begun = false;

const stream = new SharedStream({ kind: "console", address: "/arbiter/feed" }, {
  about(data) {
    const table = tableOf(data.table);
    table.about = data;
    if (document.activeElement !== element("delay")) element("delay").value = data.delay_s / 60;
    draw();
    if (selected?.table === data.table) panel?.refresh();
  },
  state(data) {
    serverAhead_s = data.now_s - Date.now() / 1000;
    tableOf(data.table).begin(data.game, data.private, data.recording_id);
    draw();
    panel?.forget();
    panel?.refresh();
  },
  entry(data) {
    const table = tableOf(data.table);
    if (data.public) table.takePublic(data.public);
    if (data.private) table.takePrivate(data.private);
    draw();
    if (selected?.table !== data.table) return;
    if (data.private?.kind === "decision") panel?.forget();
    panel?.refresh();
  },
  ping(data) {
    serverAhead_s = data.now_s - Date.now() / 1000;
    const before = selected && tableOf(selected.table).pulse.state;
    for (const [name, pulse] of Object.entries(data.pulses)) tableOf(name).pulse = pulse;
    if (selected && tableOf(selected.table).pulse.state !== before) panel.refresh();
    begun = true;
    drawTables();
    drawConnection();
    ring();
  },
}, async () => { await session(); });

function tableOf(name) {
  if (!tables.has(name)) tables.set(name, new Table(name));
  return tables.get(name);
}

// Acknowledging is each console's own affair: it stops the sound here, it decides nothing.
function loadAcknowledged() {
  try { return new Set(JSON.parse(localStorage.getItem("acknowledged") ?? "[]")); } catch { return new Set(); }
}

function keyOf(incident) {
  return `${tableOf(incident.table).recording}:${incident.seq}`;
}

function isOpen(incident) {
  return !tableOf(incident.table).isRuled(incident) && !known.has(keyOf(incident));
}

function acknowledge(incidents) {
  for (const incident of incidents) known.add(keyOf(incident));
  try { localStorage.setItem("acknowledged", JSON.stringify([...known].slice(-2000))); } catch { /* kept for this visit */ }
  draw();
}

function matching() {
  const asked = element("search").value.trim().toLowerCase();
  const all = [...tables.values()].flatMap((table) => table.shown());
  all.sort((a, b) => (b.at ?? "").localeCompare(a.at ?? "") || b.t - a.t || b.seq - a.seq);
  if (asked) return all.filter((incident) => textOf(incident).includes(asked));
  return showAll ? all : all.filter((incident) => tableOf(incident.table).ruling(incident) === null);
}

function textOf(incident) {
  const parts = [incident.table, incident.text.zh, incident.text.en, incident.clause, incident.points.join(" ")];
  parts.push(words.say(`incident_${incident.incident}`), words.say(`severity_${incident.severity}`));
  parts.push(...Object.values(tableOf(incident.table).about.names), ...incident.rulings.map((ruling) => ruling.by));
  return parts.join(" ").toLowerCase();
}

function draw() {
  const incidents = matching();
  const open = [...tables.values()].flatMap((table) => table.shown()).filter(isOpen);
  redraw(element("alerts"), incidents.map((incident) => make("li", {}, alertButton(incident))));
  element("quiet").textContent = words.say(element("search").value || showAll ? "no_match" : "all_quiet");
  element("quiet").hidden = incidents.length > 0;
  const undecided = [...tables.values()].flatMap((table) => table.undecided()).length;
  element("open-count").textContent = countText(open.length, undecided);
  element("acknowledge-all").disabled = open.length === 0;
  element("show").textContent = words.say(showAll ? "show_open" : "show_all");
  element("show").setAttribute("aria-pressed", showAll);
  document.title = `${open.length ? `(${open.length}) ` : ""}${words.say("arbiter_title")} · 棋眼 qiyan`;
  announce(open);
  drawTables();
  ring();
}

function countText(open, undecided) {
  const parts = [open && words.say("open_alerts", { count: open }), undecided && words.say("undecided_alerts", { count: undecided })];
  return parts.filter(Boolean).join(" · ");
}

function alertButton(incident) {
  const table = tableOf(incident.table);
  const ruling = table.ruling(incident);
  const waiting = table.waitingRuling(incident);
  const current = selected?.table === incident.table && selected?.seq === incident.seq;
  return make("button", {
    class: `alert ${incident.severity} ${isOpen(incident) ? "ringing" : ""} ${ruling ? "ruled" : ""}`,
    "data-seq": incident.seq, "data-table": incident.table, "aria-current": String(current),
    on: { click: () => openIncident(incident) },
  },
  make("span", { class: "shape", "aria-hidden": "true" }, SHAPES[incident.severity]),
  make("span", {}, make("span", { class: `tag ${incident.severity}` }, words.say(`severity_${incident.severity}`)),
    ` ${words.say(`incident_${incident.incident}`)}`),
  make("span", { class: "quiet" }, `${words.say("table")} ${incident.table} · ${timeOf(incident)}`),
  make("span", { class: "text" }, incident.text[words.language],
    ruling ? make("b", {}, ` — ${words.say(`ruling_${ruling.ruling}`)}`) : null,
    waiting ? make("b", {}, ` — ${words.say("waiting_ruling", { ruling: words.say(`ruling_${waiting.ruling}`) })}`) : null));
}

// Each new alert is said once to screen readers: a breach at once, the others when there is a pause.
function announce(open) {
  for (const incident of [...open].reverse()) {
    if (announced.has(keyOf(incident))) continue;
    announced.add(keyOf(incident));
    const region = element(incident.severity === "breach" ? "urgent" : "polite");
    region.textContent = `${words.say(`severity_${incident.severity}`)}. ${words.say("table")} ${incident.table}. ${incident.text[words.language]}`;
  }
}

function drawTables() {
  redraw(element("tables"), [...tables.values()].map((table) => {
    const open = table.shown().filter(isOpen).length;
    const undecided = countText(0, table.undecided().length);
    const names = table.about.names;
    const pulse = table.about.trouble ? words.say(table.about.trouble.code, table.about.trouble)
      : words.say(`pulse_${table.pulse.state}`, { age: table.pulse.age_s });
    const unseen = (table.game.view_points ?? []).join(" ");
    const code = unseen ? "view_outside" : `view_${table.game.view}`;
    const view = ["blocked", "camera_moved", "lost"].includes(table.game.view) ? ` · ${words.say(code, { points: unseen })}` : "";
    const result = table.game.result ? words.say(`result_${table.game.result.result}`) : words.say("at_ply", { ply: table.game.moves.length });
    return make("li", {}, make("button", {
      "data-table": table.name, "aria-current": String(selected?.table === table.name),
      on: { click: () => openTable(table.name) },
    },
    open ? make("span", { class: "count", title: words.say("open_alerts", { count: open }) }, String(open)) : null,
    make("b", {}, `${words.say("table")} ${table.name}`), make("br"),
    `${names.Red ?? words.say("side_red")} – ${names.Black ?? words.say("side_black")}`, make("br"),
    make("span", { class: "quiet" }, `${pulse} · ${result}${view}`),
    undecided ? make("span", { class: "undecided" }, undecided) : null));
  }));
}

function openIncident(incident) {
  selected = { table: incident.table, seq: incident.seq };
  acknowledge([incident]);
  panel = new IncidentPanel(element("panel"), words, tableOf(incident.table), incident.seq, decide);
  panel.refresh();
  draw();
  showPanel();
}

function openTable(name) {
  selected = { table: name };
  panel = new TablePanel(element("panel"), words, tableOf(name), decide, () => Date.now() / 1000 + serverAhead_s);
  panel.refresh();
  draw();
  showPanel();
}

// On a tablet held upright the panel lies below the list.
function showPanel() {
  if (element("panel").getBoundingClientRect().top > innerHeight / 2) element("panel").scrollIntoView();
}

async function decide(address, body) {
  const asked = panel;
  const { table } = selected;
  try {
    await post(address, body);
    const live = tableOf(table).pulse.state === "live";
    asked.tell(words.say(live ? "saved" : "waiting_for_recorder"), true);
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    asked.tell(error.words(words));
    return false;
  }
}

function tell(text) {
  element("said").textContent = text;
}

function drawSound() {
  const button = element("sound");
  button.textContent = `${alarm.enabled ? "♪" : "✕"} ${words.say(alarm.enabled ? "sound_on" : "sound_off")}`;
  button.setAttribute("aria-pressed", alarm.enabled);
  button.classList.toggle("main", !alarm.enabled);
}

// At every news as well: browsers slow the timers of a page that nobody sees, not what it is sent.
function ring() {
  const severities = [...tables.values()].flatMap((table) => table.shown()).filter(isOpen).map((one) => one.severity);
  // Whoever listens for alerts has to hear that none can come.
  alarm.tick(new Set(begun && isCutOff() ? [...severities, "doubt"] : severities));
}

function isCutOff() {
  return !begun || stream.silentMs / 1000 > OLD_AFTER_S;
}

function drawConnection() {
  const silent_s = stream.silentMs / 1000;
  const bad = isCutOff();
  element("connection").classList.toggle("bad", bad);
  element("connection").textContent = bad
    ? words.say("disconnected", { age: Math.round(silent_s) }) : `● ${words.say("connected")}`;
}

element("sound").addEventListener("click", async () => {
  await alarm.enable();
  alarm.play("notice");
});
element("language").addEventListener("click", () => keepLanguage(words.language === "zh" ? "en" : "zh"));
element("logout").addEventListener("click", async () => { await post("/arbiter/logout"); location.assign("/login"); });
element("search").addEventListener("input", draw);
element("show").addEventListener("click", () => { showAll = !showAll; draw(); });
element("acknowledge-all").addEventListener("click", () => {
  acknowledge([...tables.values()].flatMap((table) => table.shown()).filter(isOpen));
});
element("delay-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    const { delay_s } = await post("/arbiter/delay", { minutes: Number(element("delay").value) });
    tell(words.say("delay_set", { minutes: delay_s / 60 }));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    tell(error.words(words));
  }
});
element("invite").addEventListener("click", async () => {
  const { token } = await post("/arbiter/invite");
  tell(`${words.say("invite_made")} ${location.origin}/first#${token}`);
});

// The whole console by keyboard; not while somebody types.
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") { event.target.blur(); return; }
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
  const key = event.key.toLowerCase();
  if (key === "/") { event.preventDefault(); element("search").focus(); }
  else if (key === "j" || key === "k") step(key === "j" ? 1 : -1);
  else if (/^[1-9]$/.test(key)) document.querySelectorAll("#tables button")[Number(key) - 1]?.click();
  else if (key === "a" && selected?.seq) acknowledge([tableOf(selected.table).incidents.get(selected.seq)]);
  else panel?.key?.(key);
});

function step(by) {
  const buttons = [...document.querySelectorAll("#alerts .alert")];
  const at = buttons.indexOf(document.activeElement);
  buttons[Math.min(buttons.length - 1, Math.max(0, at + by))]?.focus();
}

setInterval(() => {
  drawConnection();
  ring();
  panel?.tick?.();
}, 500);
drawSound();
drawConnection();
draw();
element("panel").append(make("p", {}, words.say("panel_intro")));
window.qiyanAlarm = alarm; // what was sounded, for tests
document.body.dataset.ready = SEVERITIES.length;
