// The pages with lists: the history, whose games open as replays, and the scoreboard. Explicit roles keep
// the table readable where CSS shows rows as cards.

import { ask, errorSentence } from "./api.js";
import { glyph } from "./board_drawing.js";
import { at, fill, formAt, h } from "./dom.js";
import { dayOf, onLanguage, say } from "./i18n.js";
import { tally } from "./margin.js";
import { begin } from "./page.js";
import { playedGames } from "./stored_seats.js";
import { button } from "./status_texts.js";

/** @type {["wins" | "draws" | "losses" | "points" | "longest_streak", string][]} */
const NUMBERS = [
  ["wins", "column-wins"],
  ["draws", "column-draws"],
  ["losses", "column-losses"],
  ["points", "column-points"],
  ["longest_streak", "column-streak"],
];

/**
 * @typedef {{rows: HTMLElement[][], names?: string[], before?: number | null, damaged: number}} Part of a
 * list
 */
/**
 * @typedef {object} List
 * @property {(query: string) => Promise<Part>} read requests further rows
 * @property {string} title
 * @property {string} none the sentence about an empty list
 * @property {[id?: string, kind?: string][]} heads the column headings
 */

/** @type {Record<string, List>} */
const LISTS = {
  history: {
    read: async (query) => {
      const own = playedGames().join(","); // players see their private games too
      const { games, before, damaged } = await ask(`/api/games?${query}${own && `&own=${own}`}`);
      const names = games.flatMap(({ players }) => players.map(({ name }) => name));
      return { rows: games.map(gameCells), names, before, damaged };
    },
    title: "web-history",
    none: "web-no-games",
    heads: [
      ["column-id", "num"],
      ["column-game"],
      ["column-players"],
      ["column-moves", "num"],
      ["column-end"],
      ["web-day"],
    ],
  },
  scores: {
    read: async (query) => {
      const { players, damaged } = await ask(`/api/scores?${query}`);
      return { rows: players.map(playerCells), damaged };
    },
    title: "web-scores",
    none: "no-scores",
    heads: [["column-player"], [], ...NUMBERS.map(([, id]) => /** @type {[string, string]} */ ([id, "num"]))],
  },
};
const kind = at("list").dataset.list ?? "";
const list = LISTS[kind];

/** @param {Api.HistoryEntry} game */
function gameCells(game) {
  const players = game.players.map((player) =>
    h(
      "span",
      { class: "player-name" },
      glyph(player.side),
      h("span", { class: player.side === game.winner ? "name won" : "name" }, player.name),
    )
  );
  const link = h("a", { href: game.link, "data-key": `game-${game.id}` }, game.title);
  const note = game.visibility === "public" ? "" : h("small", {}, ` ${say("web-private")}`);
  return [
    cell("num id", say("column-id"), game.id),
    cell("main name", "", link, note),
    cell("full", "", ...players),
    cell("num", say("column-moves"), game.plies),
    cell("end", "", game.ended),
    cell("day", "", dayOf(game.created)),
  ];
}

/** @param {Api.ScoreRow} player */
function playerCells(player) {
  return [
    h("th", { role: "rowheader", scope: "row", class: "main name" }, player.called),
    h("td", { role: "cell", class: "strokes" }, tally(player.wins)),
    ...NUMBERS.map(([field, id]) => cell("num", say(id), player[field])),
  ];
}

/** @type {HTMLElement[][]} The cells of each row. */ let rows = [];
/** @type {Set<string>} The names of players in the rows. */ const names = new Set();
/** @type {number | null} */ let before = null;
let damaged = 0;
let requests = 0;
const filters = formAt("filters");

/** The fields of the filter. */
const FIELDS = [...filters.elements]
  .filter((field) => field instanceof HTMLInputElement || field instanceof HTMLSelectElement)
  .filter((field) => field.name);

/** @param {string} kind @param {string} label @param {...(Node | string | number)} children */
function cell(kind, label, ...children) {
  return h("td", { role: "cell", class: kind, "data-label": label }, ...children);
}

/** Return the filter in the address. */
const wanted = () => chosenOf(new URLSearchParams(location.search));

/** @param {Iterable<[string, FormDataEntryValue]>} fields */
function chosenOf(fields) {
  const texts = [...fields].map(([name, value]) => [name, String(value)]);
  const chosen = texts.filter(([name, text]) => FIELDS.some((field) => field.name === name) && text.trim());
  return new URLSearchParams(chosen).toString();
}

/** Write the filter into the address and load its rows. */
function choose() {
  const query = chosenOf(new FormData(filters));
  if (query === wanted()) return;
  history.pushState(null, "", query ? `?${query}` : location.pathname);
  load();
}

/** Show the filter of the address in the fields. */
function fillFilters() {
  const query = new URLSearchParams(wanted());
  for (const field of FIELDS) field.value = query.get(field.name) ?? "";
}

function render() {
  if (!rows.length && wanted()) {
    return fill(
      at("list"),
      h("p", { class: "empty" }, say("web-no-game-fits")),
      h(
        "p",
        { class: "acts" },
        h("a", { class: "button primary", href: location.pathname }, say("web-show-all")),
      ),
    );
  }
  if (!rows.length) {
    return fill(
      at("list"),
      h("p", { class: "empty" }, say(list.none)),
      h("p", { class: "acts" }, h("a", { class: "button primary", href: "/" }, say("web-choose-game"))),
    );
  }
  const suggested = document.getElementById("names");
  if (suggested) fill(suggested, ...[...names].map((name) => h("option", { value: name })));
  const heads = list.heads.map(([id, kind]) =>
    id ? h("th", { role: "columnheader", scope: "col", class: kind }, say(id)) : h("td", { role: "cell" })
  );
  const body = rows.map((cells) => h("tr", { role: "row" }, ...cells));
  const table = h(
    "table",
    { class: `wide ${kind}`, role: "table" },
    h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, ...heads)),
    h("tbody", { role: "rowgroup" }, ...body),
  );
  const older = before === null
    ? null
    : h("p", { class: "acts" }, button("web-older", () => more().catch(complain)));
  fill(
    at("list"),
    h("div", { class: "tablebox", tabindex: "0", role: "region", "aria-label": say(list.title) }, table),
    older,
    damaged ? h("p", { class: "fact" }, say("web-damaged", { count: damaged })) : null,
  );
}

/** @param {unknown} error */
function complain(error) {
  fill(
    at("list"),
    h("p", { class: "empty", role: "alert" }, errorSentence(error)),
    h("p", { class: "acts" }, button("web-try-now", load, "primary")),
  );
}

/** Load further rows. A part without rows is followed by the next one. */
async function more() {
  const question = requests;
  const shown = rows.length;
  do {
    const query = [wanted(), before === null ? "" : `before=${before}`].filter(Boolean).join("&");
    const part = await list.read(query);
    if (question !== requests) return; // the filter has changed meanwhile
    rows = [...rows, ...part.rows];
    for (const name of part.names ?? []) names.add(name);
    before = part.before ?? null;
    damaged += part.damaged;
  } while (rows.length === shown && before !== null);
  render();
}

function load() {
  requests++;
  rows = [];
  names.clear();
  before = null;
  damaged = 0;
  more().catch(complain);
}

await begin();
filters.addEventListener("change", choose);
filters.addEventListener("submit", (event) => (event.preventDefault(), choose()));
addEventListener("popstate", () => (fillFilters(), load()));
onLanguage(load);
