// @ts-check
// The finished games, newest first; each opens its replay.
// The roles are told to readers of the screen also where the style shows rows as notes.

import { ask, sentenceOf } from "./api.js";
import { glyph } from "./drawing.js";
import { at, fill, h } from "./dom.js";
import { begin, dayOf, onLanguage, say } from "./i18n.js";
import { button } from "./telling.js";

/** @type {any[]} */ let games = [];
/** @type {number | null} */ let before = null;
let damaged = 0;

/** @param {string} kind @param {string} label @param {...(Node | string | number)} children */
function cell(kind, label, ...children) {
  return h("td", { role: "cell", class: kind, "data-label": label }, ...children);
}

/** @param {any} game */
function row(game) {
  const players = game.players.map((/** @type {any} */ player) => h("span", { class: "who" }, glyph(player.side), h("span", { class: player.side === game.winner ? "name won" : "name" }, player.name)));
  const link = h("a", { href: game.link, "data-key": `game-${game.id}` }, game.title);
  return h("tr", { role: "row" }, cell("num id", say("column-id"), game.id), cell("main name", "", link), cell("full", "", ...players), cell("num", say("column-moves"), game.plies), cell("", "", game.ended), cell("", "", dayOf(game.created)));
}

function empty() {
  fill(at("list"), h("p", { class: "empty" }, say("web-no-games")), h("p", { class: "acts" }, h("a", { class: "button primary", href: "/" }, say("web-choose-game"))));
}

function render() {
  if (!games.length) return empty();
  const heads = [["column-id", "num"], ["column-game", ""], ["column-players", ""], ["column-moves", "num"], ["column-end", ""], ["web-day", ""]];
  const head = h("tr", { role: "row" }, ...heads.map(([id, kind]) => h("th", { role: "columnheader", scope: "col", class: kind || null }, say(id))));
  const table = h("table", { class: "wide", role: "table" }, h("thead", { role: "rowgroup" }, head), h("tbody", { role: "rowgroup" }, ...games.map(row)));
  fill(at("list"), h("div", { class: "tablebox", tabindex: "0", role: "region", "aria-label": say("web-history") }, table), before === null ? null : h("p", { class: "acts" }, button("web-older", () => more().catch(complain))), damaged ? h("p", { class: "fact" }, say("web-damaged", { count: damaged })) : null);
}

/** @param {unknown} error */
function complain(error) {
  fill(at("list"), h("p", { class: "empty", role: "alert" }, sentenceOf(error)), h("p", { class: "acts" }, button("web-try-now", load, "primary")));
}

async function more() {
  const told = await ask(`/api/games${before === null ? "" : `?before=${before}`}`);
  games = [...games, ...told.games];
  before = told.before;
  damaged += told.damaged;
  render();
}

function load() {
  games = [];
  before = null;
  damaged = 0;
  more().catch(complain);
}

await begin();
onLanguage(load);
