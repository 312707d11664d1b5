// The size of a drawn board, and the arrangement of its planes: all of it always fits into the width.

import { CELL, Space } from "./space.js";

/** @typedef {import("./space.js").Game} Game */
/**
 * @typedef {{only: number | null, view: number, squares: number, across?: number}} Size the first plane that
 * is drawn, where not all are, how planes stand, how many squares of paper a cell takes, and in space how
 * many cubes stand in a row
 */

const SQUARE = 22;
// pixels beside a board: where labels of two digits stand, for each more, on the other side, and of the
// strokes of boards without labels
const [ASIDE, DIGIT, BESIDE, OTHER] = [26, 8, 14, 5];
// pixels that a cell takes at least in the usual view of boards with planes along one, two or more axes
const LEAST = [44, 27, 28.75];
const NARROW = 27; // and in the other views, before the planes are shown one by one
const PARTS = 4; // of a square of the paper, and of a pixel: sizes are a whole number of them

/**
 * The first view in which cells are large enough.
 * @param {Game} game
 * @param {number} plane one that is to be seen
 * @param {number} width pixels that there are
 * @param {number} height pixels that are wanted for it
 */
export function sizeOf(game, plane, width, height) {
  const { views } = game.board;
  const sizes = views.map((view) => squaresIn(new Space(game, null, view), width, height));
  const usual = LEAST[Math.min(game.shape.length - 3, LEAST.length - 1)] ?? 0;
  const found = sizes.findIndex((squares, number) => squares * SQUARE >= (number ? NARROW : usual));
  const view = found < 0 ? views.length - 1 : found;
  const count = views[view].origins.length;
  return { only: count < game.layout.planes ? plane - (plane % count) : null, view, squares: sizes[view] };
}

/**
 * The free pixels before and behind a board.
 * @param {Space} space
 * @returns {[number, number]}
 */
export function besideOf(space) {
  if (!space.isLettered) return [OTHER, OTHER];
  return [ASIDE + DIGIT * Math.max(0, String(space.layout.rows).length - 2), BESIDE];
}

/**
 * The most squares of paper that a cell can take if everything fits.
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
