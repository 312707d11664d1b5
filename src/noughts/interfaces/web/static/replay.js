// @ts-check
// A finished game, ply by ply; which one is shown stands in the address.

import { Refusal, ask, copy } from "./api.js";
import { Board } from "./board.js";
import { glyph } from "./drawing.js";
import { at, fill, h, s } from "./dom.js";
import { begin, dayOf, language, onLanguage, paragraph, say } from "./i18n.js";
import { movesSection, playerItem, playersSection } from "./margin.js";
import { button, writeHeading } from "./telling.js";

/** @typedef {{ply: number, value: string, label: string, sentence: string, best: string | null, turn: string | null, moves: any[]}} Worth */

const number = location.pathname.split("/")[2];
const ARROWS = { start: "M7 5V19M18 5L11 12L18 19", back: "M15 5L8 12L15 19", forward: "M9 5L16 12L9 19", end: "M17 5V19M6 5L13 12L6 19" };
const LEVELS = { win: 1, draw: 0, loss: -1 };

/** @type {any} */ let game = null;
/** @type {(string | null)[][]} */ let boards = [];
/** @type {Map<number, Worth>} */ const worths = new Map();
let ply = 0;
let isReviewing = false;
let showsValues = false;
let message = "";

const board = new Board(at("board"), { choose: () => undefined }, 410);

/** The ply that the address names; without one the last. */
function plyOfAddress() {
  const asked = new URLSearchParams(location.search).get("ply");
  const wanted = asked === null || !/^\d{1,7}$/.test(asked) ? boards.length - 1 : Number(asked);
  return Math.min(wanted, boards.length - 1);
}

/** @param {number} to */
function hrefOf(to) {
  return `/g/${number}?ply=${to}`;
}

/** Goes to a ply and writes it into the address. @param {number} to */
function goTo(to) {
  ply = Math.max(0, Math.min(to, boards.length - 1));
  history.replaceState(null, "", hrefOf(ply));
  render();
}

function render() {
  const moves = game.moves;
  const last = ply ? moves[ply - 1].cell : null;
  const isEnd = ply === moves.length;
  const winner = game.winner === null ? null : game.players.find((/** @type {any} */ player) => player.side === game.winner);
  const title = game.winner === null ? say("over-draw") : game.players.length === 1 ? say("over-solved") : say("web-wins", { player: winner?.name ?? "" });
  const about = paragraph([...game.sentences, isEnd ? "" : say("web-see-after", { ply })]);
  writeHeading(at("status"), { side: game.winner, title, about });
  const worth = worths.get(ply);
  const shown = { cells: boards[ply], last: last === null ? [] : [last], lines: isEnd ? game.lines : [], turn: worth?.turn ?? moves[ply]?.side ?? null };
  board.show({ ...game.game, title: game.title }, { ...shown, worths: showsValues && worth ? labelsOf(worth) : undefined });
  fillBelow();
  fillMargin();
}

/** @param {Worth} worth */
function labelsOf(worth) {
  const found = new Map();
  for (const { move, value, label } of worth.moves) {
    const cell = landing(move);
    if (cell !== null && value in LEVELS) found.set(cell, { text: label, worth: value });
  }
  return found;
}

/** The cell of a move as it is typed: a number, of a cell or of a column. @param {string} move */
function landing(move) {
  const space = board.space;
  const typed = Number(move.replace(/^[A-Z]/, "")) - 1;
  if (!space || Number.isNaN(typed)) return null;
  if (!space.drops) return typed;
  const column = boards[ply].map((mark, index) => ({ mark, index })).filter(({ index }) => space.dropOf(index) === typed);
  return column.filter(({ mark }) => mark === null).at(-1)?.index ?? null;
}

