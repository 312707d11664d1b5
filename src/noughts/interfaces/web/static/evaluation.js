// Values of moves as the server finds them: labels for the board, a hint and its sentence.

import { pause, Refusal } from "./api.js";
import { say } from "./i18n.js";

/** @typedef {import("./drawing.js").Through} Through */

export const LEVELS = { win: 1, draw: 0, loss: -1 };
export const SECONDS = 2;
const PAUSE = 2000;
const MAX_KNOWN = 1000; // cells of which the lines are remembered
// milliseconds: who steps through a game asks where they stay, not of each position that they pass
const GLANCE = 150;

/** The labels of cells; of several moves that begin in one, the best. @param {Api.PositionValueMessage} worth */
function labelsOf(worth) {
  /** @type {Map<number, import("./drawing.js").Worth>} */ const found = new Map();
  for (const { cell, value, label } of worth.moves) {
    if (cell === null || value === "unknown") continue;
    const other = found.get(cell);
    if (!other || LEVELS[value] > LEVELS[other.worth]) found.set(cell, { text: label, worth: value });
  }
  return found;
}

/** The move that is best. @param {Api.PositionValueMessage} worth */
const bestOf = (worth) => worth.moves.find((move) => move.move === worth.best) ?? null;

/** The best move with its reason, in a sentence. @param {Api.PositionValueMessage} worth */
export function hintSentence(worth) {
  const best = bestOf(worth);
  if (!best) return worth.sentence ?? "";
  const move = best.name;
  return best.reason ? say("why-move", { move, reason: best.reason }) : say("hint", { move });
}

/**
 * The values and the cell of the hint that the board shows.
 * @param {{values: boolean, hint: boolean}} wanted
 * @param {Api.PositionValueMessage | null | undefined} worth
 */
export function helpOn({ values, hint }, worth) {
  return {
    worths: values && worth ? labelsOf(worth) : undefined,
    hint: hint && worth ? (bestOf(worth)?.cell ?? null) : null,
  };
}

/** Asks what positions are worth, each once; keys tell positions apart. */
export class Evaluator {
  /** @param {(ply: number, key: string | number) => Promise<Api.PositionValueMessage>} ask */
  constructor(ask) {
    this.ask = ask;
    /** @type {Map<string | number, Api.PositionValueMessage>} */ this.found = new Map();
    /** @type {Set<string | number>} */ this.asked = new Set();
  }

  /**
   * Finds out what a position is worth, as long as that is wanted; raises Refusal, or TypeError.
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

  /** Forgets what was found: its sentences are in one language. */
  forget() {
    this.found.clear();
  }
}

/** Asks for the lines through cells, each once; keys tell positions apart. */
export class LineFinder {
  /**
   * @param {(cell: number) => Promise<Api.LinesMessage>} ask about the position that is shown
   * @param {(cell: number) => void} found
   */
  constructor(ask, found) {
    this.ask = ask;
    this.found = found;
    /** @type {Map<string, Through | null>} null while an answer is awaited. */ this.known = new Map();
  }

  /** Return the lines through a cell; null until they are known. @param {string} key @param {number} cell */
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
      this.known.delete(place); // it is asked for again when somebody points there again
      return;
    }
    this.found(cell);
  }
}

/** Too much was asked: waits before it is asked again. @param {unknown} error */
async function waitIfTooMany(error) {
  if (!(error instanceof Refusal) || error.status !== 429) throw error;
  await pause(PAUSE);
  return null;
}
