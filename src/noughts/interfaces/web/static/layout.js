// @ts-check
// Where the cells of a board stand, what they are called, and where a step leads;
// as in noughts.drawing.space and steps, and noughts.interfaces.presenting.naming.

import { plain } from "./pen.js";

/** @typedef {[number, number]} Point */
/** @typedef {{across: Point, down: Point, corners: Point[]}} Tiling the steps from column to column and from row to row, and the corners of a cell as seen from its middle */
/** @typedef {{planes: number, rows: number, columns: number, gravity: boolean, fields: number[], tiles: boolean, drops: boolean, by_pen: boolean, stars: number[], tiling: Tiling}} Layout */
/** @typedef {{shape: number[], layout: Layout, sides: string[], name?: string, title?: string, rules?: string}} Game */

export const CELL = 100;
const STAIR = 150;

/** @param {number} index @param {number[]} shape */
export function coordinateOf(index, shape) {
  const found = [];
  for (const side of [...shape].reverse()) {
    found.unshift(index % side);
    index = Math.floor(index / side);
  }
  return found;
}

/** @param {number[]} cell @param {number[]} shape */
export function indexOf(cell, shape) {
  return cell.reduce((index, part, axis) => index * shape[axis] + part, 0);
}

/** The letters of a column: a, b, ... z, aa. @param {number} column */
export function columnLetters(column) {
  let letters = "";
  for (column += 1; column; column = Math.floor((column - 1) / 26)) letters = String.fromCharCode(97 + ((column - 1) % 26)) + letters;
  return letters;
}

/** @param {Point} point */
function paired([x, y]) {
  return `${plain(x)} ${plain(y)}`;
}

/** How a game wants its board drawn, and where each cell is. */
export class Space {
  /** @param {Game} game @param {number | null} only the one plane that is drawn, or all */
  constructor(game, only = null) {
    this.game = game;
    this.layout = game.layout;
    this.shape = game.shape;
    this.only = only;
    const { planes, rows, columns, tiling } = game.layout;
    this.tiling = tiling;
    this.above = planes > 1 ? game.shape.slice(0, -2) : [];
    /** @type {Point[]} */ this.steps = [];
    /** @type {Point} */ this.first = [Math.max(...tiling.corners.map(corner => corner[0])), Math.max(...tiling.corners.map(corner => corner[1]))];
    this.width = 2 * this.first[0] + (columns - 1) * tiling.across[0] + (rows - 1) * tiling.down[0];
    this.height = 2 * this.first[1] + (rows - 1) * tiling.down[1];
    if (only === null) this.spread();
  }

  spread() {
    const end = (/** @type {number} */ extent, /** @type {number} */ side, /** @type {number} */ step) => extent + (side - 1) * step;
    if (this.above.length === 1) {
      this.steps = [[this.width + CELL, STAIR]];
      this.width = end(this.width, this.above[0], this.width + CELL);
      this.height = end(this.height, this.above[0], STAIR);
      return;
    }
    [...this.above].reverse().forEach((side, number) => {
      const apart = CELL * (1 + Math.floor(number / 2));
      if (number % 2 === 0) {
        this.steps.unshift([this.width + apart, 0]);
        this.width = end(this.width, side, this.width + apart);
      } else {
        this.steps.unshift([0, this.height + apart]);
        this.height = end(this.height, side, this.height + apart);
      }
    });
  }

  /** The planes that are drawn. @returns {number[]} */
  get planes() {
    return this.only === null ? Array.from({ length: this.layout.planes }, (_, plane) => plane) : [this.only];
  }

  get isFlat() {
    return this.shape.length === 2;
  }

  get isLettered() {
    return this.isFlat && !this.layout.gravity;
  }