/** @param {"start" | "back" | "forward" | "end"} kind @param {number} to */
function step(kind, to) {
  const id = { start: "web-start", back: "web-one-back", forward: "web-one-forward", end: "web-end" }[kind];
  const arrow = s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" }, s("path", { d: ARROWS[kind] }));
  const go = (/** @type {Event} */ event) => (event.preventDefault(), goTo(to));
  return h("a", { href: hrefOf(Math.max(0, Math.min(to, boards.length - 1))), "aria-label": say(id), "data-key": id, click: go }, arrow);
}

function fillBelow() {
  const last = boards.length - 1;
  const steps = h("div", { class: "steps", role: "group", "aria-label": say("web-steps") }, step("start", 0), step("back", ply - 1), h("span", { class: "ply", role: "status" }, say("web-ply-of", { ply, of: last })), step("forward", ply + 1), step("end", last));
  const values = () => {
    showsValues = !showsValues;
    showsValues ? weigh(ply).then(render) : render();
  };
  const asks = h("div", { class: "acts" }, h("button", { type: "button", "data-key": "values", "aria-pressed": String(showsValues), click: values }, say("web-values")), button("web-review", review));
  const told = showsValues || isReviewing ? worths.get(ply)?.sentence : "";
  const note = message || told || (isReviewing ? say("progress-reviewing", { done: worths.size, of: boards.length }) : "");
  fill(at("below"), steps, game.plies ? asks : null, chart(), note ? h("p", { class: "note", role: "status" }, note) : null);
}

/** Three ruled levels and one line through them; at turning points a ring. */
function chart() {
  const known = [...worths.values()].filter(worth => worth.value in LEVELS).sort((one, two) => one.ply - two.ply);
  if (known.length < 2) return null;
  const [left, wide, high] = [104, 236, 24];
  const first = game.game.sides[0];
  const x = (/** @type {number} */ at) => left + (at / (boards.length - 1)) * wide;
  const y = (/** @type {Worth} */ worth) => 14 + (1 - LEVELS[/** @type {"win"} */ (worth.value)] * (worth.turn === first || worth.turn === null ? 1 : -1)) * high;
  const labels = [say("web-chart-wins", { side: first }), say("web-chart-draw"), say("web-chart-wins", { side: game.game.sides[1] ?? "" })].map((text, row) => s("text", { class: "axis", x: left - 8, y: 18 + row * high, "text-anchor": "end", "font-size": 14 }, text));
  const rules = s("path", { class: "thin", d: [0, 1, 2].map(row => `M${left} ${14 + row * high}H${left + wide}`).join("") });
  const line = s("path", { class: "through", d: `M${known.map(worth => `${x(worth.ply)} ${y(worth)}`).join("L")}` });
  const rings = [...turns()].map(at => worths.get(at)).filter(worth => worth && worth.value in LEVELS).map(worth => s("circle", { class: "turnpt", cx: x(/** @type {Worth} */ (worth).ply), cy: y(/** @type {Worth} */ (worth)), r: 6 }));
  const now = s("path", { class: "nowline", d: `M${x(ply)} 4V72` });
  return h("figure", { class: "chartbox" }, s("svg", { class: "chart", viewBox: "0 0 352 78", role: "img", "aria-label": say("web-chart") }, rules, ...labels, now, line, ...rings));
}

/** The plies after which the value is another than before, as the first side sees it. */
function turns() {
  const found = new Set();
  const first = game.game.sides[0];
  const seen = (/** @type {Worth | undefined} */ worth) => (worth && worth.value in LEVELS ? LEVELS[/** @type {"win"} */ (worth.value)] * (worth.turn === first ? 1 : -1) : null);
  for (let at = 1; at < boards.length - 1; at++) {
    const [before, after] = [seen(worths.get(at - 1)), seen(worths.get(at))];
    if (before !== null && after !== null && before !== after) found.add(at);
  }
  return found;
}

