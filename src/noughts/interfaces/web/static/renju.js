// Renju: the points that are forbidden to Black, the side number 0, by the rules of noughts.games.renju.

const EMPTY = -1;
const BLACK = 0;
const EDGE = 1; // a cell of the border, like one of the other side
const FEWEST = 4; // stones of Black before a point can be forbidden

/** @typedef {"free" | "wins" | "6" | "44" | "33"} Verdict */

/** A board with a border, on which stones are tried. */
class Grid {
  /** @param {number[]} shape @param {Int8Array} cells */
  constructor([rows, columns], cells) {
    this.columns = columns;
    this.stride = columns + 1;
    this.points = new Int8Array(this.stride * (rows + 2) + 1).fill(EDGE);
    cells.forEach((mark, cell) => (this.points[this.pointOf(cell)] = mark));
    this.steps = [1, this.stride - 1, this.stride, this.stride + 1];
  }

  /** @param {number} cell */
  pointOf(cell) {
    return (Math.floor(cell / this.columns) + 1) * this.stride + (cell % this.columns);
  }

  /** Return the first point after another without a stone of Black. @param {number} point @param {number} step */
  end(point, step) {
    do point += step; while (this.points[point] === BLACK);
    return point;
  }

  /** Return true if each end of a row of four makes exactly five. @param {number} left @param {number} right @param {number} step */
  isStraight(left, right, step) {
    const { points } = this;
    return points[left] === EMPTY && points[right] === EMPTY && points[left - step] !== BLACK &&
      points[right + step] !== BLACK;
  }

  /** Return the verdict on a move of Black. @param {number} point @returns {Verdict} */
  judge(point) {
    this.points[point] = BLACK;
    const found = this.direct(point);
    /** @type {Verdict} */ let verdict = "free";
    if (typeof found === "string") verdict = found;
    else {
      let threes = 0;
      for (const [number, fours] of found.entries()) {
        if (threes + found.length - number < 2) break;
        if (fours.some((four) => this.judge(four) === "free")) threes++;
        if (threes === 2) break;
      }
      if (threes === 2) verdict = "33";
    }
    this.points[point] = EMPTY;
    return verdict;
  }

  /**
   * Return the direct effect of a stone just put on a point: a verdict, or for each direction with a three the
   * points that make it a straight four.
   * @param {number} point
   * @returns {Verdict | number[][]}
   */
  direct(point) {
    const { points } = this;
    let isOverline = false;
    let fours = 0;
    /** @type {number[][]} */ const threes = [];
    for (const step of this.steps) {
      const [left, right] = [this.end(point, -step), this.end(point, step)];
      const row = (right - left) / step - 1;
      if (row === 5) return "wins";
      if (row > 5) {
        isOverline = true;
        continue;
      }
      const farLeft = points[left] === EMPTY ? this.end(left, -step) : left;
      const farRight = points[right] === EMPTY ? this.end(right, step) : right;
      const byLeft = farLeft === left ? 0 : (right - farLeft) / step - 1;
      const byRight = farRight === right ? 0 : (farRight - left) / step - 1;
      const fives = Number(byLeft === 5) + Number(byRight === 5);
      fours += row < 4 ? fives : Math.min(fives, 1);
      const three = [];
      if (byLeft === 4 && this.isStraight(farLeft, right, step)) three.push(left);
      if (byRight === 4 && this.isStraight(left, farRight, step)) three.push(right);
      if (three.length) threes.push(three);
    }
    if (isOverline) return "6";
    if (fours > 1) return "44";
    return threes.length > 1 ? threes : "free";
  }
}

/** @param {Int8Array} cells */
const areFew = (cells) => cells.reduce((count, mark) => count + Number(mark === BLACK), 0) < FEWEST;

/** Return true if Black may not play a cell. @param {number[]} shape @param {Int8Array} cells @param {number} cell */
export function isForbidden(shape, cells, cell) {
  if (areFew(cells)) return false;
  const grid = new Grid(shape, cells);
  return !["free", "wins"].includes(grid.judge(grid.pointOf(cell)));
}

/** Return the cells that are forbidden to Black, with the reasons. @param {number[]} shape @param {Int8Array} cells */
export function forbiddenPoints(shape, cells) {
  /** @type {Map<number, string>} */ const found = new Map();
  if (areFew(cells)) return found;
  const grid = new Grid(shape, cells);
  cells.forEach((mark, cell) => {
    if (mark !== EMPTY) return;
    const verdict = grid.judge(grid.pointOf(cell));
    if (verdict !== "free" && verdict !== "wins") found.set(cell, verdict);
  });
  return found;
}
