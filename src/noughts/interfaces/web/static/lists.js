// Pages that are lists: finished games, newest first, each of which opens its replay; and the scoreboard.
// The roles are told to readers of the screen also where the style shows rows as notes.

import { ask, sentenceOf } from "./api.js";
import { glyph } from "./drawing.js";
import { at, fill, h } from "./dom.js";
import { dayOf, onLanguage, say } from "./i18n.js";
import { tally } from "./margin.js";
import { begin } from "./page.js";
import { playedGames } from "./seats.js";
import { button } from "./telling.js";

const NUMBERS = {
  wins: "column-wins",
  draws: "column-draws",
  losses: "column-losses",
  points: "column-points",
  longest_streak: "column-streak",
};

/**
 * What is asked for and under which name it is told, what it is called, what is said of an empty one, the
 * heads of columns, the cells of a row.
 */
const LISTS = {
  history: {
    path: "/api/games",
    told: "games",
    title: "web-history",
    none: "web-no-games",
    heads: [["column-id", "num"], ["column-game"], ["column-players"], ["column-moves", "num"], [
      "column-end",
    ], ["web-day"]],
    cells: (/** @type {any} */ game) => {
      const players = game.players.map((/** @type {any} */ player) =>
        h(
          "span",
          { class: "who" },
          glyph(player.side),
          h("span", { class: player.side === game.winner ? "name won" : "name" }, player.name),
        )
      );
      const link = h("a", { href: game.link, "data-key": `game-${game.id}` }, game.title);
      return [
        cell("num id", say("column-id"), game.id),
        cell(
          "main name",
          "",
          link,
          game.visibility === "public" ? "" : h("small", {}, ` ${say("web-private")}`),
        ),
        cell("full", "", ...players),
        cell("num", say("column-moves"), game.plies),
        cell("end", "", game.ended),
        cell("day", "", dayOf(game.created)),
      ];
    },
  },
  scores: {
    path: "/api/scores",
    told: "players",
    title: "web-scores",
    none: "no-scores",
    heads: [["column-player"], [], ...Object.values(NUMBERS).map((id) => [id, "num"])],
    cells: (/** @type {any} */ player) => {
      const name = h("th", { role: "rowheader", scope: "row", class: "main name" }, player.called);
      return [
        name,
        h("td", { role: "cell", class: "strokes" }, tally(player.wins)),
        ...Object.entries(NUMBERS).map(([key, id]) => cell("num", say(id), player[key])),
      ];
    },
  },
};
const list = LISTS[/** @type {keyof typeof LISTS} */ (at("list").dataset.list)];

/** @type {any[]} */ let rows = [];
/** @type {number | null} */ let before = null;
let damaged = 0;
let asked = 0;
const filters = /** @type {HTMLFormElement} */ (at("filters"));

/** What games are chosen by. */
const FIELDS = /** @type {any[]} */ ([...filters.elements]).filter((field) => field.name);

/** @param {string} kind @param {string} label @param {...(Node | string | number)} children */
function cell(kind, label, ...children) {
  return h("td", { role: "cell", class: kind, "data-label": label }, ...children);
}

/** What of all is asked for; it stands in the address, so each view is a link. */
const wanted = () => chosenOf(new URLSearchParams(location.search));

/** @param {Iterable<[string, any]>} fields */
const chosenOf = (fields) =>
  new URLSearchParams(
    [...fields].filter(([name, value]) => FIELDS.some((field) => field.name === name) && value.trim()),
  ).toString();

/** Writes what is asked for into the address, and looks for it. */
function choose() {
  const query = chosenOf(new FormData(filters));
  if (query === wanted()) return;
  history.pushState(null, "", query ? `?${query}` : location.pathname);
  load();
}

/** Shows in the fields what the address asks for. */
function fillFilters() {
  const asked = new URLSearchParams(wanted());
  for (const field of FIELDS) field.value = asked.get(field.name) ?? "";
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
  const names = document.getElementById("names");
  if (names) {
    fill(
      names,
      ...[...new Set(rows.flatMap((row) => row.players.map((/** @type {any} */ player) => player.name)))].map(
        (name) => h("option", { value: name }),
      ),
    );
  }
  const heads = list.heads.map((
    [id, kind],
  ) => (id
    ? h("th", { role: "columnheader", scope: "col", class: kind }, say(id))
    : h("td", { role: "cell" }))
  );
  const body = rows.map((row) => h("tr", { role: "row" }, ...list.cells(row)));
  const table = h(
    "table",
    { class: `wide ${at("list").dataset.list}`, role: "table" },
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
    h("p", { class: "empty", role: "alert" }, sentenceOf(error)),
    h("p", { class: "acts" }, button("web-try-now", load, "primary")),
  );
}

/**
 * Shows some more; of many that do not fit there may be none among those looked at, and the next are asked
 * for.
 */
async function more() {
  const question = asked;
  const shown = rows.length;
  do {
    // who played them sees private games too
    const own = list === LISTS.history ? playedGames().join(",") : "";
    const query = [wanted(), before === null ? "" : `before=${before}`, own && `own=${own}`].filter(Boolean)
      .join("&");
    const told = await ask(query ? `${list.path}?${query}` : list.path);
    if (question !== asked) return; // somebody has chosen anew in the meantime
    rows = [...rows, ...told[list.told]];
    before = told.before ?? null;
    damaged += told.damaged;
  } while (rows.length === shown && before !== null);
  render();
}

function load() {
  asked++;
  rows = [];
  before = null;
  damaged = 0;
  more().catch(complain);
}

await begin();
filters.addEventListener("change", choose);
filters.addEventListener("submit", (/** @type {Event} */ event) => (event.preventDefault(), choose()));
addEventListener("popstate", () => (fillFilters(), load()));
onLanguage(load);
