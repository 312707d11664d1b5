// Places of the cells of a board with three or more dimensions in the 3D view.

import { s } from "./dom.js";
import { CELL, Space } from "./board_geometry.js";

/** @typedef {import("./board_geometry.js").Game} Game */
/** @typedef {import("./board_geometry.js").Point} Point */
/**
 * @typedef {{yaw: number, pitch: number}} Angle degrees to the side and from above
 */
/**
 * @typedef {{f: number, x: number, y: number}} Seen the place of a point in the picture, and its scale
 */

/** The largest number of cells with a 3D view, since all of them move in every frame. */
export const MAX_CELLS = 1000;

const EYE = 6; // the distance of the camera in half diagonals
/** The size of a mark as a part of the distance to the next cell. */
export const BILLBOARD = 0.62;
const STEEPEST = 80;
const USUAL = 24; // the steepest angle at which a board keeps its size
const BORDER = 40;
const PALEST = 0.8; // keeps the contrast of every colour above 3 to 1, on backgrounds too

/** Limit an angle to the allowed range. @param {Angle} angle @returns {Angle} */
export function held({ yaw, pitch }) {
  return { yaw: ((yaw % 360) + 360) % 360, pitch: Math.max(-STEEPEST, Math.min(STEEPEST, pitch)) };
}

/** Return the number of cubes: one for each place along the axes beyond the third. @param {Game} game */
const cubesOf = (game) => game.shape.slice(0, -3).reduce((product, side) => product * side, 1);

/** A board in the 3D view: its planes form stacks, and cubes of further dimensions are side by side. */
export class View3D extends Space {
  /** @param {Game} game @param {number} across the number of cubes in a row @param {Angle} angle */
  constructor(game, across, angle) {
    super(game);
    const { rows, columns } = game.layout;
    this.storeys = game.shape[game.shape.length - 3];
    this.across = across;
    this.rise = CELL * (1 + Math.min(1, 4 / this.storeys));
    this.half = [(columns / 2) * CELL, (rows / 2) * CELL, ((this.storeys - 1) / 2) * this.rise];
    this.eye = EYE * Math.hypot(...this.half);
    this.zoom = 1;
    this.cosYaw = this.cosPitch = 1;
    this.sinYaw = this.sinPitch = 0;
    this.most = this.reach();
    this.box = 2 * (this.most[0] + BORDER);
    this.tall = 2 * (this.most[1] + BORDER);
    this.width = this.box * across;
    this.height = this.tall * Math.ceil(cubesOf(game) / across);
    /** @type {Seen[]} */ this.seen = [];
    this.turn(angle);
  }

  /** Return the largest distance of the corners from the middle at all angles. @returns {Point} */
  reach() {
    const reaches = Array.from(
      { length: 24 },
      (_, step) => (this.face({ yaw: 15 * step, pitch: step % 2 ? USUAL : -USUAL }), this.extent()),
    );
    return [Math.max(...reaches.map((reach) => reach[0])), Math.max(...reaches.map((reach) => reach[1]))];
  }

  /** Return the distance of the corners from the middle at the present angle. @returns {Point} */
  extent() {
    const [x, z, y] = this.half;
    const corners = [-x, x].flatMap((right) =>
      [-z, z].flatMap((near) => [-y, y].map((low) => this.project(right, low, near)))
    );
    return [
      Math.max(...corners.map((corner) => Math.abs(corner.x))),
      Math.max(...corners.map((corner) => Math.abs(corner.y))),
    ];
  }

  /** @param {Angle} angle */
  face({ yaw, pitch }) {
    const [side, above] = [(yaw * Math.PI) / 180, (pitch * Math.PI) / 180];
    this.cosYaw = Math.cos(side);
    this.sinYaw = Math.sin(side);
    this.cosPitch = Math.cos(above);
    this.sinPitch = Math.sin(above);
  }

  /**
   * Return the place and scale of a point of a cube in perspective.
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @returns {Seen}
   */
  project(x, y, z) {
    const { cosYaw, sinYaw, cosPitch, sinPitch } = this;
    const deep = z * cosYaw - x * sinYaw;
    const f = this.eye / (this.eye - deep * cosPitch + y * sinPitch);
    return { f, x: (x * cosYaw + z * sinYaw) * f, y: (y * cosPitch + deep * sinPitch) * f };
  }

  /** Set the angle. @param {Angle} angle */
  turn(angle) {
    this.face(angle);
    const [wide, high] = this.extent();
    this.zoom = Math.min(1, this.most[0] / wide, this.most[1] / high);
    const { planes, rows, columns } = this.layout;
    this.seen = [];
    for (let plane = 0; plane < planes; plane++) {
      for (let row = 0; row < rows; row++) {
        for (let column = 0; column < columns; column++) {
          this.seen.push(this.point(plane, row + 0.5, column + 0.5));
        }
      }
    }
    const sizes = this.seen.map((seen) => seen.f);
    this.far = Math.min(...sizes);
    this.near = Math.max(...sizes);
  }

