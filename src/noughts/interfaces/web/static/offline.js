// The page for playing without a network: at one device, or against the computer in the browser. The game is
// stored in this browser only, and nothing is sent.

import { copy, pause } from "./api.js";
import { action, choiceButtons, confirmAim } from "./action_bar.js";
import { Board } from "./board.js";
import { chooseMove } from "./computer.js";
import { tapConfirms } from "./device.js";
import { at, fill, h, listenForEscape, restoreFocus } from "./dom.js";
import { has, onLanguage, paragraph, readStored, say, writeStored } from "./i18n.js";
import { legendSection } from "./legend.js";
import { movesSection, playerItem, playersSection } from "./margin.js";
import { MoveInput } from "./move_input.js";
import { BOARDS, GAMES, OTHERS } from "./offline_games.js";
import { begin } from "./page.js";
import { listenForSteps, plyAfter, stepsOf } from "./ply_steps.js";
import { annotationsOf, lastCells, legalMoves, markToPlace } from "./rule_signs.js";
import { FlipGame, LineGame, newGame } from "./rules.js";
import { button, endTitle, writeHeading } from "./status_texts.js";

/**
 * @typedef {import("./offline_games.js").OfflineGame} OfflineGame
 * @typedef {{move: number, text: string, side: string}} Made
 * @typedef {{game: string, moves: string[], own: number | null}} Stored
 */
/**
 * @typedef {object} Table a game in progress
 * @property {OfflineGame} offered
 * @property {import("./rules.js").Game} game
 * @property {Made[]} made
 * @property {number | null} own the side of the reader against the computer, or null if all sides are here
 */

const PAGE = "/offline";
const STORED = "noughts-offline";
const NAME = "noughts-name";
const THINKING = 500; // milliseconds
const EVERY = 10_000; // milliseconds between two requests to a server that does not answer
const BEFORE_REPLY = 300; // milliseconds, so that the reader sees both moves
const COMPUTER = "computer";
const DRAWS = { full: "draw-full", repetition: "draw-repetition", both: "draw-both", count: "draw-count" };

/** @type {Table | null} */ let table = null;
/** @type {number | null} The earlier ply that is shown. */ let past = null;
let message = "";
let wasLost = false;
/** Whether the server answers. The service worker shows this page in place of another one only if it does not. */
let isReached = location.pathname === PAGE;

const board = new Board(at("board"), { choose, aim: render, confirms: tapConfirms }, 410);
const input = new MoveInput(board, { legal, made: playText, changed: showInput }, "panel");

/** @param {OfflineGame} offered @param {Made[]} made */
function replay({ rules }, made) {
  const game = newGame(rules);
  for (const { move } of made) game.play(move);
  return game;
}

/** The game, which must be there. */
function present() {
  if (!table) throw new Error("no game has begun");
  return table;
}

const ply = () => past ?? present().made.length;

/** Return true if the reader may move now. @param {Table} table */
const isOwnTurn = ({ game, own }) => !game.outcome && past === null && (own === null || own === game.turn);

function legal() {
  return table && isOwnTurn(table) ? legalMoves(table.game) : [];
}

// Storage

function store() {
  const { offered, made, own } = present();
  writeStored(STORED, JSON.stringify({ game: offered.name, moves: made.map(({ text }) => text), own }));
}

/** Return the stored game, or null. Moves of other rules, from an earlier version, are dropped. */
function storedTable() {
  try {
    /** @type {Stored} */ const stored = JSON.parse(readStored(STORED) || "null");
    const offered = GAMES.find(({ name }) => name === stored.game);
    if (!offered) return null;
    const opened = { offered, game: newGame(offered.rules), made: [], own: stored.own };
    for (const move of stored.moves) if (!playIn(opened, move)) break;
    return opened;
  } catch {
    return null; // nothing is stored, or something else
  }
}

/**
 * Make a move, and return true if it is legal.
 * @param {Table} table
 * @param {string} text
 */
