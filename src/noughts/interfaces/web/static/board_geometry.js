// The places, names and neighbours of a board's cells, as the server describes them once for each game.

import { ask } from "./api.js";

/** @typedef {[number, number]} Point */
/**
 * @typedef {Api.BoardMessage["labels"][number]} Label its place, its shift for each unit of letter height,
 * its anchor, its text, and whether it is bold
 */
/**
 * @typedef {Api.BoardArrangement} View an arrangement of the planes, or of a group of them
 */
/**
 * @typedef
 * {Pick<Api.GameMessage, "name" | "title" | "shape" | "layout" | "sides"> & {board: Api.BoardMessage}} Game
 */

export const CELL = 100;
const STRIP = 60;

/** @type {Map<string, Promise<Api.BoardMessage>>} */ const described = new Map();

/**
 * Return a game with its board, which is loaded from the server.
 * @template {{name: string}} T
 * @param {T} game
 */
export async function withBoard(game) {
  const { name } = game;
  const board = described.get(name) ?? ask(`/api/board?game=${encodeURIComponent(name)}`);
  described.set(name, board);
  try {
    return { ...game, board: await board };
  } catch (error) {
    described.delete(name); // the next call requests it again
    throw error;
  }
}

/** The geometry of a board or of some of its planes. */
export class Space {
  /**
   * @param {Game} game
   * @param {number | null} only the first drawn plane if not all are drawn
   * @param {View} view the arrangement, by default the usual one or one for a single plane
   */
  constructor(game, only = null, view = game.board.views[only === null ? 0 : game.board.views.length - 1]) {
    this.game = game;
    this.layout = game.layout;
    this.board = game.board;
    this.view = view;
    this.first = only ?? 0;
    this.width = view.size[0];
    this.height = view.size[1];
  }

  /** The planes that are drawn. @returns {number[]} */
  get planes() {
    return this.view.origins.map((_, number) => this.first + number);
  }

  /** Whether all planes are drawn. */
  get isWhole() {
    return this.view.origins.length === this.layout.planes;
  }

  /** Whether planes are drawn side by side and not in the 3D view. */
  get isFlat() {
    return true;
  }

  /** Whether a line through planes is drawn straight. */
  get isStraight() {
    return this.view === this.board.views[0] || !this.isWhole;
  }

  /** Whether the cells of a plane are squares. */
  get hasSquares() {
    const { across, down } = this.board.tiling;
    return across[0] === CELL && down[0] === 0 && down[1] === CELL;
  }

  /** Whether rows have numbers from below, and columns letters. */
  get isLettered() {
    return this.game.shape.length > 1 && !this.layout.gravity && !this.layout.drops;
  }

  /** Return the plane, row and column of a cell. @param {number} index */
  place(index) {
    const { rows, columns } = this.layout;
    const rest = index % (rows * columns);
    return [Math.floor(index / (rows * columns)), Math.floor(rest / columns), rest % columns];
  }

  /** @param {number} plane @param {number} row @param {number} column */
  index(plane, row, column) {
    return (plane * this.layout.rows + row) * this.layout.columns + column;
  }

  /** Return true if a cell is in a drawn plane. @param {number} index */
  isDrawn(index) {
    const plane = this.place(index)[0] - this.first;
    return plane >= 0 && plane < this.view.origins.length;
  }

  /** Return the upper left corner of a plane. @param {number} plane @returns {Point} */
  origin(plane) {
    return this.view.origins[plane - this.first];
  }

  /**
   * Return the upper left corner of the content of a cell, a box of 100.
   * @param {number} index
   * @returns {Point}
   */
  corner(index) {
    const [x, y] = this.centre(index);
    return [x - CELL / 2, y - CELL / 2];
  }

  /** Return the middle of a cell. @param {number} index @returns {Point} */
  centre(index) {
    const [x, y] = this.board.centres[index];
    const plane = this.place(index)[0];
    const [[left, top], [right, low]] = [this.board.planes[plane].origin, this.origin(plane)];
    return [x - left + right, y - top + low];
  }

  /** Return the outline of the inner part of a cell. @param {number} index @param {number} part */
  patch(index, part = 0.96) {
    const [x, y] = this.centre(index);
    return `M${
      this.board.tiling.corners.map(([right, low]) => `${x + part * right} ${y + part * low}`).join("L")
    }Z`;
  }

  /** Return the column of a cell through all planes if marks fall, or else the cell. @param {number} index */
  columnOf(index) {
    return this.board.drops ? index % this.board.drops : index;
  }

  /** The widths of the strips beyond joined edges: at the sides, and above and below. @returns {Point} */
  get strips() {
    const [across, down] = this.game.shape.length > 2 ? [] : this.board.wraps;
    return [across ? STRIP : 0, down ? STRIP : 0];
  }

  /** Return the field of a cell in reading order, or null on boards without fields. @param {number} index */
  fieldOf(index) {
    const [down, across] = this.layout.fields;
    if (!down || !across) return null;
    const [, row, column] = this.place(index);
    return Math.floor(row / down) * (this.layout.columns / across) + Math.floor(column / across);
  }

  /** Return the name of a cell in moves, which is its column if marks fall. @param {number} index */
  moveName(index) {
    return this.board.drops ? String(this.columnOf(index) + 1) : this.board.names[index];
  }

  /**
   * Return the cells of a line in runs of neighbours. A line across joined edges has several.
   * @param {number[]} line
   */
  runs(line) {
    const { shape } = this.game;
    const strides = shape.map((_, axis) =>
      shape.slice(axis + 1).reduce((product, side) => product * side, 1)
    );
    /** @type {number[][]} */ const runs = [];
    /** @type {number[]} */ let before = [];
    for (const index of line) {
      const cell = shape.map((side, axis) => Math.floor(index / strides[axis]) % side);
      if (!before.length || cell.some((part, axis) => Math.abs(part - before[axis]) > 1)) runs.push([]);
      runs[runs.length - 1].push(index);
      before = cell;
    }
    return runs;
  }

  /**
   * Return the cell to which a key leads. An arrow at the edge of a plane leads to the next plane.
   * @param {number} index
   * @param {string} key
   */
  step(index, key) {
    const { rows, columns } = this.layout;
    const first = index - (index % columns);
    if (key === "Home") return first;
    if (key === "End") return first + columns - 1;
    if (key in this.board.steps) return this.board.steps[key][index];
    const beyond = index + (key === "PageDown" ? 1 : -1) * rows * columns;
    return this.board.centres[beyond] ? beyond : index;
  }
}
