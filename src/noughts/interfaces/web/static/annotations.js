// Annotations of a position: codes of the rules, with cells and fields numbered from 1.

/** @type {Api.AnnotationsMessage} The annotations of a position without any. */
export const NOTHING = { cells: {}, fields: {}, sides: {}, lines: [] };

/**
 * Return the data of a code by cell. For example, `no` has the reasons why cells are forbidden.
 * @param {Record<string, string[]>} annotations
 * @param {string} code
 * @returns {Map<number, string>}
 */
export function annotationData(annotations, code) {
  /** @type {Map<number, string>} */ const data = new Map();
  for (const [number, codes] of Object.entries(annotations)) {
    for (const one of codes) {
      if (one.startsWith(`${code}:`)) data.set(Number(number) - 1, one.slice(code.length + 1));
    }
  }
  return data;
}

const DRAWN = ["leaves"]; // codes that are drawn without a sign

/**
 * Return the signs of a cell's codes, each with its word and the data of its sentence.
 * @param {Record<string, Api.AnnotationSign>} known
 * @param {string[]} codes
 */
export function annotationSigns(known, codes) {
  return codes.flatMap((code) => {
    const [word, value] = code.split(":");
    const row = DRAWN.includes(word) ? undefined : known[word];
    return row ? [{ word, sign: row.sign, facts: row.data ? { [row.data]: value } : {} }] : [];
  });
}

/**
 * Return the index of the only field that is allowed for the next move, or null.
 * @param {Api.AnnotationsMessage} annotations
 */
export function forcedField({ fields }) {
  const field = Object.keys(fields).find((number) => fields[number].includes("field"));
  return field === undefined ? null : Number(field) - 1;
}

/**
 * Return the cells of a board after each ply, computed from the changes.
 * @param {Api.BoardChange[]} boards
 * @param {number} count the number of cells
 */
export function cellsByPly(boards, count) {
  /** @type {(string | null)[]} */ let cells = Array(count).fill(null);
  return boards.map(({ changed }) =>
    cells = cells.map((mark, index) => (index in changed ? changed[index] : mark))
  );
}
