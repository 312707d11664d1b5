// @ts-check
// The finished games, newest first; each opens its replay.

import { ask } from "./api.js";
import { glyph } from "./drawing.js";
import { at, fill, h } from "./dom.js";
import { begin, dayOf, onLanguage, say } from "./i18n.js";
import { button } from "./telling.js";

/** @type {any[]} */ let games = [];
/** @type {number | null} */ let before = null;

/** @param {any} game */
function row(game) {
  const players = game.players.map((/** @type {any} */ player) => h("span", { class: player.side === game.winner ? "who won" : "who" }, glyph(player.side), player.name));
  const link = h("a", { href: game.link, "data-key": `game-${game.id}` }, game.title);
  return h("tr", {}, h("td", { class: "num" }, game.id), h("td", {}, link), h("td", {}, ...players), h("td", { class: "num" }, game.plies), h("td", {}, game.ended), h("td", {}, dayOf(game.created)));
}

function render() {
  if (!games.length) return fill(at("list"), h("p", { class: "empty" }, say("no-scores")), h("p", { class: "acts" }, h("a", { class: "button primary", href: "/" }, say("web-choose-game"))));
  const heads = [["column-id", "num"], ["column-game", ""], ["column-players", ""], ["column-moves", "num"], ["column-end", ""], ["web-day", ""]];
  const table = h("table", { class: "wide" }, h("thead", {}, h("tr", {}, ...heads.map(([id, kind]) => h("th", { scope: "col", class: kind || null }, say(id))))), h("tbody", {}, ...games.map(row)));
  fill(at("list"), h("div", { class: "tablebox", tabindex: "0", role: "region", "aria-label": say("web-history") }, table), before === null ? null : h("p", { class: "acts" }, button("web-older", more)));
}

async function more() {
  const told = await ask(`/api/games${before === null ? "" : `?before=${before}`}`);
  games = [...games, ...told.games];
  before = told.before;
  render();
}

await begin();
onLanguage(() => {
  games = [];
  before = null;
  more().catch(() => fill(at("list"), h("p", { class: "empty" }, say("web-unreachable"))));
});
