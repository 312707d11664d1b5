// @ts-check
// Where the cells of a board stand, what they are called, and where a step leads;
// as in noughts.games.drawing.layout, space and steps, and noughts.interfaces.naming.

/** @typedef {[number, number]} Point */
/** @typedef {{planes: number, rows: number, columns: number, gravity: boolean, fields: number[], tiles: boolean, drops: boolean}} Layout */
/** @typedef {{shape: number[], layout: Layout, sides: string[], name?: string, title?: string, rules?: string}} Game */

export const CELL = 100;
const STAIR = 150;
const SMALL = 5;

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

/** How a game wants its board drawn, and where each cell is. */
export class Space {
  /** @param {Game} game @param {number | null} only the one plane that is drawn, or all */
  constructor(game, only = null) {
    this.game = game;
    this.layout = game.layout;
    this.shape = game.shape;
    this.only = only;
    const { planes, rows, columns } = game.layout;
    this.above = planes > 1 ? game.shape.slice(0, -2) : [];
    /** @type {Point[]} */ this.steps = [];
    this.width = columns * CELL;
    this.height = rows * CELL;
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

  /** Whether the lines are drawn by pen, as # is. */
  get isByPen() {
    const { planes, rows, columns, gravity, tiles, fields } = this.layout;
    const special = gravity || tiles || fields.every(Boolean);
    return !special && rows <= SMALL && columns <= SMALL && (planes === 1 || Math.max(rows, columns) <= 3);
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

  /** The upper left corner of a cell. @param {number} index @returns {Point} */
  corner(index) {
    const [plane, row, column] = this.place(index);
    const [x, y] = this.origin(plane);
    return [x + column * CELL, y + row * CELL];
  }

  /** The middle of a cell. @param {number} index @returns {Point} */
  centre(index) {
    const [x, y] = this.corner(index);
    return [x + CELL / 2, y + CELL / 2];
  }

  /** The outline of what lies in a cell, or in a square of so many cells from it. @param {number} index @param {number} wide */
  patch(index, wide = 1) {
    const [x, y] = this.corner(index);
    const side = wide * CELL - 4;
    return `M${x + 2} ${y + 2}h${side}v${side}h${-side}Z`;
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

  /** What a move on a cell is called. @param {number | null} index @param {string} mark */
  moveName(index, mark = "") {
    if (index === null) return "";
    return mark + (this.drops ? String(this.dropOf(index) + 1) : this.cellName(index));
  }

  /** Rows and columns of the dots on a large flat board. @returns {number[]} */
  get stars() {
    const { planes, rows, columns, gravity, tiles, fields } = this.layout;
    if (planes > 1 || gravity || tiles || fields.some(Boolean) || Math.min(rows, columns) < 9) return [];
    const lines = (/** @type {number} */ side) => {
      const edge = side >= 13 ? 3 : 2;
      return side % 2 && side >= 17 ? [edge, (side - 1) / 2, side - 1 - edge] : [edge, side - 1 - edge];
    };
    const found = lines(rows).flatMap(row => lines(columns).map(column => this.index(0, row, column)));
    if (rows % 2 && columns % 2) found.push(this.index(0, (rows - 1) / 2, (columns - 1) / 2));
    return [...new Set(found)];
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
