// Requests that change something: with the session's token, and with words for what went wrong.
import { askFor } from "./patient.js";

let csrf = null;

export async function session() {
  const { status, data } = await askFor("/arbiter/session", [401]);
  if (status === 401) {
    location.assign(`/login?lang=${document.documentElement.lang}&next=${encodeURIComponent(location.pathname)}`);
    return new Promise(() => {});
  }
  csrf = data.csrf;
  return data;
}

export class Refusal extends Error {
  constructor(code, detail, status) {
    super(code);
    this.code = code;
    this.detail = detail;
    this.status = status;
  }

  words(words) {
    return words.has(this.code) ? words.say(this.code, { detail: this.detail }) : `${this.code} ${this.detail ?? ""}`;
  }
}

export async function post(address, body = {}) {
  let answer;
  try {
    answer = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json", ...(csrf ? { "x-csrf-token": csrf } : {}) },
      body: JSON.stringify(body),
    });
  } catch {
    throw new Refusal("network");
  }
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refusal(data.error ?? "bad_request", data.detail, answer.status);
  return data;
}
