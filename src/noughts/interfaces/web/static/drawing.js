// @ts-check
// What a board is drawn with: lines, marks, the sign of the last move, the stroke through a won line.

import { NOTHING, forcedField, valuesOf } from "./annotations.js";
import { at, s } from "./dom.js";
import { CELL, Space, columnLetters } from "./layout.js";
import { markPath, plain, ruled, struck, variantOf } from "./pen.js";

/** @typedef {import("./layout.js").Game} Game */
/** @typedef {[number, number]} Point */
/** @typedef {{cell: number, open: number[][], shut: number[][]}} Through the lines through a cell: those that a side can still fill, and the others */
/** @typedef {{text: string, worth: "win" | "draw" | "loss"}} Worth */
/** @typedef {{cells: (string | null)[], last?: number[], lines?: number[][], annotations?: import("./annotations.js").Annotations}} Facts what stands on a board */

const OVERSHOOT = 11;
const REACH = 33;
const PAST_THE_EDGE = 70;
/** How high the labels of a board are. */
export const LABEL_PIXELS = 13.5;

/** The colour class of a side. @param {string} mark */
export function inkOf(mark) {
  return { X: "x", O: "o", Z: "z" }[mark] ?? "pen";
}

/** A mark at a place; its path is made once for the whole page. @param {string} mark @param {number} variant @param {Point} place @param {number} size @param {string} more */
export function markAt(mark, variant, [x, y], size = CELL, more = "") {
  const path = markPath(mark, variant);
  if (!path) {
    const middle = { x: x + size / 2, y: y + size * 0.75, "font-size": size * 0.7, "text-anchor": "middle" };
    return s("text", { class: `letter ${inkOf(mark)} ${more}`, ...middle }, mark);
  }
  const id = `mark-${mark}-${variant}`;
  if (!document.getElementById(id)) at("marks").append(s("symbol", { id, viewBox: "0 0 100 100" }, s("path", { d: path })));
  return s("use", { href: `#${id}`, x, y, width: size, height: size, class: `${inkOf(mark)} ${more}` });
}

/** A mark beside a name. @param {string} mark @param {string} more */
export function glyph(mark, more = "") {
  return s("svg", { class: `glyph ${inkOf(mark)} ${more}`, viewBox: "0 0 100 100", "aria-hidden": "true", focusable: "false" }, markAt(mark, 0, [0, 0]));
}

/** The lines of a board. @param {Space} space */
export function rulingOf(space) {
  const { rows, columns, gravity, drops, fields, planes } = space.layout;
  const high = rows * CELL;
  const wide = columns * CELL;
  /** @type {string[]} */ const pen = [];
  /** @type {string[]} */ const thin = [];
  for (const plane of space.planes) {
    const [x, y] = space.origin(plane);
    if (gravity) {
      for (let column = 1; column < columns; column++) thin.push(`M${column * CELL} 0V${high}`);
      pen.push(ruled([0, -26], [0, high], 9, 0), ruled([wide, -26], [wide, high], 9, 1), ruled([-14, high + 3], [wide + 14, high + 3], 11.7, 2));
    } else if (space.layout.by_pen) {
      for (let column = 1; column < columns; column++) {
        const [middle, tilt] = [x + column * CELL, column % 2 ? 1.5 : -1.5];
        pen.push(ruled([middle + tilt, y - OVERSHOOT], [middle - tilt, y + high + OVERSHOOT], 5.3, column));
      }
      for (let row = 1; row < rows; row++) {
        const [middle, tilt] = [y + row * CELL, row % 2 ? 1.2 : -1.2];
        pen.push(ruled([x - OVERSHOOT, middle - tilt], [x + wide + OVERSHOOT, middle + tilt], 5.3, row + 1));
      }
    } else if (space.isSlanted) thin.push(...space.sides);
    else {
      for (let column = 0; column <= columns; column++) thin.push(`M${x + column * CELL} ${y}V${y + high}`);
      for (let row = 0; row <= rows; row++) thin.push(`M${x} ${y + row * CELL}H${x + wide}`);
    }
    if (drops && plane >= planes - planes / space.shape[0]) {
      const floor = y + high + 9;
      pen.push(ruled([x - OVERSHOOT, floor], [x + wide + OVERSHOOT, floor], 9, plane));
    }
  }
  for (let column = fields[1]; fields[1] && column < columns; column += fields[1]) pen.push(ruled([column * CELL, -OVERSHOOT], [column * CELL, high + OVERSHOOT], 9, column));
  for (let row = fields[0]; fields[0] && row < rows; row += fields[0]) pen.push(ruled([-OVERSHOOT, row * CELL], [wide + OVERSHOOT, row * CELL], 9, row + 1));
  return [thin.length ? s("path", { class: "thin", d: thin.join("") }) : null, pen.length ? s("path", { class: "pen", d: pen.join("") }) : null];
}

