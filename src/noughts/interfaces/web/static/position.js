// Annotations of a position: codes of what the rules make of it, with cells and fields numbered from 1.

/** @type {Api.AnnotationsMessage} Nothing to tell. */
export const NOTHING = { cells: {}, fields: {}, sides: {}, lines: [] };

/**
 * The data of a code by index: `no` gives the reasons for which cells are
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

const DRAWN = ["leaves"]; // words of codes whose sign on a board is a drawing of its own

/**
 * What the codes of a cell say by the signs of their words: each word, its sign, and the facts of its sentence.
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
