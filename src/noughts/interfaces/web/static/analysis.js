// The analysis page: any position with variations, values of moves, and a new room from the present
// position.

import { ApiError, ask, errorSentence, openNewRoom, sharedOrigin } from "./api.js";
import { action, choiceButtons, confirmAim, copyAction } from "./action_bar.js";
import { Board } from "./board.js";
import { tapConfirms } from "./device.js";
import { at, fill, h, listenForEscape, picture, restoreFocus, selectAt } from "./dom.js";
import { glyph, valueAt } from "./board_drawing.js";
import { has, onLanguage, paragraph, readStored, say } from "./i18n.js";
import { nameOfMove } from "./margin.js";
import { begin } from "./page.js";
import { MoveInput } from "./move_input.js";
import { withBoard } from "./board_geometry.js";
import { listenForKeys, listenForSteps, stepsOf } from "./ply_steps.js";
import { button, linesNote, writeHeading, writeMissing } from "./status_texts.js";
import { Tree } from "./variation_tree.js";
import { Evaluator, LineFinder, shownHelp } from "./evaluation.js";

/** @typedef {import("./variation_tree.js").Node} Node */
/** @typedef {Api.ExploredMessage & {game: {board: Api.BoardMessage}}} Explored */

const query = new URLSearchParams(location.search);
const game = query.get("game") ?? "tictactoe";
const position = query.get("position");
const SEPARATOR = ",";
const SECONDS = 5;
/**
 * @type {["win" | "draw" | "loss", string, string][]} Sentences about values, with a distance and without.
 */
const SAID = [
  ["win", "web-worth-win", "web-worth-win-bare"],
  ["draw", "web-worth-draw", "web-worth-draw"],
  ["loss", "web-worth-loss", "web-worth-loss-bare"],
];
const NAME = "noughts-name";

// A reader who returns finds all variations.
const tree = new Tree((query.get("moves") ?? "").split(SEPARATOR).filter(Boolean), history.state?.lines);
/** @type {Map<string, Explored>} Positions by the moves that lead there. */
const known = new Map();
/** @type {{name: string, title: string}[]} */ let computers = [];
const wanted = { values: false, hint: false, lines: false };
/** @type {number | null} The cell with the focus or the pointer. */ let pointed = null;
let message = "";
let isSearching = false;

const board = new Board(at("board"), {
  choose,
  move: point,
  aim: render,
  confirms: tapConfirms,
  explores: () => wanted.lines,
}, 410);
const input = new MoveInput(board, { legal: () => shown().legal, made: play, changed: showInput }, "panel");
const evaluator = new Evaluator((_, key) =>
  ask("/api/analyse", { ...lineOf(String(key)), seconds: SECONDS })
);

const lines = new LineFinder(
  (cell) => ask(`/api/explore/lines/${cell}`, lineOf(key())),
  (cell) => pointed === cell && render(),
);

const key = () => tree.moves.join(SEPARATOR);

/** Return the request for the position after the moves of a key. @param {string} moves */
const lineOf = (moves) => ({ game, position, moves: moves ? moves.split(SEPARATOR) : [] });

/** Return true if the present position is loaded. */
const isKnown = () => known.has(key());

/** Return the present position. */
function shown() {
  const explored = known.get(key());
  if (!explored) throw new Error("the position is not known yet");
  return explored;
}

/** Load the present position. Moves from the address are replaced by the spelling of the server. */
async function look() {
  const line = Tree.lineTo(tree.here);
  if (isKnown()) return;
  const explored = await ask("/api/explore", lineOf(key()));
  const game = await withBoard(explored.game);
  line.forEach((node, place) => (node.move = explored.moves[place].move));
  known.set(line.map((node) => node.move).join(SEPARATOR), { ...explored, game });
}

/**
 * Show the present node of the tree, or return to the last one if its move is illegal.
 * @param {Node} before
 */
