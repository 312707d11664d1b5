// The size of a drawn board and the arrangement of its planes: the whole board always fits into the width.

import { CELL, Space } from "./board_geometry.js";

/** @typedef {import("./board_geometry.js").Game} Game */
/**
 * @typedef {{only: number | null, view: number, squares: number, across?: number}} Size the first drawn
 * plane if not all are drawn, the arrangement of planes, the squares of paper of a cell, and the number of
 * cubes in a row of the 3D view
 */

const SQUARE = 22;
// pixels beside a board: for labels of two digits, for each further digit, on the other side, and for the
// strokes of boards without labels
const [ASIDE, DIGIT, BESIDE, OTHER] = [26, 8, 14, 5];
// the smallest cell in pixels in the usual arrangement, for planes along one, two or more axes
const MIN_CELL = [44, 27, 28.75];
const NARROW = 27; // in the other arrangements, before planes are shown one by one
const PARTS = 4; // of a square of the paper, and of a pixel: sizes are whole multiples

/**
 * Return the first arrangement with cells that are large enough.
 * @param {Game} game
 * @param {number} plane a plane that must be visible
 * @param {number} width the available width in pixels
 * @param {number} height the desired height in pixels
 */
export function sizeOf(game, plane, width, height) {
  const { views } = game.board;
  const sizes = views.map((view) => squaresIn(new Space(game, null, view), width, height));
  const usual = MIN_CELL[Math.min(game.shape.length - 3, MIN_CELL.length - 1)] ?? 0;
  const found = sizes.findIndex((squares, number) => squares * SQUARE >= (number ? NARROW : usual));
  const view = found < 0 ? views.length - 1 : found;
  const count = views[view].origins.length;
  return { only: count < game.layout.planes ? plane - (plane % count) : null, view, squares: sizes[view] };
}

/** Return the free pixels left and right of a board. @param {Space} space @returns {[number, number]} */
export function besideOf(space) {
  if (!space.isLettered) return [OTHER, OTHER];
  return [ASIDE + DIGIT * Math.max(0, String(space.layout.rows).length - 2), BESIDE];
}

/**
 * Return the largest number of paper squares for a cell with which everything fits.
 * @param {Space} space
 * @param {number} width
 * @param {number} height
 */
function squaresIn(space, width, height) {
  const [aside, above] = space.strips;
  const around = besideOf(space).reduce((one, other) => one + other);
  const wide = (width - around) / ((space.width + 2 * aside) / CELL) / SQUARE;
  const [fewest, most] = space.board.squares;
  const squares = Math.min(
    most,
    Math.max(fewest, height / (((space.height + 2 * above) / CELL) * SQUARE)),
    wide,
  );
  return squares >= 2
    ? Math.floor(PARTS * squares) / PARTS
    : Math.floor(squares * SQUARE * PARTS) / PARTS / SQUARE;
}
