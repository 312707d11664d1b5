// @ts-check
// What the rules make of a position, as the server tells it in codes; cells and fields are numbered from 1 there.

/** @typedef {{cells: Record<string, string[]>, fields: Record<string, string[]>, sides: Record<string, string[]>, lines: string[][]}} Annotations */

/** @type {Annotations} Nothing to tell. */
export const NOTHING = { cells: {}, fields: {}, sides: {}, lines: [] };

/** What stands behind a code in all that has it, by index: `no` gives the reasons for which cells are forbidden. @param {Record<string, string[]>} told @param {string} code @returns {Map<number, string>} */
export function valuesOf(told, code) {
  const found = Object.entries(told).flatMap(([number, codes]) => codes.filter(one => one.startsWith(`${code}:`)).map(one => /** @type {[number, string]} */ ([Number(number) - 1, one.slice(code.length + 1)])));
  return new Map(found);
}

/** The field in which one must play, by its index; null where there is a choice. @param {Annotations} told */
export function forcedField({ fields }) {
  const found = Object.keys(fields).find(number => fields[number].includes("field"));
  return found === undefined ? null : Number(found) - 1;
}
