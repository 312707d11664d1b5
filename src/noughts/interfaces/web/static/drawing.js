// @ts-check
// What a board is drawn with: lines, marks, the sign of the last move, the stroke through a won line.

import { NOTHING, forcedField, valuesOf } from "./position.js";
import { at, s } from "./dom.js";
import { PEN } from "./pen.js";
import { CELL, Space } from "./space.js";

/** @typedef {import("./space.js").Game} Game */
/** @typedef {[number, number]} Point */
/** @typedef {{cell: number, open: number[][], shut: number[][]}} Through the lines through a cell: those that a side can still fill, and the others */
/** @typedef {{text: string, worth: "win" | "draw" | "loss"}} Worth */
/** @typedef {{cells: (string | null)[], last?: number[], lines?: number[][], annotations?: import("./position.js").Annotations}} Facts what stands on a board */

const VARIANTS = 3;
const REACH = 33;
const PAST_THE_EDGE = 70;
/** How high the labels of a board are. */
export const LABEL_PIXELS = 13.5;

/** Which variant of its mark the cell of an index has, so that no two neighbours look stamped. @param {number} index */
export const variantOf = index => (index + Math.floor(index / VARIANTS)) % VARIANTS;

/** The colour class of a side. @param {string} mark */
export const inkOf = mark => ({ X: "x", O: "o", Z: "z" }[mark] ?? "pen");

/** A mark at a place; its path is made once for the whole page. @param {string} mark @param {number} variant @param {Point} place @param {number} size @param {string} more */
export function markAt(mark, variant, [x, y], size = CELL, more = "") {
  const path = PEN.marks[mark]?.[variant];
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
  const { thin, pen, planes } = space.board;
  return space.planes.map(plane => {
    const ink = pen + planes[plane].floor;
    const place = { transform: `translate(${space.origin(plane).join(" ")})` };
    return s("g", place, thin ? s("path", { class: "thin", d: thin }) : null, ink ? s("path", { class: "pen", d: ink }) : null);
  });
}

/** Letters and numbers outside, and the numbers of planes. @param {Space} space @param {number} scale pixels a hundredth of a cell takes @param {boolean} isBelow whether numbers of rows stand one below the other, though the rows may not */
export function labelsOf(space, scale, isBelow = false) {
  const size = LABEL_PIXELS / scale;
  const labels = space.only === null ? space.board.labels : [];
  const left = Math.min(...labels.map(([x]) => x));
  return labels.map(([x, y, right, low, anchor, text]) => {
    const place = { x: (isBelow && anchor === "end" ? left : x) + right * size, y: y + low * size, "text-anchor": anchor, "font-size": size };
    return s("text", { class: "coord", ...place }, text);
  });
}

/** What lies under the lines: washes of won cells, closed and decided fields, the gap of a puzzle, star points. @param {Space} space @param {Facts} facts */
export function washesOf(space, { cells, lines = [], annotations = NOTHING }) {
  const box = (/** @type {number} */ index, /** @type {string} */ kind) => s("path", { class: kind, d: space.patch(index) });
  const won = [...new Set(lines.flat())].filter(index => space.isDrawn(index)).map(index => box(index, `${cells[index] ? inkOf(String(cells[index])) : "none"}-wash wash`));
  const gaps = space.layout.tiles ? cells.flatMap((tile, index) => (tile === null ? [box(index, "shade")] : [])) : [];
  const stars = space.board.stars.filter(star => !cells[star]).map(star => circleAt(space, star, "star", 7));
  return [...won, ...gaps, ...fieldsOf(space, annotations), ...stars];
}

/** What lies under fields: a shade on those that are closed or that nobody has, a large mark on those that are won. @param {Space} space @param {import("./position.js").Annotations} annotations */
function fieldsOf(space, annotations) {
  const [owners, forced] = [valuesOf(annotations.fields, "won"), forcedField(annotations)];
  return space.board.fields.flatMap(([x, y, wide, high], number) => {
    const isShaded = (forced !== null && forced !== number) || annotations.fields[number + 1]?.includes("drawn");
    const shade = s("path", { class: "shade", d: `M${x + 2} ${y + 2}h${wide - 4}v${high - 4}h${4 - wide}Z` });
    const owner = owners.get(number);
    return [...(isShaded ? [shade] : []), ...(owner ? [markAt(owner, variantOf(number), [x, y], wide, "owner")] : [])];
  });
}

/** The sign of a cell where the rules forbid to place: a small square with one diagonal. @param {Point} corner */
export function forbiddenAt([x, y]) {
  return s("path", { class: "forbidden", d: `M${x + 35} ${y + 35}h30v30h-30ZM${x + 35} ${y + 65}l30 -30` });
}

