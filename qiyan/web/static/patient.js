// Asking for what a page cannot do without, until it comes; meanwhile the page says that it waits.
const ANSWER_WITHIN_MS = 8000;
const LONGEST_PAUSE_MS = 5000;
// In both languages: it may be the words themselves that have not come.
const WAITING = "服务器没有应答，正在重试 …… · The server does not answer, trying again ...";

// The JSON at `address`; `others`: statuses besides 200 that are an answer too. Returns { status, data }.
export async function askFor(address, others = []) {
  let notice = null;
  for (let pause = 250; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 2)) {
    try {
      const answer = await fetch(address, { cache: "no-store", signal: AbortSignal.timeout?.(ANSWER_WITHIN_MS) });
      if (answer.ok || others.includes(answer.status)) {
        const data = await answer.json();
        notice?.remove();
        return { status: answer.status, data };
      }
    } catch { /* no answer, or half of one: asked again */ }
    if (!notice) {
      notice = document.createElement("p");
      notice.setAttribute("role", "alert");
      notice.className = "problem";
      notice.textContent = WAITING;
      document.body.prepend(notice);
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
