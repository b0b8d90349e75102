// All tables, for whoever looks for an address.
import { Words, keepLanguage, make } from "./words.js";

const words = await Words.load();
words.fill();
const notice = document.getElementById("notice");
document.getElementById("language").addEventListener("click", () => keepLanguage(words.language === "zh" ? "en" : "zh"));

function card(table) {
  const name = encodeURIComponent(table.table);
  const pulse = words.say(`pulse_${table.pulse.state}`, { age: table.pulse.age_s });
  const result = table.result ? words.say(`result_${table.result.result}`) : words.say("at_ply", { ply: table.plies });
  return make("li", { class: "card" },
    make("h2", {}, `${words.say("table")} ${table.table}`),
    make("p", {}, `${table.red ?? words.say("side_red")} – ${table.black ?? words.say("side_black")}`),
    make("p", { class: "quiet" }, `${pulse} · ${result}`),
    make("code", { class: "address" }, `${location.origin}/overlay/${name}?lang=${words.language}`),
    make("p", {},
      make("a", { class: "button", href: `/overlay/${name}?lang=${words.language}` }, words.say("to_overlay")),
      make("a", { class: "button", href: `/pgn/${name}.pgn` }, words.say("to_pgn")),
      make("a", { class: "button", href: `/setup/${name}?lang=${words.language}` }, words.say("to_setup"))));
}

async function look() {
  try {
    const { tables } = await (await fetch("/state/")).json();
    document.getElementById("tables").replaceChildren(...tables.map(card));
    notice.textContent = words.say("index_none");
    notice.hidden = tables.length > 0;
  } catch {
    notice.textContent = words.say("server_away");
    notice.hidden = false;
  }
}

look();
setInterval(look, 3000);
