// @ts-check
// A finished game, ply by ply; which one is shown stands in the address.

import { ask, sentenceOf } from "./api.js";
import { Board } from "./board.js";
import { glyph } from "./drawing.js";
import { at, fill, h, s } from "./dom.js";
import { begin, dayOf, onLanguage, paragraph, say } from "./i18n.js";
import { moveNamed, movesSection, playerItem, playersSection } from "./margin.js";
import { withBoard } from "./space.js";
import { addressOf, listenForSteps, plyAfter, plyLink, plyOfAddress, stepsOf, writeAddress } from "./steps.js";
import { button, endTitle, keepers, writeHeading, writeMissing } from "./telling.js";
import { LEVELS, SECONDS, Scales, helpOn, hintSentence } from "./weighing.js";

/** @typedef {import("./weighing.js").Worth} Worth */

const number = location.pathname.split("/")[2];
/** @type {any} */ let game = null;
/** @type {(string | null)[][]} */ let boards = [];
let ply = 0;
let isReviewing = false;
const wanted = { values: false, hint: false };
let message = "";

const board = new Board(at("board"), { choose: () => undefined }, 410);
const scales = new Scales(at => ask("/api/analyse", { game: Number(number), ply: at, seconds: SECONDS }));
const worths = scales.found;

/** The ply that the address names; without one the last. */
const plyWanted = () => Math.min(plyOfAddress() ?? boards.length - 1, boards.length - 1);

/** Goes to a ply and writes it into the address. @param {number} to */
function goTo(to) {
  ply = Math.max(0, Math.min(to, boards.length - 1));
  writeAddress(ply);
  render();
  weighWanted();
}

function render() {
  const moves = game.moves;
  const { last, annotations } = game.boards[ply];
  const isEnd = ply === moves.length;
  const about = paragraph([...game.sentences, isEnd ? "" : say("web-see-after", { ply })]);
  writeHeading(at("status"), { side: game.winner, title: endTitle(game, game.winner), about });
  const worth = worths.get(ply);
  const shown = { cells: boards[ply], last, annotations, lines: isEnd ? game.lines : [], turn: worth?.turn ?? moves[ply]?.side ?? null };
  board.show({ ...game.game, title: game.title }, { ...shown, ...helpOn(wanted, worth) });
  fillBelow();
  fillMargin();
}

function fillBelow() {
  const last = boards.length - 1;
  const steps = stepsOf({ ply, last, open: goTo });
  const press = (/** @type {"values" | "hint"} */ key) => () => {
    wanted[key] = !wanted[key];
    render();
    weighWanted();
  };
  const asks = h("div", { class: "acts" }, button("web-hint", press("hint"), "", wanted.hint), button("web-values", press("values"), "", wanted.values), button("web-review", review));
  const note = message || told() || (isReviewing ? say("progress-reviewing", { done: worths.size, of: boards.length }) : "");
  fill(at("below"), steps, game.plies ? asks : null, chart(), note ? h("p", { class: "note", role: "status" }, note) : null);
}

/** What is known of the position, in a sentence. */
function told() {
  const worth = worths.get(ply);
  if (!worth?.sentence) return "";
  if (wanted.hint) return hintSentence(worth);
  return wanted.values || isReviewing ? worth.sentence : "";
}

function weighWanted() {
  if (wanted.values || wanted.hint) weigh(ply).then(render);
}

/** Three ruled levels and one line through them; at turning points a ring. */
function chart() {
  const known = [...worths.values()].filter(worth => levelOf(worth) !== null).sort((one, two) => one.ply - two.ply);
  if (known.length < 2) return null;
  const turning = turns();
  const [left, wide, high] = [104, 236, 24];
  const first = game.game.sides[0];
  const x = (/** @type {number} */ at) => left + (at / (boards.length - 1)) * wide;
  const y = (/** @type {Worth} */ worth) => 14 + (1 - (levelOf(worth) ?? 0)) * high;
  const labels = [say("web-chart-wins", { side: first }), say("web-chart-draw"), say("web-chart-wins", { side: game.game.sides[1] ?? "" })].map((text, row) => s("text", { class: "axis", x: left - 8, y: 18 + row * high, "text-anchor": "end", "font-size": 14 }, text));
  const rules = s("path", { class: "thin", d: [0, 1, 2].map(row => `M${left} ${14 + row * high}H${left + wide}`).join("") });
  const line = s("path", { class: "through", d: `M${known.map(worth => `${x(worth.ply)} ${y(worth)}`).join("L")}` });
  const rings = known.filter(worth => turning.has(worth.ply)).map(worth => s("circle", { class: "turnpt", cx: x(worth.ply), cy: y(worth), r: 6 }));
  const now = s("path", { class: "nowline", d: `M${x(ply)} 4V72` });
  return h("figure", { class: "chartbox" }, s("svg", { class: "chart", viewBox: "0 0 352 78", role: "img", "aria-label": say("web-chart") }, rules, ...labels, now, line, ...rings));
}

/** What a position is worth to the first side: 1, 0 or -1; null where that is not known. @param {Worth | undefined} worth */
function levelOf(worth) {
  if (!worth || !(worth.value in LEVELS)) return null;
  const level = LEVELS[/** @type {"win"} */ (worth.value)];
  return worth.turn === game.game.sides[0] || worth.turn === null ? level : -level;
}

/** The plies after which the value is another than before, as the first side sees it. */
function turns() {
  const found = new Set();
  for (let at = 1; at < boards.length - 1; at++) {
    const [before, after] = [levelOf(worths.get(at - 1)), levelOf(worths.get(at))];
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
    await scales.weigh(at, at);
    message = "";
    return true;
  } catch (error) {
    message = sentenceOf(error);
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
    return h("li", {}, plyLink(at, goTo, { "data-key": `turn-${at}` }, glyph(move.side), ` ${say("web-move", { number: at, move: moveNamed(move) })}`), h("span", {}, worths.get(at)?.sentence));
  });
  fill(
    at("margin"),
    playersSection(players),
    h("p", { class: "fact" }, say("web-played-on", { game: game.title, day: dayOf(game.created) })),
    movesSection(game.moves, { current: ply, open: goTo, flagged }),
    points.length ? h("section", { class: "why" }, h("h2", {}, say("web-turning-points")), h("ul", { class: "turns" }, ...points)) : null,
    h("div", { class: "acts", role: "group", "aria-label": say("web-keep") }, ...keepers(number, addressOf(ply))),
  );
}

async function read() {
  const told = await ask(`/api/games/${number}`);
  game = { ...told, game: await withBoard(told.game) };
  /** @type {(string | null)[]} */ let cells = game.game.board.names.map(() => null);
  boards = game.boards.map((/** @type {any} */ { changed }) => (cells = cells.map((mark, index) => (index in changed ? changed[index] : mark))));
}

async function load() {
  await begin();
  onLanguage(async () => {
    try {
      await read();
    } catch (error) {
      writeMissing(error, "web-no-game", "web-no-game-about");
      fill(at("below"), h("div", { class: "acts" }, h("a", { class: "button primary", href: "/history" }, say("web-history")), h("a", { class: "button", href: "/" }, say("web-choose-game"))));
      return;
    }
    scales.forget();
    ply = plyWanted();
    render();
    weighWanted();
  });
  listenForSteps(step => game && goTo(plyAfter(step, ply, boards.length - 1)));
  addEventListener("popstate", () => game && ((ply = plyWanted()), render()));
}

load();
