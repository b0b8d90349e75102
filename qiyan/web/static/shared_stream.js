// A page's part in the stream that all pages of the browser share; a stream of its own where they cannot share one.
import { DEAF_AFTER_MS, Stream } from "./follow.js";

const SHARE_AGAIN_MS = 3 * DEAF_AFTER_MS; // a worker that says nothing for so long may have ended: a new one is begun

export class SharedStream {
  // `follow`: { kind, of, address }: see shared.js; `address` is that of a stream of its own.
  constructor(follow, handlers, onGone = () => {}) {
    this.follow = { kind: follow.kind, of: follow.of ?? null };
    this.address = follow.address;
    this.handlers = handlers;
    this.onGone = onGone;
    this.heard = performance.now();
    this.own = null;
    this.#share();
    setInterval(() => {
      if (!this.own && Math.min(this.silentMs, performance.now() - this.shared) > SHARE_AGAIN_MS) this.#share();
    }, 3000);
    addEventListener("pagehide", () => this.#leave());
    // A page that is gone back to begins anew.
    addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  }

  get silentMs() {
    return this.own ? this.own.silentMs : performance.now() - this.heard;
  }

  again() {
    if (this.own) this.own.again();
    else this.port?.postMessage({ follow: this.follow });
  }

  #share() {
    this.port?.postMessage({ leave: true });
    this.shared = performance.now();
    clearTimeout(this.timer);
    let worker;
    try {
      worker = new SharedWorker(new URL("./shared.js", import.meta.url), { type: "module" });
    } catch {
      this.#alone(); // this browser knows none
      return;
    }
    worker.addEventListener("error", () => this.#alone());
    this.port = worker.port;
    this.port.onmessage = ({ data }) => this.#take(data);
    this.again();
    this.timer = setTimeout(() => this.#alone(), DEAF_AFTER_MS);
  }

  #take({ name, data, gone }) {
    clearTimeout(this.timer); // it works: from here on it is the worker that sees to the connection
    if (this.own) return;
    if (name === "missing") { this.heard = performance.now(); this.onGone(404); return; }
    if (name === undefined) { this.onGone(gone); return; }
    this.heard = performance.now();
    this.handlers[name]?.(data);
  }

  #alone() {
    clearTimeout(this.timer);
    this.port?.postMessage({ leave: true });
    this.own ??= new Stream(this.address, this.handlers, this.onGone);
  }

  #leave() {
    clearTimeout(this.timer);
    this.port?.postMessage({ leave: true });
    this.own?.close();
  }
}