/** Rings around the cells of a move of which part was said, and dashed ones around those with which it may go on. @param {Space} space @param {number[]} said @param {Set<number>} next */
export function saidRings(space, said, next) {
  const ring = (/** @type {number} */ index, /** @type {string} */ kind) => (space.isDrawn(index) ? [circleAt(space, index, kind, 40)] : []);
  return said.length ? [...said.flatMap(index => ring(index, "said")), ...[...next].flatMap(index => ring(index, "next"))] : [];
}

/** The strokes through won lines; in pieces that run off the edge where a line goes on at the other side. @param {Space} space @param {number[][]} lines */
export function strikesOf(space, lines) {
  return lines.flatMap(line => {
    const runs = space.runs(line.filter(index => space.isDrawn(index)));
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
      return strike([a[0] - ahead[0] * near, a[1] - ahead[1] * near], [b[0] + ahead[0] * far, b[1] + ahead[1] * far]);
    });
  });
}

/** A stroke of the pen that swells and ends tapered. @param {Point} start @param {Point} end */
function strike([x, y], [right, low]) {
  const length = Math.hypot(right - x, low - y);
  const off = (/** @type {number} */ part, /** @type {number} */ half) => `${x + (right - x) * part + ((low - y) / length) * half} ${y + (low - y) * part - ((right - x) / length) * half}`;
  const d = `M${off(0, 2.7)}Q${off(0.3, 4.2)} ${off(1, 1.9)}A2 2 0 0 1 ${off(1, -1.9)}Q${off(0.3, -4.2)} ${off(0, -2.7)}A3 3 0 0 1 ${off(0, 2.7)}Z`;
  return s("path", { class: "strike", d });
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

/** Which field the last move turned: an arrow around its outer corner. @param {Space} space @param {import("./position.js").Annotations} annotations */
export function turnsOf(space, annotations = NOTHING) {
  return [...valuesOf(annotations.fields, "turned")].map(([number, way]) => {
    const [left, top, wide, high] = space.board.fields[number];
    const [right, low] = [left + wide / 2 > space.width / 2 ? 1 : -1, top + high / 2 > space.height / 2 ? 1 : -1];
    const [x, y] = [right > 0 ? left + wide : left, low > 0 ? top + high : top];
    const beside = [x + 16 * right, y - 34 * low];
    const above = [x - 34 * right, y + 16 * low];
    const isDown = (way === "r") === (right * low < 0); // whether the arrow ends beside the corner
    const [start, end] = isDown ? [above, beside] : [beside, above];
    const back = isDown ? [[-9, 12 * low], [9, 12 * low]] : [[12 * right, -9], [12 * right, 9]];
    const head = back.map(([across, down]) => `M${end.join(" ")}l${across} ${down}`).join("");
    return s("path", { class: "here", d: `M${start.join(" ")}Q${x + 16 * right} ${y + 16 * low} ${end.join(" ")}${head}` });
  });
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
  const cells = through ? [...new Set([...through.open, ...through.shut].flat())] : [];
  return cells.filter(index => space.isDrawn(index)).map(index => s("path", { class: "shade", d: space.patch(index) }));
}

/** The lines through a cell: open ones full with large beads, closed ones dotted with small ones. @param {Space} space @param {Through | null | undefined} through @param {(string | null)[]} cells */
export function throughStrokes(space, through, cells) {
  if (!through) return [];
  const isDrawn = (/** @type {number} */ index) => space.isDrawn(index);
  /** @type {[string, number[][], number][]} */ const kinds = [["shut", through.shut, 6], ["open", through.open, 11]];
  const found = [];
  for (const [kind, lines, size] of kinds) {
    const runs = lines.flatMap(line => space.runs(line)).map(run => run.filter(isDrawn).map(index => space.centre(index).join(" ")));
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
  return s("circle", { class: kind, cx, cy, r });
}

/** A small picture of a whole board, or of one plane of it. @param {Game} game @param {Facts} facts @param {number | null} only */
export function pictureOf(game, facts, only = null) {
  const space = new Space(game, only);
  const marks = facts.cells.map((mark, index) => (space.isDrawn(index) ? markOf(space, index, mark, space.corner(index)) : null));
  return pictureWith(space, ...washesOf(space, facts), ...rulingOf(space), ...marks, ...strikesOf(space, facts.lines ?? []));
}

/** A small picture of a board from its parts. @param {Space} space @param {...(SVGElement | null)} parts */
export function pictureWith(space, ...parts) {
  const picture = s("svg", { class: "pic", viewBox: `0 0 ${space.width} ${space.height}`, "aria-hidden": "true", focusable: "false" }, ...parts);
  picture.style.setProperty("--cw", String(space.width / CELL));
  return picture;
}
