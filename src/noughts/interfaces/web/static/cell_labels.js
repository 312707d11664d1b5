// Accessible labels of cells, rows and columns: they describe everything that is drawn there.

import { playableFields } from "./board_drawing.js";
import { has, say } from "./i18n.js";
import { annotationSigns, NOTHING } from "./annotations.js";

/** @typedef {import("./board.js").Board} Board @typedef {import("./board_drawing.js").Worth} Worth */

/** @param {Board} board @param {Element} row */
export function rowName({ space }, row) {
  const [number, plane] = [Number(row.getAttribute("data-row")), Number(row.getAttribute("data-plane"))];
  const name = space.isLettered && !space.layout.from_top ? space.layout.rows - number : number + 1;
  const layer = space.board.planes[plane].label;
  return layer ? say("web-layer-row", { layer, number: name }) : say("web-row", { number: name });
}

/**
 * Return the label of a column in which marks fall, with the cell in which the next one lands.
 * @param {Board} board
 * @param {number} column
 */
export function columnName(board, column) {
  const [fall] = fallNotes(board, column); // it starts with the column
  return fall ? fall[0].toUpperCase() + fall.slice(1) : say("web-column", { number: column + 1 });
}

/** @param {string} label @param {string[]} notes */
const noted = (label, notes) => (notes.length ? say("web-cell-noted", { cell: label, notes }) : label);

/**
 * @param {Board} board
 * @param {number} index
 * @param {string | null} mark
 * @param {boolean} isLast
 * @param {boolean} isWon
 * @param {Worth} [worth]
 */
export function cellLabel(board, index, mark, isLast, isWon, worth) {
  const cell = board.game.board.names[index];
  const won = isLast ? "web-cell-last-won" : "web-cell-won";
  const id = mark === null
    ? (isLast ? "web-cell-left" : "web-cell-empty")
    : isWon
    ? won
    : isLast
    ? "web-cell-last"
    : "web-cell-mark";
  return noted(say(id, { cell, mark: mark ?? "" }), notesOn(board, index, mark, worth));
}

/**
 * Return the notes about the annotations, the value and the hint of a cell.
 * @param {Board} board
 * @param {number} index
 * @param {string | null} mark
 * @param {Worth} [worth]
 * @returns {string[]}
 */
function notesOn(board, index, mark, worth) {
  const { shown, game, space } = board;
  const turn = shown.turn ?? "";
  const [leaves, reason, turns] = [
    board.leaving?.get(index),
    board.forbidden?.get(index),
    board.turnedOver?.get(index),
  ];
  const field = space.fieldOf(index);
  const codes = field === null ? [] : (shown.annotations?.fields[field + 1] ?? []);
  const owner = field === null ? undefined : board.owners?.get(field);
  const isAllowed = board.allowed?.has(index) &&
    (field === null || playableFields(space, shown.annotations ?? NOTHING).has(field));
  return [
    turns ? say("web-code-turns", { count: Number(turns) }) : isAllowed ? say("web-code-may") : "",
    owner ? say("web-code-won", { side: owner }) : codes.includes("drawn") ? say("web-code-drawn") : "",
    leaves ? say("web-code-leaves", { side: leaves }) : "",
    reason && has(`why-forbidden-${reason}`)
      ? say("web-code-no", { side: turn, reason: say(`why-forbidden-${reason}`) })
      : "",
    ...annotationSigns(game.board.codes, shown.annotations?.cells[index + 1] ?? []).map(({ word, facts }) =>
      has(`web-code-${word}`) ? say(`web-code-${word}`, { side: turn, ...facts }) : ""
    ),
    ...(mark === null && game.board.drops ? fallNotes(board, index) : []),
    shown.hint === index ? say(shown.isBetter ? "web-code-better" : "web-hint") : "",
    worth ? worthInWords(worth, turn) : "",
    shown.through?.cell === index ? say("web-code-line", { count: shown.through.open.length }) : "",
    board.aiming.cells.includes(index) ? say("web-code-aim") : "",
  ].filter(Boolean);
}

/**
 * Return the notes about a mark that falls through the column of a cell.
 * @param {Board} board
 * @param {number} index
 * @returns {string[]}
 */
function fallNotes(board, index) {
  const { space } = board;
  const landing = board.landingOf(index);
  if (landing === undefined) return [];
  const [plane, row] = space.place(landing);
  const column = space.columnOf(index) + 1;
  return [
    space.layout.gravity
      ? say("web-code-falls", { column, row: space.layout.rows - row })
      : say("web-code-falls-layer", { column, layer: space.board.planes[plane].label }),
  ];
}

/**
 * Return a value in words: the side that wins, and the number of moves.
 * @param {Worth} worth
 * @param {string} side
 */
function worthInWords({ text, worth }, side) {
  if (worth === "draw") return say("web-code-draw");
  const count = Number(text.replace(/\D/g, ""));
  if (!count) return say(worth === "win" ? "web-worth-win-bare" : "web-worth-loss-bare", { side });
  return say(worth === "win" ? "web-code-wins" : "web-code-loses", { side, count });
}
