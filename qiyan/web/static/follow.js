// A stream of the server followed for ever: EventSource, opened anew with growing pauses when it gives up.
const LONGEST_PAUSE_MS = 5000;
export const DEAF_AFTER_MS = 12000; // the server speaks every 3 s

export class Stream {
  // `handlers`: by event name; `onGone(status)`: the address cannot be followed for now; status 0: nobody answers.
  constructor(address, handlers, onGone = () => {}) {
    this.address = address;
    this.handlers = handlers;
    this.onGone = onGone;
    this.pause = 250;
    this.heard = performance.now();
    this.closed = false;
    this.open();
    this.timer = setInterval(() => {
      if (performance.now() - this.heard > DEAF_AFTER_MS && this.source) this.again();
    }, 1000);
  }

  get silentMs() {
    return performance.now() - this.heard;
  }

  open() {
    const source = new EventSource(this.address);
    this.source = source;
    for (const [name, handle] of Object.entries(this.handlers)) {
      source.addEventListener(name, (event) => {
        if (this.source !== source) return;
        this.heard = performance.now();
        this.pause = 250;
        handle(JSON.parse(event.data));
      });
    }
    source.addEventListener("error", () => {
      // CONNECTING: the browser tries again by itself, naming the last id it heard.
      if (this.source === source && source.readyState === EventSource.CLOSED) this.again();
    });
  }

  // Begin anew, without a last id: the server then sends the whole state.
  async again() {
    this.source?.close();
    this.source = null;
    const status = await fetch(this.address, { method: "HEAD", cache: "no-store" })
      .then((answer) => answer.status, () => 0);
    if (this.closed) return;
    this.onGone(status);
    await new Promise((resolve) => setTimeout(resolve, this.pause));
    this.pause = Math.min(LONGEST_PAUSE_MS, this.pause * 2);
    this.heard = performance.now();
    if (!this.closed) this.open();
  }

  close() {
    this.closed = true;
    clearInterval(this.timer);
    this.source?.close();
    this.source = null;
  }
}
