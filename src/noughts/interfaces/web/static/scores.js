// @ts-check
// What everybody has won, drawn and lost.

import { ask } from "./api.js";
import { at, fill, h } from "./dom.js";
import { begin, onLanguage, say } from "./i18n.js";
import { tally } from "./margin.js";
import { computerNamed, isComputer } from "./names.js";

/** @param {any} player */
function row(player) {
  const name = isComputer(player.name) ? computerNamed(player.name) : player.name;
  const numbers = [player.wins, player.draws, player.losses, player.points, player.longest_streak];
  return h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, tally(player.wins)), ...numbers.map(number => h("td", { class: "num" }, number)));
}

async function render() {
  const { players } = await ask("/api/scores");
  if (!players.length) return fill(at("list"), h("p", { class: "empty" }, say("no-scores")), h("p", { class: "acts" }, h("a", { class: "button primary", href: "/" }, say("web-choose-game"))));
  const heads = ["column-wins", "column-draws", "column-losses", "column-points", "column-streak"].map(id => h("th", { scope: "col", class: "num" }, say(id)));
  const head = h("tr", {}, h("th", { scope: "col" }, say("column-player")), h("td", {}), ...heads);
  fill(at("list"), h("div", { class: "tablebox", tabindex: "0", role: "region", "aria-label": say("web-scores") }, h("table", { class: "wide" }, h("thead", {}, head), h("tbody", {}, ...players.map(row)))));
}

await begin();
onLanguage(() => {
  render().catch(() => fill(at("list"), h("p", { class: "empty" }, say("web-unreachable"))));
});
