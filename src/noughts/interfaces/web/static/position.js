// What the server tells of a position: annotations, codes of what the rules make of it, with cells and fields
// numbered from 1; and the legal moves, which are said part by part, cells to point at and texts to choose,
// as in noughts.interfaces.presenting.pointing.

/**
 * @typedef
 *   {{cells: Record<string, string[]>, fields: Record<string, string[]>, sides: Record<string, string[]>, lines: string[][]}}
 *   Annotations
 */
/** @typedef {{move: string, cell: number | null, parts: (number | string)[], mark?: string}} Legal */
/**
 * @typedef {{moves: Legal[], cells: number[], choices: string[], areMarks: boolean}} Step what can be said
 *   next, and the moves that it may still become
 */

/** @type {Annotations} Nothing to tell. */
export const NOTHING = { cells: {}, fields: {}, sides: {}, lines: [] };

/**
 * What stands behind a code in all that has it, by index: `no` gives the reasons for which cells are
 * forbidden.
 * @param {Record<string, string[]>} told
 * @param {string} code
 * @returns {Map<number, string>}
 */
export function valuesOf(told, code) {
  const found = Object.entries(told).flatMap(([number, codes]) =>
    codes.filter((one) => one.startsWith(`${code}:`)).map(
      (one) => /** @type {[number, string]} */ ([Number(number) - 1, one.slice(code.length + 1)]),
    )
  );
  return new Map(found);
}

/** The field in which one must play, by its index; null where there is a choice. @param {Annotations} told */
export function forcedField({ fields }) {
  const found = Object.keys(fields).find((number) => fields[number].includes("field"));
  return found === undefined ? null : Number(found) - 1;
}

/**
 * What comes after the parts that were said.
 * @param {Legal[]} legal
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
