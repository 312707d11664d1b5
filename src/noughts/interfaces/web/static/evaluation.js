// Values of moves from the server: labels on the board, a hint and its sentence.

import { ApiError, pause } from "./api.js";
import { say } from "./i18n.js";

/** @typedef {import("./board_drawing.js").Through} Through */

const LEVELS = { win: 1, draw: 0, loss: -1 };
export const SECONDS = 2;
const PAUSE = 2000;
const MAX_KNOWN = 1000; // the largest number of cells whose lines are cached
// milliseconds before a request: a reader who steps through a game wants no values on the way
const GLANCE = 150;

/**
 * Return the labels of cells. If several moves start in a cell, the best one counts.
 * @param {Api.PositionValueMessage} worth
 */
function labelsOf(worth) {
  /** @type {Map<number, import("./board_drawing.js").Worth>} */ const labels = new Map();
  for (const { cell, value, label } of worth.moves) {
    if (cell === null || value === "unknown") continue;
    const other = labels.get(cell);
    if (!other || LEVELS[value] > LEVELS[other.worth]) labels.set(cell, { text: label, worth: value });
  }
  return labels;
}

/** Return the best move. @param {Api.PositionValueMessage} worth */
const bestOf = (worth) => worth.moves.find((move) => move.move === worth.best) ?? null;

/** Return the sentence about the best move and its reason. @param {Api.PositionValueMessage} worth */
export function hintSentence(worth) {
  const best = bestOf(worth);
  if (!best) return worth.sentence ?? "";
  const move = best.name;
  return best.reason ? say("why-move", { move, reason: best.reason }) : say("hint", { move });
}

/**
 * Return the values and the hinted cell for the board.
 * @param {{values: boolean, hint: boolean}} wanted
 * @param {Api.PositionValueMessage | null | undefined} worth
 */
export function shownHelp({ values, hint }, worth) {
  return {
    worths: values && worth ? labelsOf(worth) : undefined,
    hint: hint && worth ? (bestOf(worth)?.cell ?? null) : null,
  };
}

/** Requests the values of positions, each once. Keys identify positions. */
export class Evaluator {
  /** @param {(ply: number, key: string | number) => Promise<Api.PositionValueMessage>} ask */
  constructor(ask) {
    this.ask = ask;
    /** @type {Map<string | number, Api.PositionValueMessage>} */ this.found = new Map();
    /** @type {Set<string | number>} */ this.asked = new Set();
  }

  /**
   * Request the value of a position while it is wanted. Throws ApiError or TypeError.
   * @param {string | number} key
   * @param {number} ply
   * @param {() => boolean} isWanted
   */
  async evaluate(key, ply, isWanted = () => true) {
    if (this.asked.has(key)) return;
    this.asked.add(key);
    try {
      await pause(GLANCE);
      while (!this.found.has(key) && isWanted()) {
        const worth = await this.ask(ply, key).catch(waitIfTooMany);
        if (worth) this.found.set(key, worth);
      }
    } finally {
      this.asked.delete(key);
    }
  }

  /** Forget all values, whose sentences are in one language. */
  forget() {
    this.found.clear();
  }
}

/** Requests the lines through cells, each once. Keys identify positions. */
export class LineFinder {
  /**
   * @param {(cell: number) => Promise<Api.LinesMessage>} ask requests lines in the present position
   * @param {(cell: number) => void} found called with a cell whose lines are known
   */
  constructor(ask, found) {
    this.ask = ask;
    this.found = found;
    /** @type {Map<string, Through | null>} Lines by cell, null during a request. */ this.known = new Map();
  }

  /**
   * Return the lines through a cell, or null until they are known.
   * @param {string} key
   * @param {number} cell
   */
  through(key, cell) {
    const place = `${key} ${cell}`;
    if (!this.known.has(place)) this.find(place, cell);
    return this.known.get(place) ?? null;
  }

  /** @param {string} place @param {number} cell */
  async find(place, cell) {
    if (this.known.size >= MAX_KNOWN) this.known.clear();
    this.known.set(place, null);
    try {
      const { open_lines: open, closed_lines: shut } = await this.ask(cell);
      this.known.set(place, { cell, open, shut });
    } catch {
      this.known.delete(place); // pointing at the cell requests them again
      return;
    }
    this.found(cell);
  }
}

/** Wait before the next request if the error is a rate limit. @param {unknown} error */
async function waitIfTooMany(error) {
  if (!(error instanceof ApiError) || error.status !== 429) throw error;
  await pause(PAUSE);
  return null;
}