function playIn({ game, made }, text) {
  const move = game.moves().find((one) => game.textOf(one) === text);
  if (move === undefined) return false;
  made.push({ move, text, side: game.rules.sides[game.turn] });
  game.play(move);
  return true;
}

// Moves

/** @param {string} name */
function start(name) {
  const offered = GAMES.find((one) => one.name === name);
  if (!offered) return;
  const isAlone = chosen("against") === "here";
  const own = chosen("first") === COMPUTER ? offered.sides.length - 1 : 0;
  open({ offered, game: newGame(offered.rules), made: [], own: isAlone ? null : own });
}

/** Show a game, or the choice of a game. @param {Table | null} opened */
function show(opened) {
  table = opened;
  past = null;
  input.said = [];
  message = "";
  scrollTo(0, 0);
  render();
  think();
}

/** @param {Table} opened */
function open(opened) {
  show(opened);
  store();
}

/** Return the value of the checked button of a group. @param {string} name */
function chosen(name) {
  const checked = document.querySelector(`input[name=${name}]:checked`);
  return checked instanceof HTMLInputElement ? checked.value : "";
}

/** @param {number} index */
function choose(index) {
  if (input.point(index) || !table || !isOwnTurn(table)) return;
  const cell = board.space.board.names[index];
  message = say(input.whyNot(table.game.marks(), index), { cell, said: input.name });
  render();
}

/** @param {string} text */
function playText(text) {
  message = "";
  board.aiming.at = null;
  if (!playIn(present(), text)) return;
  store();
  render();
  think();
}

function showInput() {
  message = "";
  render();
}

/** Let the computer move if it is its turn. */
async function think() {
  const now = table;
  if (!now || now.own === null || now.game.outcome || now.game.turn === now.own) return;
  const { length } = now.made;
  await pause(BEFORE_REPLY);
  const move = await chooseMove(replay(now.offered, now.made), THINKING, () => pause(0));
  if (table === now && now.made.length === length) playText(now.game.textOf(move));
}

/** Take the last move back, and moves of the computer before it. */
function takeBack() {
  const { offered, made, own } = present();
  do made.pop(); while (own !== null && made.length && replay(offered, made).turn !== own);
  open({ offered, game: replay(offered, made), made, own });
}

/** Start the same game again. The other side begins against the computer. */
function again() {
  const { offered, own } = present();
  const next = own === null ? null : (own + offered.sides.length - 1) % offered.sides.length;
  open({ offered, game: newGame(offered.rules), made: [], own: next });
}

// Display

/** Show the state of the network. A page of the server that was asked for can be opened again. */
function showNetwork() {
  wasLost ||= !isReached;
  const state = !navigator.onLine ? "offline-no-network" : isReached ? "offline-network" : "web-unreachable";
  at("network").hidden = !wasLost;
  const isAsked = location.pathname !== PAGE;
  const act = isReached && isAsked ? button("offline-open", () => location.reload()) : null;
  fill(at("network"), say(state), " ", act);
}

/** Ask the server for a small file, to know whether it answers again. */
async function look() {
  const answer = await fetch("/static/icon.svg", { method: "HEAD", cache: "no-store" }).catch(() => null);
  isReached = answer?.ok ?? false;
  showNetwork();
}

function lose() {
  isReached = false;
  showNetwork();
}

function render() {
  at("page").classList.toggle("home", !table);
  at("page").classList.toggle("game", Boolean(table));
  at("choice").hidden = Boolean(table);
  // The board does not move then if the network is lost or comes back.
  if (table) at("panel").after(at("network"));
  else at("choice").before(at("network"));
  for (const id of ["board", "panel"]) at(id).hidden = !table;
  at("bar").hidden = !table;
  if (table) renderGame(table);
  else renderChoice();
}

