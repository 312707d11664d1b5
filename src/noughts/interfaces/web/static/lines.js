// @ts-check
// All lines through a cell of a k-in-a-row board, as in noughts.interfaces.lines.

import { coordinateOf, indexOf } from "./layout.js";

/** The lines through a cell: those that a side can still fill, and the others. @typedef {{cell: number, open: number[][], shut: number[][]}} Through */

/** The rules that a description such as 7x6:4,gravity tells; null for another game. @param {string | null | undefined} spec */
export function rulesOf(spec) {
  const found = /^\d+(?:x\d+)*(?::(\d+))?((?:,[a-z]+(?:=\d+)?)*)$/.exec(spec ?? "");
  if (!found) return null;
  const options = found[2].split(",");
  const isShared = options.includes("wild") || options.includes("notakto");
  return { k: found[1] ? Number(found[1]) : null, wraps: options.includes("wrap"), isExact: options.includes("exact"), vanishes: options.some(option => option.startsWith("vanish")), isShared };
}

/** Steps in every direction, each once: the first part that is not 0 is 1. @param {number} axes @returns {number[][]} */
function directions(axes) {
  const all = Array.from({ length: 3 ** axes }, (_, number) => Array.from({ length: axes }, (_, axis) => (Math.floor(number / 3 ** axis) % 3) - 1));
  return all.filter(step => step.find(part => part !== 0) === 1);
}

/**
 * @param {number[]} shape @param {string} spec @param {(string | null)[]} cells @param {number} index @param {string | null} side
 * @returns {Through | null}
 */
export function linesThrough(shape, spec, cells, index, side) {
  const rules = rulesOf(spec);
  if (!rules) return null;
  const k = rules.k ?? Math.min(...shape);
  const staying = rules.vanishes ? cells.map(() => null) : cells; // marks that leave close no line
  const cell = coordinateOf(index, shape);
  /** @type {Map<string, {line: number[], isOpen: boolean}>} */ const found = new Map();
  const at = (/** @type {number[]} */ step, /** @type {number} */ far) => {
    const place = cell.map((part, axis) => part + step[axis] * far);
    const wrapped = rules.wraps ? place.map((part, axis) => ((part % shape[axis]) + shape[axis]) % shape[axis]) : place;
    return wrapped.every((part, axis) => part >= 0 && part < shape[axis]) ? indexOf(wrapped, shape) : null;
  };
  for (const step of directions(shape.length))
    for (let start = 1 - k; start <= 0; start++) {
      const line = Array.from({ length: k }, (_, number) => at(step, start + number));
      if (line.includes(null) || new Set(line).size < k) continue;
      const whole = /** @type {number[]} */ (line);
      const ends = rules.isExact ? [at(step, start - 1), at(step, start + k)] : [];
      const isOpen = canFill(whole, ends, staying, rules.isShared ? null : side);
      const key = [...whole].sort((one, two) => one - two).join();
      found.set(key, { line: whole, isOpen: isOpen || Boolean(found.get(key)?.isOpen) });
    }
  const lines = [...found.values()];
  return { cell: index, open: lines.filter(one => one.isOpen).map(one => one.line), shut: lines.filter(one => !one.isOpen).map(one => one.line) };
}

/** @param {number[]} line @param {(number | null)[]} ends @param {(string | null)[]} cells @param {string | null} side */
function canFill(line, ends, cells, side) {
  const borne = new Set(line.map(index => cells[index]).filter(mark => mark !== null));
  if (side === null) return borne.size <= 1;
  return [...borne].every(mark => mark === side) && ends.every(end => end === null || cells[end] !== side);
}
