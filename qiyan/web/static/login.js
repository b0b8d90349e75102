// Logging in, and opening an account: the same form, with a token in the second.
import { Refusal, post } from "./request.js";
import { Words, keepLanguage } from "./words.js";

const words = await Words.load();
words.fill();
const form = document.getElementById("form");
const notice = document.getElementById("notice");
document.getElementById("language").addEventListener("click", () => keepLanguage(words.language === "zh" ? "en" : "zh"));
// The token stands in the fragment, which the browser sends to nobody.
if (form.token && location.hash.length > 1) {
  form.token.value = location.hash.slice(1);
  form.token.closest("label").hidden = true;
  form.querySelector('[data-say="first_hint"]').textContent = words.say("bad_password_length");
}

function next() {
  const asked = new URLSearchParams(location.search).get("next") ?? "";
  return `${/^\/(arbiter|setup\/)/.test(asked) ? asked : "/arbiter"}?lang=${words.language}`;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  notice.hidden = true;
  try {
    await post(form.token ? "/first" : "/login", Object.fromEntries(new FormData(form)));
    location.assign(next());
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    notice.textContent = error.words(words);
    notice.hidden = false;
    form.password.value = "";
    form.password.focus();
  }
});