async function showNode(before) {
  input.said = [];
  board.aiming.at = null;
  message = "";
  trouble = null;
  const { here } = tree;
  try {
    await look();
  } catch (error) {
    if (tree.here !== here) return; // the reader has moved on
    if (!isKnown()) {
      if (!tree.here.next.length) tree.remove();
      tree.here = before;
    }
    message = errorSentence(error);
  }
  history.replaceState({ ...history.state, lines: tree.lines }, "", addressOf(tree.here));
  render();
  evaluate();
}

/** @param {Node} node */
function goTo(node) {
  const before = tree.here;
  tree.here = node;
  return showNode(before);
}

/** @param {"start" | "back" | "forward" | "end"} step */
function walk(step) {
  const before = tree.here;
  tree.step(step);
  return showNode(before);
}

/** Return the address of a position of the tree. @param {Node} node */
function addressOf(node) {
  const moves = Tree.lineTo(node).map((each) => each.move);
  return `${location.pathname}?${
    new URLSearchParams({ game, ...(position === null ? {} : { position }), moves: moves.join(SEPARATOR) })
      .toString().replaceAll("%2C", SEPARATOR)
  }`;
}

// Moves

/** @param {number} index */
function choose(index) {
  if (!isKnown() || input.point(index)) return;
  message = shown().turn === null
    ? ""
    : say(input.whyNot(shown().cells, index), { cell: board.space.board.names[index], said: input.name });
  render();
}

/** @param {string} move */
function play(move) {
  message = "";
  const before = tree.here;
  tree.play(move);
  showNode(before);
}

/** Clear the message and show the entered part of a move. */
function showInput() {
  message = "";
  render();
}

function removeLine() {
  const before = tree.here;
  tree.remove();
  showNode(before);
}

function promote() {
  tree.promote();
  render();
}

// Values

function toggleValues() {
  wanted.values = !wanted.values;
  render();
  evaluate();
}

// Lines through a cell

function toggleLines() {
  wanted.lines = !wanted.lines;
  render();
}

/** @param {number} index */
function point(index) {
  const before = pointed;
  pointed = index;
  if (wanted.lines && before !== index) render();
}

/** Return the lines through the cell with the pointer, or null until they are known. */
function through() {
  if (!wanted.lines || pointed === null || shown().turn === null) return null;
  return lines.through(key(), pointed);
}

async function evaluate() {
  if (!wanted.values || !isKnown() || shown().turn === null || evaluator.found.has(key())) return;
  const line = key();
  isSearching = true;
  render();
  try {
    await evaluator.evaluate(line, tree.ply, () => wanted.values && line === key());
  } catch (error) {
    wanted.values = false;
    message = errorSentence(error);
  }
  if (line !== key()) return;
  isSearching = false;
  render();
}

// Display

function render() {
  if (!isKnown()) return;
  const explored = shown();
  const held = document.activeElement;
  const worth = evaluator.found.get(key()) ?? null;
  const title = explored.turn === null
    ? paragraph(explored.sentences)
    : say("web-to-move", { side: explored.turn });
  writeHeading(at("status"), {
    side: explored.turn ?? explored.winner,
    title,
    about: say(board.aiming.at === null ? "web-analysis-about" : "web-aim-about"),
  });
  const open = new Set(explored.turn === null ? [] : input.step.cells);
  const { cells, last, turn, annotations, mark } = explored;
  board.show({ ...explored.game, title: explored.game.title }, {
    cells,
    last,
    lines: explored.lines,
    turn,
    annotations,
    mark,
    open,
    said: input.cells,
    through: through(),
    ...shownHelp(wanted, worth),
  });
  fillActions();
  fillBelow(worth);
  fillMargin(worth);
  restoreFocus(held);
}

/** @param {Api.PositionValueMessage | null} worth */
function fillBelow(worth) {
  const line = [tree.root, ...Tree.lineTo(tree.end)];
  const steps = {
    ply: tree.ply,
    last: line.length - 1,
    open: (/** @type {number} */ ply) => goTo(line[ply]),
    address: (/** @type {number} */ ply) => addressOf(line[ply]),
  };
  const next = input.picking;
  const picking = next.choices.length
    ? h("div", { class: "acts", role: "group" }, ...choiceButtons(next))
    : null;
  const unknown = wanted.values && worth && !worth.moves.some((move) => move.value !== "unknown")
    ? worth.sentence
    : "";
  const note = message || (wanted.values && isSearching ? say("searching") : unknown) || "";
  const about = wanted.lines && shown().turn !== null
    ? linesNote(through(), board.space, shown().turn)
    : null;
  fill(at("panel"), picking, stepsOf(steps), note ? h("p", { class: "note", role: "status" }, note) : about);
}

