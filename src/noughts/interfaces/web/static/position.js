// What the server tells of a position: annotations, codes of what the rules make of it, with cells and fields
// numbered from 1; and the legal moves, which are said part by part, cells to point at and texts to choose,
// as in noughts.interfaces.presenting.pointing.

/**
 * @typedef {{moves: Api.LegalMessage[], cells: number[], choices: string[], areMarks: boolean}} Step what can
 *   be said   next, and the moves that it may still become
 */

/** @type {Api.AnnotationsMessage} Nothing to tell. */
export const NOTHING = { cells: {}, fields: {}, sides: {}, lines: [] };

/**
 * What stands behind a code in all that has it, by index: `no` gives the reasons for which cells are
 * forbidden.
 * @param {Record<string, string[]>} told
 * @param {string} code
 * @returns {Map<number, string>}
 */
export function valuesOf(told, code) {
  /** @type {Map<number, string>} */ const found = new Map();
  for (const [number, codes] of Object.entries(told)) {
    for (const one of codes) {
      if (one.startsWith(`${code}:`)) found.set(Number(number) - 1, one.slice(code.length + 1));
    }
  }
  return found;
}

/**
 * The field in which one must play, by its index; null where there is a choice.
 * @param {Api.AnnotationsMessage} told
 */
export function forcedField({ fields }) {
  const found = Object.keys(fields).find((number) => fields[number].includes("field"));
  return found === undefined ? null : Number(found) - 1;
}

/**
 * The cells of a board after each ply, from what each ply changes.
 * @param {Api.BoardChange[]} boards
 * @param {number} count of cells
 */
export function boardsFrom(boards, count) {
  /** @type {(string | null)[]} */ let cells = Array(count).fill(null);
  return boards.map(({ changed }) =>
    cells = cells.map((mark, index) => (index in changed ? changed[index] : mark))
  );
}

/**
 * What comes after the parts that were said.
 * @param {Api.LegalMessage[]} legal
 * @param {(number | string)[]} said
 * @returns {Step}
 */
export function nextStep(legal, said) {
  const place = said.length;
  const moves = legal.filter((move) => said.every((part, number) => move.parts[number] === part));
  const parts = [...new Set(moves.flatMap((move) => move.parts.slice(place, place + 1)))];
  return {
    moves,
    cells: parts.filter((part) => typeof part === "number"),
    choices: parts.filter((part) => typeof part === "string"),
    areMarks: moves.every((move) => move.mark !== undefined && move.mark === move.parts[place]),
  };
}

/**
 * The cell that is meant by pointing at one, where marks fall any of its column; null for none.
 * @param {import("./space.js").Space | undefined} space
 * @param {Pick<Step, "cells">} step
 * @param {number} index
 */
export function cellMeant(space, step, index) {
  if (step.cells.includes(index)) return index;
  return step.cells.find((cell) => space?.columnOf(cell) === space?.columnOf(index)) ?? null;
}

/**
 * The sentence that says why nothing happens on a cell: it is taken, where marks are placed on empty cells.
 * @param {(string | null)[]} cells
 * @param {Step} step
 * @param {number} index
 */
export function whyNot(cells, step, index) {
  return cells[index] !== null && step.cells.every((cell) => cells[cell] === null)
    ? "web-taken"
    : "web-not-here";
}