function renderChoice() {
  writeHeading(at("status"), { side: null, title: say("offline-title"), about: "" });
  fill(at("panel"));
  const begun = storedTable();
  at("begun").hidden = !begun || Boolean(begun.game.outcome);
  fill(at("begun"), button("web-past-live", () => show(begun), "primary"));
  const others = OTHERS.map((name) => say(`title-${name}`));
  fill(
    at("margin"),
    h("p", { class: "fact" }, say("offline-about")),
    h("p", { class: "fact" }, say("offline-others", { games: others })),
  );
}

/** @param {Table} table */
function renderGame({ offered, game, made }) {
  const held = document.activeElement;
  const shown = past === null ? game : replay(offered, made.slice(0, past));
  const title = say(`title-${offered.name}`);
  writeHeading(at("status"), headingOf(present()));
  board.show({ ...offered, title, board: BOARDS[offered.board] }, {
    cells: shown.marks(),
    last: lastCells(shown),
    lines: shown.outcome?.lines ?? [],
    turn: shown.outcome ? null : shown.rules.sides[shown.turn],
    annotations: annotationsOf(shown),
    mark: markToPlace(shown),
    open: new Set(input.step.cells),
    said: input.cells,
  });
  fillBar();
  const next = input.picking;
  const picking = next.choices.length
    ? h("div", { class: "acts", role: "group" }, ...choiceButtons(next))
    : null;
  fill(
    at("panel"),
    picking,
    stepsOf({ ply: ply(), last: made.length, open: goTo, address: () => location.pathname }),
    message ? h("p", { class: "note", role: "status" }, message) : null,
  );
  fillMargin(title);
  restoreFocus(held);
}

/** Return the name of a side's player. @param {number} side */
function nameOf(side) {
  const { own } = present();
  if (own === null) return say("default-name-of", { number: side + 1 });
  return side === own ? readStored(NAME) || say("default-name") : say("web-computer");
}

function players() {
  const { offered, own } = present();
  return offered.sides.map((side, number) => ({
    side,
    name: nameOf(number),
    kind: own === null || own === number ? "human" : COMPUTER,
    you: own === number,
  }));
}

/** @param {Table} table */
function headingOf({ offered, game, made, own }) {
  const { outcome, turn } = game;
  const side = offered.sides[turn];
  const title = say(`title-${offered.name}`);
  const tag = `tag-${offered.name}`;
  const about = board.aiming.at !== null
    ? say("web-aim-about")
    : has(tag)
    ? say("title-and-tag", { title, tag: say(tag) })
    : title;
  if (past !== null && past < made.length) {
    const shown = past ? say("web-past-title", { ply: past, of: made.length }) : say("web-past-start");
    return { side: null, title: shown, about: say("web-past-about") };
  }
  if (outcome) return { side: sideOf(outcome.winner), title: titleOfEnd(), about: sentenceOfEnd() };
  if (own === null) return { side, title: say("is-to-move", { player: nameOf(turn) }), about };
  if (own !== turn) return { side, title: say("is-thinking", { player: nameOf(turn) }), about };
  return { side, title: say("your-turn"), about: paragraph([say("web-you-have", { side }), about]) };
}

/** @param {number | null} side */
const sideOf = (side) => (side === null ? null : present().offered.sides[side]);

function titleOfEnd() {
  const { game, own } = present();
  const winner = game.outcome?.winner ?? null;
  if (own !== null && winner !== null) return say(winner === own ? "web-you-won" : "web-you-lost");
  return endTitle({ players: players() }, sideOf(winner), game.outcome?.termination ?? null);
}

/** Return the sentence about the end by the rules. */
function sentenceOfEnd() {
  const { game, made } = present();
  const { winner: number, termination } = game.outcome ?? { winner: null, termination: "full" };
  const count = made.length;
  if (number === null) return say(DRAWS[/** @type {keyof DRAWS} */ (termination)] ?? "over-draw", { count });
  const winner = nameOf(number);
  if (game instanceof FlipGame) {
    const marks = game.cells.filter((mark) => mark !== -1).length;
    const own = game.cells.filter((mark) => mark === number).length;
    return say("wins-by-count", { winner, own, others: marks - own });
  }
  if (termination === "exhausted") return say("wins-exhausted", { winner });
  const last = made.at(-1)?.side ?? "";
  const isByOther = game instanceof LineGame && game.rules.at_full === null && sideOf(number) !== last &&
    !game.rules.turns.length;
  const loser = nameOf(game.rules.sides.indexOf(last));
  return isByOther
    ? say("wins-by-others-line", { winner, loser, count })
    : say("wins-after", { winner, count });
}

