// Runs once for all pages that a browser has open: one stream for all overlays, one for all consoles.
// A browser keeps six connections to a server; with a stream for each page the seventh would wait for ever.
import { Stream } from "./follow.js";

const NAMES = ["about", "state", "entry", "ping", "missing"];
const pages = new Map(); // port -> { kind, of }: which stream it follows, and which table of that stream
const streams = new Map(); // kind -> Stream

self.onconnect = ({ ports: [port] }) => {
  port.onmessage = ({ data }) => {
    const before = pages.get(port);
    if (data.follow) {
      pages.set(port, data.follow);
      begin(data.follow.kind);
    } else if (before) {
      pages.delete(port);
      if (!following(before.kind).length) begin(before.kind);
    }
  };
};

function following(kind) {
  return [...pages].filter(([, page]) => page.kind === kind);
}

// Whoever comes anew needs the whole state, which the server sends at the beginning of a stream; the others bear it.
function begin(kind) {
  streams.get(kind)?.close();
  streams.delete(kind);
  if (!following(kind).length) return;
  let now = null; // the table of which the server speaks; of a console's stream, none
  const tell = (message, all) => {
    for (const [port, page] of following(kind)) if (all || page.of === now) port.postMessage(message);
  };
  const handlers = Object.fromEntries(NAMES.map((name) => [name, (data) => tell({ name, data })]));
  handlers.of = (name) => { now = name; };
  streams.set(kind, new Stream(addressOf(kind), handlers, (status) => { now = null; tell({ gone: status }, true); }));
}

function addressOf(kind) {
  if (kind === "console") return "/arbiter/feed";
  const asked = new Set(following(kind).map(([, page]) => page.of));
  return `/feed/?${[...asked].map((of) => `follow=${encodeURIComponent(of)}`).join("&")}`;
}