/** @param {number} at */
async function weigh(at) {
  if (worths.has(at) || at >= boards.length) return true;
  message = say("searching");
  render();
  try {
    worths.set(at, await ask("/api/analyse", { game: Number(number), ply: at, seconds: 2 }));
    message = "";
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.status === 429) {
      await new Promise(go => setTimeout(go, 2000));
      return weigh(at);
    }
    message = error instanceof Refusal ? error.sentence : say("web-unreachable");
    return false;
  }
}

/** Weighs every position, from the end to the start: the end is quick and tells most. */
async function review() {
  if (isReviewing) return;
  isReviewing = true;
  for (let at = boards.length - 2; at >= 0; at--) {
    if (!(await weigh(at))) break;
    render();
  }
  isReviewing = false;
  render();
}

function fillMargin() {
  const players = game.players.map((/** @type {any} */ player) => {
    const presence = game.winner === null ? "" : say(player.side === game.winner ? "seat-won" : "web-lost");
    return playerItem(player, { presence });
  });
  const flagged = turns();
  const points = [...flagged].map(at => {
    const move = game.moves[at - 1];
    const name = move.cell === null ? say("web-pass") : (board.space?.moveName(move.cell) ?? move.name);
    const go = (/** @type {Event} */ event) => (event.preventDefault(), goTo(at));
    return h("li", {}, h("a", { href: hrefOf(at), "data-key": `turn-${at}`, click: go }, glyph(move.side), ` ${say("web-move", { number: at, move: name })}`), h("span", {}, worths.get(at)?.sentence));
  });
  const keepers = h(
    "div",
    { class: "acts", role: "group", "aria-label": say("web-keep") },
    button("web-copy-link", () => copy(location.origin + hrefOf(ply)).then(() => ((message = say("web-copied")), render()))),
    h("a", { class: "button", href: `/api/games/${number}/picture?lang=${language()}`, download: true }, say("web-save-picture")),
    h("a", { class: "button", href: `/api/games/${number}/record`, download: true }, say("web-save-record")),
  );
  fill(
    at("margin"),
    playersSection(players),
    h("p", { class: "fact" }, say("web-played-on", { game: game.title, day: dayOf(game.created) })),
    movesSection(game.game, game.moves, { current: ply, open: goTo, hrefOf, flagged }),
    points.length ? h("section", { class: "why" }, h("h2", {}, say("web-turning-points")), h("ul", { class: "turns" }, ...points)) : null,
    keepers,
  );
}

/** @param {KeyboardEvent} event */
function press(event) {
  if (event.target instanceof Element && event.target.closest("[role=grid], input, select, textarea, summary")) return;
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === "ArrowLeft") goTo(ply - 1);
  else if (event.key === "ArrowRight") goTo(ply + 1);
}

async function read() {
  game = await ask(`/api/games/${number}`);
  /** @type {(string | null)[]} */ let cells = new Array(game.game.shape.reduce((/** @type {number} */ a, /** @type {number} */ b) => a * b, 1)).fill(null);
  boards = game.boards.map((/** @type {any} */ told) => {
    cells = [...cells];
    for (const [index, mark] of Object.entries(told.changed)) cells[Number(index)] = /** @type {string | null} */ (mark);
    return cells;
  });
}

async function load() {
  await begin();
  onLanguage(async () => {
    try {
      await read();
    } catch (error) {
      at("page").classList.add("wait");
      const isGone = error instanceof Refusal && error.status === 404;
      writeHeading(at("status"), { side: null, title: say("web-no-game"), about: isGone ? say("web-no-game-about") : say("web-unreachable") });
      fill(at("below"), h("div", { class: "acts" }, h("a", { class: "button primary", href: "/history" }, say("web-history")), h("a", { class: "button", href: "/" }, say("web-choose-game"))));
      return;
    }
    worths.clear();
    ply = plyOfAddress();
    render();
    if (showsValues) weigh(ply).then(render);
  });
  addEventListener("keydown", press);
  addEventListener("popstate", () => game && ((ply = plyOfAddress()), render()));
}

load();