  /** Whether each row stands to the right of the one above. */
  get isSlanted() {
    return this.tiling.down[0] > 0;
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

  /** The upper left corner of a plane. @param {number} plane @returns {Point} */
  origin(plane) {
    if (this.only !== null || !this.above.length) return [0, 0];
    const parts = coordinateOf(plane, this.above);
    const along = (/** @type {0 | 1} */ axis) => this.steps.reduce((sum, step, number) => sum + parts[number] * step[axis], 0);
    return [along(0), along(1)];
  }

  /** The upper left corner of what a cell holds, a box of 100. @param {number} index @returns {Point} */
  corner(index) {
    const [x, y] = this.centre(index);
    return [x - CELL / 2, y - CELL / 2];
  }

  /** The middle of a cell. @param {number} index @returns {Point} */
  centre(index) {
    const [plane, row, column] = this.place(index);
    const [x, y] = this.origin(plane);
    const { across, down } = this.tiling;
    return [x + this.first[0] + column * across[0] + row * down[0], y + this.first[1] + row * down[1]];
  }

  /** The corners of a cell, or of so much of it. @param {number} index @param {number} part @returns {Point[]} */
  corners(index, part = 1) {
    const [x, y] = this.centre(index);
    return this.tiling.corners.map(([right, low]) => [x + part * right, y + part * low]);
  }

  /** The outline of what lies in a cell. @param {number} index @param {number} part */
  patch(index, part = 0.96) {
    return `M${this.corners(index, part).map(paired).join("L")}Z`;
  }

  /** The outline of a whole plane, as straight as it can be. */
  get edge() {
    const wide = 2 * this.first[0] + (this.layout.columns - 1) * this.tiling.across[0];
    return `M0 0H${wide}L${this.width} ${this.height}h${-wide}Z`;
  }

  /** The sides of all cells, each once. */
  get sides() {
    /** @type {Map<string, string>} */ const found = new Map();
    for (let index = 0; index < this.layout.rows * this.layout.columns; index++) {
      const corners = this.corners(index).map(paired);
      corners.forEach((corner, number) => {
        const [one, two] = [corner, corners[(number + 1) % corners.length]].sort();
        found.set(one + two, `M${one}L${two}`);
      });
    }
    return [...found.values()];
  }

  /** The number of a plane, 1.2 where planes have more than one axis. @param {number} plane */
  planeLabel(plane) {
    return this.above.length ? coordinateOf(plane, this.above).map(part => part + 1).join(".") : "";
  }

  /** What a cell is called: b2, or its number. @param {number} index */
  cellName(index) {
    const [, row, column] = this.place(index);
    if (this.isFlat && (!this.layout.gravity || this.layout.tiles)) return columnLetters(column) + (this.layout.rows - row);
    if (this.isFlat) return `${column + 1}.${this.layout.rows - row}`;
    return String(index + 1);
  }

  /** How many columns marks fall in, through all planes where they fall from plane to plane. */
  get drops() {
    const { planes, rows, columns, gravity, drops } = this.layout;
    return gravity ? columns : drops ? (planes * rows * columns) / this.shape[0] : 0;
  }

  /** The number of the column in which a mark falls. @param {number} index */
  dropOf(index) {
    return index % this.drops;
  }

  /** What a cell is called in moves: where marks fall by its column. @param {number} index */
  moveName(index) {
    return this.drops ? String(this.dropOf(index) + 1) : this.cellName(index);
  }

  /** The cells of a line in runs of neighbours: several where it leaves the board and comes back. @param {number[]} line */
  runs(line) {
    /** @type {number[][]} */ const runs = [];
    /** @type {number[] | null} */ let before = null;
    for (const index of line) {
      const cell = coordinateOf(index, this.shape);
      const old = before;
      if (!old || Math.max(...cell.map((part, axis) => Math.abs(part - old[axis]))) > 1) runs.push([]);
      runs[runs.length - 1].push(index);
      before = cell;
    }
    return runs;
  }

  /** The cell to which a key leads, as arrows go on in the neighbouring plane. @param {number} index @param {string} key */
  step(index, key) {
    const { rows, columns, planes } = this.layout;
    const [plane, row, column] = this.place(index);
    const held = (/** @type {number} */ place, /** @type {number} */ size) => Math.max(0, Math.min(place, size - 1));
    if (key === "Home") return this.index(plane, row, 0);
    if (key === "End") return this.index(plane, row, columns - 1);
    if (key === "PageDown" || key === "PageUp") return this.index(held(plane + (key === "PageDown" ? 1 : -1), planes), row, column);
    const across = this.above.at(-1) ?? 1;
    const down = this.above.at(-2) ?? 1;
    const stack = Math.floor(plane / (across * down));
    const high = Math.floor((plane % (across * down)) / across);
    const wide = plane % across;
    if (key === "ArrowLeft" || key === "ArrowRight") {
      const along = held(wide * columns + column + (key === "ArrowRight" ? 1 : -1), across * columns);
      return this.index((stack * down + high) * across + Math.floor(along / columns), row, along % columns);
    }
    if (key !== "ArrowUp" && key !== "ArrowDown") return index;
    const along = held(high * rows + row + (key === "ArrowDown" ? 1 : -1), down * rows);
    return this.index((stack * down + Math.floor(along / rows)) * across + wide, along % rows, column);
  }
}
