// A modest computer in the browser: it completes and stops lines, prefers good cells, and looks a few moves
// ahead. It works in short slices, so that the page stays responsive.

import { FlipGame, LineGame } from "./rules.js";

/** @typedef {import("./rules.js").Game} Game @typedef {import("./rules.js").FieldGame} FieldGame */

const WON = 1e9;
const SLICE = 10; // milliseconds
const MAX_DEPTH = 4;
const WIDE = 14; // moves that are tried first
const NARROW = 8; // replies that are tried
const RICH = 40; // legal moves above which only the most promising ones are tried
const WORK = 64; // positions between two looks at the clock
/** The value of a line by its number of marks, if all are of one side. */
const LINE_VALUES = [0, 1, 6, 30, 150, 800, 4000];
const TO_MOVE = 1.5; // lines of the side to move are worth more
const FIELD_VALUE = 30;
const CORNER = 25;
const EDGE = 3;
const BESIDE_CORNER = -5;
const MOVE_VALUE = 2;

/** @param {number} count */
const lineValue = (count) => LINE_VALUES[Math.min(count, LINE_VALUES.length - 1)];

/** Return the value of the lines of a position for a side. @param {LineGame} game @param {number} side */
function valueOfLines(game, side) {
  const { rules, counts: { counts, lines, marks } } = game;
  if (rules.at_full !== null) return valueOfEitherMark(game, side);
  if (rules.wild || marks === 1) return 0; // the marks belong to no side
  let value = 0;
  for (let line = 0; line < lines.cells.length; line++) {
    let holder = -1;
    for (let mark = 0; mark < marks; mark++) {
      if (!counts[line * marks + mark]) continue;
      holder = holder === -1 ? mark : marks;
    }
    if (holder === -1 || holder === marks) continue;
    const worth = lineValue(counts[line * marks + holder]) * (holder === game.turn ? TO_MOVE : 1);
    value += holder === side ? worth : -worth;
  }
  return rules.winners[side] === side ? value : -value;
}

/**
 * Return the value of a position in which one side wants a line of any mark and the other a full board.
 * @param {LineGame} game
 * @param {number} side
 */
function valueOfEitherMark({ rules, counts: { counts, lines, marks } }, side) {
  let value = 0;
  for (let line = 0; line < lines.cells.length; line++) {
    const own = counts.subarray(line * marks, line * marks + marks);
    const held = own.filter(Boolean);
    value += held.length === 1 ? lineValue(held[0]) : held.length ? -4 : 0;
  }
  return rules.winners[0] === side ? value : -value;
}

/** Return the value of a position for a side: corners, edges and moves. @param {FlipGame} game @param {number} side */
function valueOfFlips(game, side) {
  const [rows, columns] = game.rules.shape;
  let value = MOVE_VALUE * (game.placements(side).length - game.placements(1 - side).length);
  game.cells.forEach((mark, cell) => {
    if (mark < 0) return;
    const row = Math.floor(cell / columns);
    const down = Math.min(row, rows - 1 - row);
    const across = Math.min(cell % columns, columns - 1 - (cell % columns));
    const worth = down + across === 0
      ? CORNER
      : Math.max(down, across) === 1
      ? BESIDE_CORNER
      : down && across
      ? 0
      : EDGE;
    value += mark === side ? worth : -worth;
  });
  return value;
}

/** Return the value of the fields of a position for a side. @param {FieldGame} game @param {number} side */
function valueOfFields(game, side) {
  const { rules: { lines, fields }, owners, cells } = game;
  /** Return the value of rows whose places have these holders. @param {(place: number) => number} holder */
  const rows = (holder) =>
    lines.reduce((sum, row) => {
      const [own, other, lost] = [side, 1 - side, 2].map((one) =>
        row.filter((place) => holder(place) === one)
      );
      if (lost.length || (own.length && other.length)) return sum;
      return sum + lineValue(own.length) - lineValue(other.length);
    }, 0);
  const open = fields.filter((_, field) => owners[field] === -1);
  const inside = open.reduce((sum, places) => sum + rows((place) => cells[places[place]]), 0);
  return FIELD_VALUE * rows((field) => owners[field]) + inside;
}

/** Return the value of an unfinished position for a side. @param {Game} game @param {number} side */
function evaluate(game, side) {
  if (game instanceof LineGame) return valueOfLines(game, side);
  return game instanceof FlipGame ? valueOfFlips(game, side) : valueOfFields(game, side);
}