function fillBar() {
  const { game, made } = present();
  if (confirmAim(at("bar"), board.aiming.asked)) return;
  const copied = action("offline-copy", "web-bar-record", "record", async () => {
    await copy(record());
    copied.lastChild?.replaceWith(h("span", { role: "status" }, say("web-copied")));
  });
  const canTakeBack = made.some(({ side }) => present().own === null || side === sideOf(present().own));
  fill(
    at("bar"),
    game.outcome ? action("web-rematch", "web-rematch", "rematch", again, { kind: "primary" }) : null,
    canTakeBack ? action("web-take-back", "web-bar-back", "back", takeBack) : null,
    made.length ? copied : null,
    action("web-choose-game", "offline-bar-games", "next", () => show(null)),
  );
}

/** Return the record of the game in the format of noughts.records. */
function record() {
  const { offered, game, made } = present();
  return JSON.stringify({
    version: 1,
    game: offered.name,
    players: Object.fromEntries(players().map(({ side, name }) => [side, name])),
    moves: made.map(({ text }) => text),
    start: null,
    winner: game.outcome ? sideOf(game.outcome.winner) : null,
    termination: game.outcome?.termination ?? null,
  });
}

/** @param {string} title */
function fillMargin(title) {
  const { offered, game, made } = present();
  const { sides } = annotationsOf(game);
  const items = players().map((player, number) =>
    playerItem(player, {
      isToMove: !game.outcome && game.turn === number,
      lead: sides[player.side]?.[0].slice("lead:".length),
    })
  );
  const moves = made.map(({ move, side }, number) => ({ side, ply: number + 1, name: nameOfMove(move) }));
  const rules = offered.sentences.map(({ id, data }) => say(id, data));
  fill(
    at("margin"),
    playersSection(items),
    legendSection(board),
    movesSection(moves, { current: ply(), open: goTo }),
    h(
      "details",
      { class: "more", "data-key": "rules" },
      h("summary", {}, say("web-rules")),
      h("p", { class: "fact" }, title, ". ", paragraph(rules)),
    ),
    h("p", { class: "fact" }, say("offline-stored")),
  );
}

/** Return the name of a move on the board. @param {number} move */
function nameOfMove(move) {
  const { game, offered } = present();
  const { drops, names } = BOARDS[offered.board];
  const named = game.partsOf(move).map((part) => {
    if (typeof part === "string") return part;
    return drops ? String(part % drops + 1) : names[part];
  });
  if (game instanceof LineGame && game.rules.wild) return named.reverse().join("");
  return named.join("/");
}

/** @param {number} to */
function goTo(to) {
  past = to < present().made.length ? to : null;
  input.said = [];
  message = "";
  render();
}

await begin();
at("choice").addEventListener("click", (event) => {
  const tile = event.target instanceof Element ? event.target.closest("[data-game]") : null;
  if (!tile) return;
  event.preventDefault();
  start(tile.getAttribute("data-game") ?? "");
});
at("against").addEventListener("change", () => (at("first").hidden = chosen("against") === "here"));
listenForSteps((step) => table && goTo(plyAfter(step, ply(), table.made.length)));
listenForEscape(() => {
  input.said = [];
  board.aiming.at = null;
  if (past !== null) goTo(present().made.length);
  else render();
});
table = storedTable();
onLanguage(() => {
  showNetwork();
  render();
});
addEventListener("online", look);
addEventListener("offline", lose);
if (!navigator.onLine) lose();
setInterval(() => isReached || document.hidden || look(), EVERY);
think();
