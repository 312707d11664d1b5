// The places and names of a board's cells, and the steps between them: the server describes them once a game.

import { ask } from "./api.js";

/** @typedef {[number, number]} Point */
/**
 * @typedef {Api.BoardMessage["labels"][number]} Label where it stands, how far it moves for each unit that
 * letters are high, its anchor, its text, whether it is strong
 */
/** @typedef {Api.BoardArrangement} View how planes stand: so many of them, from the first that is drawn */
/**
 * @typedef
 * {Pick<Api.GameMessage, "name" | "title" | "shape" | "layout" | "sides"> & {board: Api.BoardMessage}} Game
 */

export const CELL = 100;
const STRIP = 60;

/** @type {Map<string, Promise<Api.BoardMessage>>} */ const described = new Map();

/**
 * A game with its board, which the server describes.
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
    described.delete(name); // it is asked for again
    throw error;
  }
}

/** A board, or some of its planes. */
export class Space {
  /**
   * @param {Game} game
   * @param {number | null} only the first plane that is drawn, where not all are
   * @param {View} view how they stand; else the usual way, or one for itself
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

  /** True if all planes are drawn. */
  get isWhole() {
    return this.view.origins.length === this.layout.planes;
  }

  /** True if planes lie beside one another on the sheet, and are not seen in space. */
  get isFlat() {
    return true;
  }

  /** True if planes stand so that a line through them is straight. */
  get isStraight() {
    return this.view === this.board.views[0] || !this.isWhole;
  }

  /** True if rows have numbers from below, and columns letters. */
  get isLettered() {
    return this.game.shape.length > 1 && !this.layout.gravity && !this.layout.drops;
  }

  /** The plane, row and column of a cell. @param {number} index */
  place(index) {
    const { rows, columns } = this.layout;
    const rest = index % (rows * columns);
    return [Math.floor(index / (rows * columns)), Math.floor(rest / columns), rest % columns];
  }

  /** @param {number} plane @param {number} row @param {number} column */
  index(plane, row, column) {
    return (plane * this.layout.rows + row) * this.layout.columns + column;
  }

  /** True if a cell is in a plane that is drawn. @param {number} index */
  isDrawn(index) {
    const plane = this.place(index)[0] - this.first;
    return plane >= 0 && plane < this.view.origins.length;
  }

  /** The upper left corner of a plane. @param {number} plane @returns {Point} */
  origin(plane) {
    return this.view.origins[plane - this.first];
  }

  /** The upper left corner of what a cell holds, a box of 100. @param {number} index @returns {Point} */
  corner(index) {
    const [x, y] = this.centre(index);
    return [x - CELL / 2, y - CELL / 2];
  }

  /** The middle of a cell. @param {number} index @returns {Point} */
  centre(index) {
    const [x, y] = this.board.centres[index];
    const plane = this.place(index)[0];
    const [[left, top], [right, low]] = [this.board.planes[plane].origin, this.origin(plane)];
    return [x - left + right, y - top + low];
  }

  /** The outline of what lies in a cell. @param {number} index @param {number} part */
  patch(index, part = 0.96) {
    const [x, y] = this.centre(index);
    return `M${
      this.board.tiling.corners.map(([right, low]) => `${x + part * right} ${y + part * low}`).join("L")
    }Z`;
  }

  /**
   * The column of a cell through all planes if marks fall; else the cell itself.
   * @param {number} index
   */
  columnOf(index) {
    return this.board.drops ? index % this.board.drops : index;
  }

  /**
   * The strips beyond joined sides that are seen: beside the board, and above and below it.
   * @returns {Point}
   */
  get strips() {
    const [across, down] = this.game.shape.length > 2 ? [] : this.board.wraps;
    return [across ? STRIP : 0, down ? STRIP : 0];
  }

  /** The field that a cell is in, in reading order; null on boards without fields. @param {number} index */
  fieldOf(index) {
    const [down, across] = this.layout.fields;
    if (!down || !across) return null;
    const [, row, column] = this.place(index);
    return Math.floor(row / down) * (this.layout.columns / across) + Math.floor(column / across);
  }

  /** The name of a cell in moves: its column if marks fall. @param {number} index */
  moveName(index) {
    return this.board.drops ? String(this.columnOf(index) + 1) : this.board.names[index];
  }

  /**
   * The cells of a line in runs of neighbours: several where it leaves the board and comes back.
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
   * The cell to which a key leads: an arrow at the edge of a plane goes on in the next.
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
