// Annotations of a position: codes of the rules, with cells and fields numbered from 1.

/** @type {Api.AnnotationsMessage} The annotations of a position without any. */
export const NOTHING = { cells: {}, fields: {}, sides: {}, lines: [] };

/**
 * Return the data of a code by cell. For example, `no` has the reasons why cells are forbidden.
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

const DRAWN = ["leaves"]; // codes that are drawn without a sign

/**
 * Return the signs of a cell's codes, each with its word and the data of its sentence.
 * @param {Record<string, Api.AnnotationSign>} known
 * @param {string[]} codes
 */
export function signsIn(known, codes) {
  return codes.flatMap((code) => {
    const [word, value] = code.split(":");
    const row = DRAWN.includes(word) ? undefined : known[word];
    return row ? [{ word, sign: row.sign, facts: row.data ? { [row.data]: value } : {} }] : [];
  });
}

/**
 * Return the index of the only field that is allowed for the next move, or null.
 * @param {Api.AnnotationsMessage} told
 */
export function forcedField({ fields }) {
  const found = Object.keys(fields).find((number) => fields[number].includes("field"));
  return found === undefined ? null : Number(found) - 1;
}

/**
 * Return the cells of a board after each ply, computed from the changes.
 * @param {Api.BoardChange[]} boards
 * @param {number} count the number of cells
 */
export function boardsFrom(boards, count) {
  /** @type {(string | null)[]} */ let cells = Array(count).fill(null);
  return boards.map(({ changed }) =>
    cells = cells.map((mark, index) => (index in changed ? changed[index] : mark))
  );
}