/** Letters and numbers outside, and the numbers of planes. @param {Space} space @param {number} scale pixels a hundredth of a cell takes @param {boolean} isBelow whether numbers of rows stand one below the other, though the rows may not */
export function labelsOf(space, scale, isBelow = false) {
  const size = LABEL_PIXELS / scale;
  const { rows, columns } = space.layout;
  /** @type {SVGElement[]} */ const found = [];
  const write = (/** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ anchor, /** @type {string} */ text) =>
    found.push(s("text", { class: "coord", x: plain(x), y: plain(y), "text-anchor": anchor, "font-size": plain(size) }, text));
  if (space.isLettered) {
    const below = space.height + (space.isSlanted ? 0.6 * size : OVERSHOOT + 1.3 * size);
    for (let column = 0; column < columns; column++) {
      write(space.centre(space.index(0, rows - 1, column))[0], below, "middle", columnLetters(column));
    }
    for (let row = 0; row < rows; row++) write((isBelow ? 0 : row * space.tiling.down[0]) - 0.9 * size, space.centre(space.index(0, row, 0))[1] + 0.36 * size, "end", String(rows - row));
  }
  for (const plane of space.planes) {
    const label = space.only === null ? space.planeLabel(plane) : "";
    const [x, y] = space.origin(plane);
    if (label) write(x, y - 0.55 * size - (space.layout.by_pen ? OVERSHOOT : 0), "start", label);
  }
  return found;
}

/** What lies under the lines: washes of won cells, closed and decided fields, the gap of a puzzle, star points. @param {Space} space @param {Facts} facts */
export function washesOf(space, { cells, lines = [], annotations = NOTHING }) {
  const drawn = new Set(space.planes);
  const box = (/** @type {number} */ index, /** @type {string} */ kind) => s("path", { class: kind, d: space.patch(index) });
  const found = [...new Set(lines.flat())].filter(index => drawn.has(space.place(index)[0])).map(index => box(index, `${cells[index] ? inkOf(String(cells[index])) : "none"}-wash wash`));
  if (space.layout.tiles) cells.forEach((tile, index) => tile === null && found.push(box(index, "shade")));
  found.push(...fieldsOf(space, annotations));
  for (const index of space.layout.stars.filter(star => !cells[star])) {
    const [x, y] = space.centre(index);
    found.push(s("circle", { class: "star", cx: x, cy: y, r: 7 }));
  }
  return found;
}

/** What lies under fields: a shade on those that are closed or that nobody has, a large mark on those that are won. @param {Space} space @param {import("./annotations.js").Annotations} annotations */
function fieldsOf(space, annotations) {
  const { rows, columns, fields } = space.layout;
  const [down, across] = fields;
  if (!down || !across) return [];
  const [owners, forced] = [valuesOf(annotations.fields, "won"), forcedField(annotations)];
  return Array.from({ length: (rows / down) * (columns / across) }, (_, number) => {
    const index = space.index(0, Math.floor(number / (columns / across)) * down, (number % (columns / across)) * across);
    const [x, y] = space.corner(index);
    const isShaded = (forced !== null && forced !== number) || annotations.fields[number + 1]?.includes("drawn");
    const shade = s("path", { class: "shade", d: `M${x + 2} ${y + 2}h${across * CELL - 4}v${down * CELL - 4}h${4 - across * CELL}Z` });
    const owner = owners.get(number);
    return [...(isShaded ? [shade] : []), ...(owner ? [markAt(owner, variantOf(number), [x, y], across * CELL, "owner")] : [])];
  }).flat();
}

/** The sign of a cell where the rules forbid to place: a small square with one diagonal. @param {Point} corner */
export function forbiddenAt([x, y]) {
  return s("path", { class: "forbidden", d: `M${x + 35} ${y + 35}h30v30h-30ZM${x + 35} ${y + 65}l30 -30` });
}

/** Rings around the cells of a move of which part was said, and dashed ones around those with which it may go on. @param {Space} space @param {number[]} said @param {Set<number>} next */
export function saidRings(space, said, next) {
  const drawn = new Set(space.planes);
  const ring = (/** @type {number} */ index, /** @type {string} */ kind) => (drawn.has(space.place(index)[0]) ? [circleAt(space, index, kind, 40)] : []);
  return said.length ? [...said.flatMap(index => ring(index, "said")), ...[...next].flatMap(index => ring(index, "next"))] : [];
}

