// @ts-check
// How a move is said part by part: cells to point at, texts to choose; as in noughts.interfaces.presenting.pointing.

/** @typedef {{move: string, cell: number | null, parts: (number | string)[], mark?: string}} Legal */
/** @typedef {{moves: Legal[], cells: number[], choices: string[], areMarks: boolean}} Step what can be said next, and the moves that it may still become */

/** What comes after the parts that were said. @param {Legal[]} legal @param {(number | string)[]} said @returns {Step} */
export function nextStep(legal, said) {
  const place = said.length;
  const moves = legal.filter(move => said.every((part, number) => move.parts[number] === part));
  const parts = [...new Set(moves.flatMap(move => move.parts.slice(place, place + 1)))];
  return {
    moves,
    cells: parts.filter(part => typeof part === "number"),
    choices: parts.filter(part => typeof part === "string"),
    areMarks: moves.every(move => move.mark !== undefined && move.mark === move.parts[place]),
  };
}

/** The cell that is meant by pointing at one, where marks fall any of its column; null for none. @param {import("./space.js").Space | undefined} space @param {Step} step @param {number} index */
export function cellMeant(space, step, index) {
  if (step.cells.includes(index)) return index;
  return step.cells.find(cell => space?.columnOf(cell) === space?.columnOf(index)) ?? null;
}
