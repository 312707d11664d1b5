// @ts-check
// What everybody has won, drawn and lost.

import { ask, sentenceOf } from "./api.js";
import { at, fill, h } from "./dom.js";
import { begin, onLanguage, say } from "./i18n.js";
import { tally } from "./margin.js";
import { button } from "./telling.js";

const COLUMNS = ["column-wins", "column-draws", "column-losses", "column-points", "column-streak"];

/** @param {any} player */
function row(player) {
  const numbers = [player.wins, player.draws, player.losses, player.points, player.longest_streak];
  const cells = numbers.map((number, column) => h("td", { role: "cell", class: "num", "data-label": say(COLUMNS[column]) }, number));
  return h("tr", { role: "row" }, h("th", { role: "rowheader", scope: "row", class: "main name" }, player.called), h("td", { role: "cell" }, tally(player.wins)), ...cells);
}

async function render() {
  const { players, damaged } = await ask("/api/scores");
  if (!players.length) return fill(at("list"), h("p", { class: "empty" }, say("no-scores")), h("p", { class: "acts" }, h("a", { class: "button primary", href: "/" }, say("web-choose-game"))));
  const heads = COLUMNS.map(id => h("th", { role: "columnheader", scope: "col", class: "num" }, say(id)));
  const head = h("tr", { role: "row" }, h("th", { role: "columnheader", scope: "col" }, say("column-player")), h("td", { role: "cell" }), ...heads);
  const table = h("table", { class: "wide", role: "table" }, h("thead", { role: "rowgroup" }, head), h("tbody", { role: "rowgroup" }, ...players.map(row)));
  fill(at("list"), h("div", { class: "tablebox", tabindex: "0", role: "region", "aria-label": say("web-scores") }, table), damaged ? h("p", { class: "fact" }, say("web-damaged", { count: damaged })) : null);
}

function load() {
  render().catch(error => fill(at("list"), h("p", { class: "empty", role: "alert" }, sentenceOf(error)), h("p", { class: "acts" }, button("web-try-now", load, "primary"))));
}

await begin();
onLanguage(load);