  /**
   * Return the place of a point of a plane in the picture.
   * @param {number} plane
   * @param {number} row
   * @param {number} column
   * @returns {Seen}
   */
  point(plane, row, column) {
    const cube = Math.floor(plane / this.storeys);
    const { f, x, y } = this.project(
      column * CELL - this.half[0],
      (plane % this.storeys) * this.rise - this.half[2],
      row * CELL - this.half[1],
    );
    return {
      f: f * this.zoom,
      x: x * this.zoom + this.box * ((cube % this.across) + 0.5),
      y: y * this.zoom + this.tall * (Math.floor(cube / this.across) + 0.5),
    };
  }

  /** @override */
  get isFlat() {
    return false;
  }

  /** @override @param {number} index @returns {Point} */
  centre(index) {
    return [this.seen[index].x, this.seen[index].y];
  }

  /** Return the transform of the content of a cell, drawn in a box of 100. @param {number} index */
  placing(index, part = BILLBOARD) {
    const { f, x, y } = this.seen[index];
    const size = f * part;
    return `matrix(${size.toFixed(3)} 0 0 ${size.toFixed(3)} ${(x - 50 * size).toFixed(1)} ${
      (y - 50 * size).toFixed(1)
    })`;
  }

  /** Return the opacity of a cell. Distant cells are paler. @param {number} index */
  firmness(index) {
    const part = (this.seen[index].f - (this.far ?? 0)) / ((this.near ?? 0) - (this.far ?? 0) || 1);
    return (PALEST + (1 - PALEST) * part).toFixed(2);
  }

  /** @override @param {number} index */
  patch(index) {
    const [plane, row, column] = this.place(index);
    return this.outline(plane, row + 0.04, column + 0.04, row + 0.96, column + 0.96);
  }

  /**
   * @param {number} plane
   * @param {number} top
   * @param {number} left
   * @param {number} bottom
   * @param {number} right
   */
  outline(plane, top, left, bottom, right) {
    const corners = [[top, left], [top, right], [bottom, right], [bottom, left]];
    return `M${corners.map(([row, column]) => this.at(plane, row, column)).join("L")}Z`;
  }

  /** @param {number} plane @param {number} row @param {number} column */
  at(plane, row, column) {
    const { x, y } = this.point(plane, row, column);
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  }

  /** Return the sheet of a plane. @param {number} plane */
  sheet(plane) {
    return this.outline(plane, 0, 0, this.layout.rows, this.layout.columns);
  }

  /** Return the sheets of the planes with their thin lines, and the floor on which marks land. */
  sheets() {
    const { rows, columns, drops } = this.layout;
    const lines = this.planes.flatMap((plane) => [
      ...Array.from(
        { length: rows - 1 },
        (_, row) => `M${this.at(plane, row + 1, 0)}L${this.at(plane, row + 1, columns)}`,
      ),
      ...Array.from(
        { length: columns - 1 },
        (_, column) => `M${this.at(plane, 0, column + 1)}L${this.at(plane, rows, column + 1)}`,
      ),
    ]);
    const floors = drops ? this.planes.slice(-this.planes.length / this.game.shape[0]) : [];
    const outlines = (/** @type {number[]} */ planes) => planes.map((plane) => this.sheet(plane)).join("");
    return [
      s("path", { class: "leaf", d: outlines(this.planes) }),
      s("path", { class: "faint", d: lines.join("") }),
      s("path", { class: "thin", d: outlines(this.planes) }),
      floors.length ? s("path", { class: "floor", d: outlines(floors) }) : null,
    ];
  }

  /** Return the numbers of the planes, each at the leftmost corner of its sheet. @param {number} size */
  numbers(size) {
    const { rows, columns } = this.layout;
    return this.planes.map((plane) => {
      const corners = [[0, 0], [0, columns], [rows, 0], [rows, columns]].map(([row, column]) =>
        this.point(plane, row, column)
      );
      const left = corners.reduce((best, corner) => (corner.x < best.x ? corner : best));
      return s("text", {
        class: "coord",
        x: left.x - 0.5 * size,
        y: left.y + 0.36 * size,
        "text-anchor": "end",
        "font-size": size,
      }, this.board.planes[plane].label);
    });
  }

  /** Return the cells from the farthest to the nearest. @returns {number[]} */
  order() {
    const { planes, rows, columns } = this.layout;
    const run = (/** @type {number} */ length, /** @type {boolean} */ isBack) =>
      Array.from({ length }, (_, step) => (isBack ? length - 1 - step : step));
    const [backPlanes, backRows, backColumns] = this.octant;
    return run(planes, backPlanes).flatMap((plane) =>
      run(rows, backRows).flatMap((row) =>
        run(columns, backColumns).map((column) => this.index(plane, row, column))
      )
    );
  }

  /** For each axis, whether the last cell is farther than the first. @returns {boolean[]} */
  get octant() {
    return [this.sinPitch > 0, this.cosYaw < 0, this.sinYaw > 0];
  }

  /** Return the cell nearest to a place of the picture, or null if none is near. @param {Point} place */
  nearest([x, y]) {
    let [best, index] = [(0.8 * CELL) ** 2, /** @type {number | null} */ (null)];
    this.seen.forEach((seen, number) => {
      const far = (seen.x - x) ** 2 + (seen.y - y) ** 2;
      if (far < best) [best, index] = [far, number];
    });
    return index;
  }
}