/** Show the actions for the position and its line. */
function fillActions() {
  at("bar").hidden = false;
  if (confirmAim(at("bar"), board.aiming.asked)) return;
  fill(
    at("bar"),
    action("web-values", "web-bar-values", "values", toggleValues, { isOn: wanted.values }),
    shown().turn !== null && shown().game.has_lines
      ? action("web-lines", "web-bar-lines", "lines", toggleLines, { isOn: wanted.lines })
      : null,
    tree.here.parent ? action("web-delete-line", "web-bar-delete", "delete", removeLine) : null,
    tree.isAside ? action("web-promote-line", "web-bar-promote", "promote", promote) : null,
    copyAction(sharedOrigin + addressOf(tree.here)),
  );
}

/** @param {Api.PositionValueMessage | null} worth */
function fillMargin(worth) {
  fill(
    at("margin"),
    linesSection(),
    wanted.values && worth ? legendSection(worth) : null,
    shown().turn === null ? null : playSection(),
  );
}

// Variations

function linesSection() {
  const [first, ...others] = tree.root.next;
  const list = first
    ? h("ol", { class: "tree" }, ...linesFrom(first, 1, others))
    : h("p", { class: "fact" }, say("web-no-moves"));
  return h("section", {}, h("h2", {}, say("web-tried-lines")), list);
}

/**
 * Return the elements of a line up to its next branch, with the variations beside its first move.
 * @param {Node} first
 * @param {number} number the number of its first move
 * @param {Node[]} beside
 * @returns {HTMLElement[]}
 */
function linesFrom(first, number, beside) {
  const run = [first];
  let last = first;
  while (last.next.length === 1) run.push(last = last.next[0]);
  const [main, ...others] = last.next;
  /** @type {HTMLElement[]} */
  const items = [
    h(
      "li",
      {},
      h(
        "ol",
        { class: "line-moves" },
        ...run.map((node, place) => h("li", {}, moveLink(node, number + place))),
      ),
    ),
  ];
  if (main) items.push(...linesFrom(main, number + run.length, others));
  for (const other of beside) {
    items.push(h("li", { class: "var" }, h("ol", { class: "tree" }, ...linesFrom(other, number, []))));
  }
  return items;
}

/**
 * Return the link to a move of the tree: its number, its mark, and its name if it is loaded.
 * @param {Node} node
 * @param {number} number
 */
function moveLink(node, number) {
  const moves = Tree.lineTo(node).map((each) => each.move);
  const played = [...known.values()].find((explored) =>
    explored.moves.length >= number && moves.every((move, place) => explored.moves[place].move === move)
  )?.moves[number - 1];
  const parts = [
    h("span", { class: "fact" }, number),
    played ? glyph(played.side) : null,
    played ? nameOfMove(played) : node.move,
  ];
  const click = (/** @type {Event} */ event) => (event.preventDefault(), goTo(node));
  return h("a", {
    href: addressOf(node),
    "aria-current": node === tree.here && "step",
    "data-key": `line-${moves.join(SEPARATOR)}`,
    click,
  }, ...parts);
}

// Legend

/** @param {Api.PositionValueMessage} worth */
function legendSection(worth) {
  const { turn, game } = shown();
  if (turn === null) return null;
  const other = game.sides[(game.sides.indexOf(turn) + 1) % game.sides.length];
  const items = SAID.map(([value, far, bare]) => {
    const move = worth.moves.find((one) => one.value === value);
    if (!move) return null;
    const count = Number(move.label.slice(1));
    const side = value === "loss" ? other : turn;
    const sign = picture({ class: "legend-sign" }, valueAt([0, 0], { text: move.label, worth: value }, side));
    return h("div", {}, h("dt", {}, sign), h("dd", {}, say(count ? far : bare, { side: turn, count })));
  });
  return items.some(Boolean)
    ? h("section", { class: "key" }, h("h2", {}, say("web-values-of-mover")), h("dl", {}, ...items))
    : null;
}