/** The strokes through won lines; in pieces that run off the edge where a line goes on at the other side. @param {Space} space @param {number[][]} lines */
export function strikesOf(space, lines) {
  const drawn = new Set(space.planes);
  return lines.flatMap(line => {
    const runs = space.runs(space.only === null ? line : line.filter(index => drawn.has(space.place(index)[0]))).filter(run => run.length);
    if (!runs.length || (space.only !== null && line.length > 1 && runs.every(run => run.length === 1))) return [];
    const longest = runs.reduce((best, run) => (run.length > best.length ? run : best));
    const [one, two] = [space.centre(longest[0]), space.centre(longest[longest.length - 1])];
    const length = Math.hypot(two[0] - one[0], two[1] - one[1]);
    const ahead = length ? [(two[0] - one[0]) / length, (two[1] - one[1]) / length] : [0.7, -0.7];
    const stretch = 1 / Math.max(Math.abs(ahead[0]), Math.abs(ahead[1]));
    return runs.map((run, number) => {
      const near = (number === 0 ? REACH : PAST_THE_EDGE) * stretch;
      const far = (number === runs.length - 1 ? REACH : PAST_THE_EDGE) * stretch;
      const [a, b] = [space.centre(run[0]), space.centre(run[run.length - 1])];
      const d = struck([a[0] - ahead[0] * near, a[1] - ahead[1] * near], [b[0] + ahead[0] * far, b[1] + ahead[1] * far], run.length);
      return s("path", { class: "strike", d });
    });
  });
}

/** What a cell holds, in a box of 100 from a corner. @param {Space} space @param {number} index @param {string | null} mark @param {Point} corner */
export function markOf(space, index, mark, corner) {
  if (mark === null) return null;
  if (!space.layout.tiles) return markAt(mark, variantOf(index), corner, CELL, "mark");
  return s("text", { class: "tile", x: corner[0] + 50, y: corner[1] + 67, "font-size": 46, "text-anchor": "middle" }, mark);
}

/** Brackets around the last move. @param {Point} corner */
export function bracketsAt([x, y]) {
  return s("use", { href: "#here", class: "here", x, y, width: CELL, height: CELL });
}

/** What a move is worth, by shape: a disc, a ring, a dashed square. @param {Point} corner @param {Worth} worth @param {string} side whose colour it has */
export function worthAt([left, top], { text, worth }, side) {
  const [x, y] = [left + CELL / 2, top + CELL / 2];
  const size = Math.min(32, 84 / Math.max(1, text.length));
  const shape = worth === "loss" ? s("path", { d: `M${x - 30} ${y - 30}h60v60h-60Z` }) : s("circle", { cx: x, cy: y, r: 31 });
  return s("g", { class: `val v${worth} ${inkOf(side)}-of` }, shape, s("text", { x, y: y + 0.36 * size, "font-size": size, "text-anchor": "middle" }, text));
}

/** What lies under the lines through a cell. @param {Space} space @param {Through | null | undefined} through */
export function throughWashes(space, through) {
  const drawn = new Set(space.planes);
  const cells = through ? [...new Set([...through.open, ...through.shut].flat())] : [];
  return cells.filter(index => drawn.has(space.place(index)[0])).map(index => s("path", { class: "shade", d: space.patch(index) }));
}

/** The lines through a cell: open ones full with large beads, closed ones dotted with small ones. @param {Space} space @param {Through | null | undefined} through @param {(string | null)[]} cells */
export function throughStrokes(space, through, cells) {
  if (!through) return [];
  const drawn = new Set(space.planes);
  const isDrawn = (/** @type {number} */ index) => drawn.has(space.place(index)[0]);
  /** @type {[string, number[][], number][]} */ const kinds = [["shut", through.shut, 6], ["open", through.open, 11]];
  const found = [];
  for (const [kind, lines, size] of kinds) {
    const runs = lines.flatMap(line => space.runs(line)).map(run => run.filter(isDrawn).map(index => space.centre(index).map(plain).join(" ")));
    found.push(s("path", { class: `through ${kind}`, d: runs.filter(run => run.length > 1).map(run => `M${run.join("L")}`).join("") }));
    const free = [...new Set(lines.flat())].filter(index => isDrawn(index) && cells[index] === null && index !== through.cell);
    found.push(...free.map(index => circleAt(space, index, "bead", size)));
  }
  if (isDrawn(through.cell)) found.push(circleAt(space, through.cell, "aim", 28));
  return found;
}

/** A circle around the middle of a cell. @param {Space} space @param {number} index @param {string} kind @param {number} r */
export function circleAt(space, index, kind, r) {
  const [cx, cy] = space.centre(index);
  return s("circle", { class: kind, cx: plain(cx), cy: plain(cy), r });
}

/** A small picture of a whole board, or of one plane of it. @param {Game} game @param {Facts} facts @param {number | null} only */
export function pictureOf(game, facts, only = null) {
  const space = new Space(game, only);
  const drawn = new Set(space.planes);
  const marks = facts.cells.map((mark, index) => (drawn.has(space.place(index)[0]) ? markOf(space, index, mark, space.corner(index)) : null));
  const parts = [...washesOf(space, facts), ...rulingOf(space), ...marks, ...strikesOf(space, facts.lines ?? [])];
  const picture = s("svg", { class: "pic", viewBox: `0 0 ${space.width} ${space.height}`, "aria-hidden": "true", focusable: "false" }, ...parts);
  picture.style.setProperty("--cw", String(space.width / CELL));
  return picture;
}