/** Return the value of a finished position for a side. @param {Game} game @param {number} side */
function valueOfEnd({ outcome, played }, side) {
  if (!outcome || outcome.winner === null) return 0;
  return outcome.winner === side ? WON - played.length : played.length - WON;
}

/** Return the promise of a mark on a cell: the lines that it extends or stops. @param {LineGame} game @param {number} cell */
function promiseOf({ turn, counts: { counts, lines, marks } }, cell) {
  let promise = 0;
  for (const line of lines.through[cell]) {
    let [own, other] = [0, 0];
    for (let mark = 0; mark < marks; mark++) {
      const count = counts[line * marks + mark];
      if (mark === turn % marks) own = count;
      else other = other ? Math.max(other, count) : count;
    }
    if (!own || !other) promise += 1 + 2 * lineValue(own) * TO_MOVE + 2 * lineValue(other);
  }
  return promise;
}

/**
 * Return the legal moves, the most promising ones first, and no more than a number if there are many.
 * @param {Game} game
 * @param {number} most
 */
function rankedMoves(game, most) {
  const moves = game.moves();
  const isByCell = game instanceof LineGame && game.choices === 1;
  const promises = moves.map((move) => {
    if (isByCell) return promiseOf(game, move);
    const { turn } = game;
    game.play(move);
    const value = game.outcome ? valueOfEnd(game, turn) : evaluate(game, turn);
    game.undo();
    return value;
  });
  const order = moves.map((_, number) => number).sort((one, two) => promises[two] - promises[one]);
  const ranked = order.map((number) => moves[number]);
  return moves.length > RICH ? ranked.slice(0, most) : ranked;
}

/** A search for one side, which stops now and then. */
class Search {
  /** @param {Game} game @param {number} side */
  constructor(game, side) {
    this.game = game;
    this.side = side;
    this.work = 0;
    /** Whether the value of an unfinished position was estimated. */ this.isEstimated = false;
  }

  /**
   * Return the value of the position. Other sides all play against the own one.
   * @param {number} depth
   * @param {number} low
   * @param {number} high
   * @returns {Generator<undefined, number, undefined>}
   */
  *value(depth, low, high) {
    const { game, side } = this;
    if (game.outcome) return valueOfEnd(game, side);
    this.work++;
    if (this.work >= WORK) {
      this.work = 0;
      yield;
    }
    if (!depth) {
      this.isEstimated = true;
      return evaluate(game, side);
    }
    const isOwn = game.turn === side;
    let best = isOwn ? -Infinity : Infinity;
    const moves = rankedMoves(game, NARROW);
    this.work += moves.length;
    for (const move of moves) {
      game.play(move);
      const value = yield* this.value(depth - 1, low, high);
      game.undo();
      best = isOwn ? Math.max(best, value) : Math.min(best, value);
      if (isOwn) low = Math.max(low, best);
      else high = Math.min(high, best);
      if (low >= high) break;
    }
    return best;
  }
}

/** @template T @param {T[]} items */
function shuffled(items) {
  for (let last = items.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [items[last], items[other]] = [items[other], items[last]];
  }
  return items;
}

/**
 * Return a move of the side to move. The game must be one of its own, since it is played on meanwhile.
 * @param {Game} game
 * @param {number} limit milliseconds
 * @param {() => Promise<unknown>} rest lets the page work
 */
export async function chooseMove(game, limit, rest) {
  const search = new Search(game, game.turn);
  let moves = rankedMoves(game, WIDE);
  if (game.played.length < 2) moves = moves.slice(0, Math.max(2, Math.floor(moves.length / 3)));
  moves = shuffled(moves);
  const end = performance.now() + limit;
  for (let depth = 0; depth < MAX_DEPTH && moves.length > 1; depth++) {
    search.isEstimated = false;
    let best = -Infinity;
    /** @type {Map<number, number>} */ const values = new Map();
    for (const move of moves) {
      game.play(move);
      const steps = search.value(depth, best, Infinity);
      let slice = performance.now();
      let step = steps.next();
      while (!step.done) {
        const now = performance.now();
        if (depth && now > end) return moves[0];
        if (now - slice > SLICE) {
          await rest();
          slice = performance.now();
        }
        step = steps.next();
      }
      game.undo();
      values.set(move, step.value);
      best = Math.max(best, step.value);
    }
    moves.sort((one, two) => (values.get(two) ?? 0) - (values.get(one) ?? 0));
    if (!search.isEstimated || best > WON / 2) break;
  }
  return moves[0];
}