// A new room from this position

function playSection() {
  const { sides } = shown().game;
  const offered = shown().computers.filter((name) => !declined.has(`${key()} ${name}`));
  const others = [
    ["friend", say("web-friend")],
    ["here", say("web-here")],
    ...offered.flatMap((who) => computers.filter(({ name }) => name === who))
      .map(({ name, title }) => [name, title]),
  ];
  const kind = others.some(([name]) => name === chosen.against) ? chosen.against : STRONGEST;
  const against = h(
    "select",
    { id: "against", "data-key": "against" },
    ...others.map(([name, title]) => h("option", { value: name, selected: name === kind }, title)),
  );
  const mine = h(
    "select",
    { id: "mine", "data-key": "mine" },
    ...sides.map((side, place) =>
      h("option", { value: place, selected: String(place) === chosen.mine }, side)
    ),
  );
  against.addEventListener("change", () => (chosen.against = against.value));
  mine.addEventListener("change", () => (chosen.mine = mine.value));
  const field = (/** @type {string} */ id, /** @type {string} */ label, /** @type {HTMLElement} */ select) =>
    h("p", { class: "field" }, h("label", { for: id }, say(label)), select);
  const isAlone = sides.length === 1;
  return h(
    "section",
    { class: "play-on" },
    h("h2", {}, say("web-play-on")),
    isAlone ? null : field("against", "web-against", against),
    isAlone ? null : field("mine", "web-your-side", mine),
    h("div", { class: "acts" }, button("web-play-here", playOn, "primary")),
    trouble ? h("p", { class: trouble[1], role: "alert" }, trouble[0]) : null,
    h("p", { class: "fact" }, say("web-play-on-about")),
  );
}

const STRONGEST = "level:10";
const chosen = { against: "level:3", mine: "0" };
/** @type {Set<string>} The computers that have declined, as moves and name. */
const declined = new Set();
/** @type {[string, string] | null} The sentence about an error or a delay, and its kind. */
let trouble = null;

async function playOn() {
  const { sides } = shown().game;
  const [isAlone, line] = [sides.length === 1, key()];
  const against = isAlone ? "friend" : selectAt("against").value;
  const opponent = against === "here" ? "friend" : against;
  const name = readStored(NAME) || say("default-name");
  const prepare = () => ({
    ...lineOf(line),
    name,
    ...(isAlone ? {} : { opponent, place: Number(chosen.mine), begins: /** @type {const} */ ("x") }),
  });
  const wait = (/** @type {string} */ sentence) => complain(sentence, "fact");
  try {
    await openNewRoom(prepare, wait, opponent !== "friend", against === "here" ? () => "" : null);
  } catch (error) {
    if (error instanceof ApiError && error.code === "unsupported-rules") declined.add(`${line} ${against}`);
    complain(errorSentence(error));
  }
}

/** Show the reason for an error or a delay below the choice. @param {string} sentence @param {string} kind */
function complain(sentence, kind = "error-text") {
  trouble = sentence ? [sentence, kind] : null;
  render();
}

async function load() {
  await begin();
  onLanguage(async () => {
    known.clear();
    evaluator.forget();
    const players = await ask("/api/players").catch(() => ({ players: [] }));
    computers = players.players.filter(({ name }) => has(`strength-${name.split(":")[0]}`));
    try {
      await look();
    } catch (error) {
      writeMissing(error, "web-no-position", "web-no-position-about");
      fill(
        at("panel"),
        h("div", { class: "acts" }, h("a", { class: "button primary", href: "/" }, say("web-choose-game"))),
      );
      return;
    }
    render();
    evaluate();
  });
  listenForSteps((step) => isKnown() && walk(step));
  listenForEscape(() => (board.aiming.at === null ? input.takeBack() : board.aiming.aim(null)));
  listenForKeys({ "[": () => walk("back"), "]": () => walk("forward") });
}

load();
