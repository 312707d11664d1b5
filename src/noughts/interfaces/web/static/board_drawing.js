// Drawing of boards: lines, marks, the brackets of the last move, the stroke through a winning line.

import { annotationData, forcedField, NOTHING } from "./annotations.js";
import { picture, s } from "./dom.js";
import { PEN } from "./pen.js";
import { CELL, Space } from "./board_geometry.js";

/** @typedef {import("./board_geometry.js").Game} Game */
/** @typedef {[number, number]} Point */
/**
 * @typedef {{cell: number, open: number[][], shut: number[][]}} Through the lines through a cell: those that
 * a side can still fill, and the others
 */
/** @typedef {{text: string, worth: "win" | "draw" | "loss"}} Worth */
/**
 * @typedef {Pick<Api.PositionMessage, "cells"> & Partial<Api.PositionMessage>} Facts the content of a board
 */

const VARIANTS = 3;
const REACH = 33;
const SHORT = 46;
const PAST_THE_EDGE = 70;
// pixels from label to label, and for each letter of a label
const [ROOM, LETTER, GAP, FIVE] = [16, 9, 4, 5];
const EDGE = 4; // pixels of paper around labels
const STRONG = 16 / 12; // the size of the numbers of planes, relative to other labels
const LARGE = 0.07; // the margin of the mark of a won field on each side
const FRAME = 13;
const FIRM = 0.7; // the width of a stroke over fields, for each cell of their width
// the height of the letters of a reason, and the smallest readable one, in pixels
const REASON = [12, 10];
/** @type {Record<number, number>} The largest letter size that fits into a cell, by the number of letters. */
const WIDEST = { 1: 62, 3: 50 };
/** @type {Record<string, string>} The texts of the reasons that forbid a cell. */
const WHY = { 33: "3·3", 44: "4·4", 6: "6" };
/** The height of a board's labels in pixels. */
export const LABEL_PIXELS = 12;

/**
 * Return the variant of the mark in a cell. Neighbours differ, so that marks look handwritten.
 * @param {number} index
 */
export const variantOf = (index) => (index + Math.floor(index / VARIANTS)) % VARIANTS;

/** Return the CSS class for the colour of a side. @param {string} mark */
export const inkOf = (mark) => ({ X: "x", O: "o", Z: "z" }[mark] ?? "pen");

/**
 * Create a mark at a place. Its path is defined once for the whole page.
 * @param {string} mark
 * @param {number} variant
 * @param {Point} place
 * @param {number} size
 * @param {string} more
 */
export function markAt(mark, variant, [x, y], size = CELL, more = "") {
  const path = PEN.marks[mark]?.[variant];
  const kind = `${inkOf(mark)} ${more}`;
  const [across, down] = [x + size / 2, y + size / 2];
  const middle = `${across} ${down}`; // of the animation: CSS "center" is not that of a <use>
  if (!path) {
    return s("text", {
      class: `letter ${kind}`,
      x: across,
      y: y + size * 0.75,
      "font-size": size * 0.7,
      "text-anchor": "middle",
      "transform-origin": middle,
    }, mark);
  }
  const id = `mark-${mark}-${variant}`;
  if (!document.getElementById(id)) {
    document.getElementById("marks")?.append(
      s("symbol", { id, viewBox: "0 0 100 100" }, s("path", { d: path })),
    );
  }
  return s("use", {
    href: `#${id}`,
    x,
    y,
    width: size,
    height: size,
    class: kind,
    "transform-origin": middle,
  });
}

/** Create a mark beside a name. @param {string} mark @param {string} more */
export function glyph(mark, more = "") {
  return picture({ class: `glyph ${inkOf(mark)} ${more}` }, markAt(mark, 0, [0, 0]));
}

/** Return the lines of a board. @param {Space} space */
export function rulingOf(space) {
  const { thin, pen, planes } = space.board;
  return space.planes.map((plane) => {
    const ink = pen + planes[plane].floor;
    const place = { transform: `translate(${space.origin(plane).join(" ")})` };
    return s(
      "g",
      place,
      thin ? s("path", { class: "thin", d: thin }) : null,
      ink ? s("path", { class: "pen", d: ink }) : null,
    );
  });
}

/**
 * Return the distance between labelled cells: labels are sparse if there is not enough space.
 * @param {number} pixels the size of a cell
 * @param {number} letters the length of the longest label
 */
export function stepOf(pixels, letters) {
  const every = Math.ceil(Math.max(ROOM, LETTER * letters + GAP) / pixels);
  return every > 1 ? Math.ceil(every / FIVE) * FIVE : 1;
}

/**
 * Return true if a row or column, counted from 1, has a label when every *step*-th one has.
 * @param {number} place
 * @param {number} step
 */
export const isEach = (place, step) => place === 1 || place % step === 0;

/**
 * Return the labels of rows, columns and planes, which are drawn over the lines.
 * @param {Space} space
 * @param {number} scale pixels of a hundredth of a cell
 */
export function labelsOf(space, scale) {
  const size = LABEL_PIXELS / scale;
  const [aside, below] = space.strips;
  const label = (
    /** @type {import("./board_geometry.js").Label} */ [x, y, right, low, anchor, text, isStrong],
    /** @type {Point} */ [left, top],
  ) => {
    const place = {
      x: left + x + right * size - (anchor === "end" ? aside : 0),
      y: top + y + low * size + (anchor === "middle" ? below : 0),
    };
    const look = {
      class: isStrong ? "coord strong" : "coord",
      "text-anchor": anchor,
      "font-size": isStrong ? STRONG * size : size,
      "stroke-width": EDGE / scale,
    };
    return s("text", { ...place, ...look }, text);
  };
  const { labels, planes } = space.board;
  const along = labels.filter(({ 4: anchor, 6: isStrong }) => anchor === "middle" && !isStrong);
  const longest = Math.max(1, ...along.map(({ 5: text }) => text.length));
  const [rowStep, columnStep] = [stepOf(CELL * scale, 1), stepOf(CELL * scale, longest)];
  const { columns } = space.layout;
  const isNamed = space.planes.length > 1; // the tab shows the number of a single plane
  const seen = labels.filter(({ 4: anchor, 5: text, 6: isStrong }, number) => {
    if (isStrong) return isNamed;
    return anchor === "end" ? isEach(Number(text), rowStep) : isEach((number % columns) + 1, columnStep);
  });
  const beside = space.planes.flatMap((plane) =>
    seen.map(([x, y, right, low, anchor, text, isStrong]) =>
      label([x, y, right, low, anchor, text || planes[plane].label, isStrong], space.origin(plane))
    )
  );
  return [...beside, ...space.view.labels.map((one) => label(one, [0, 0]))];
}

/**
 * Return the layer under the lines: backgrounds of won cells, the field of the next move, gaps of puzzles,
 * star points.
 * @param {Space} space
 * @param {Facts} facts
 */
export function washesOf(space, { cells, turn = null, lines = [], annotations = NOTHING }) {
  const box = (/** @type {number} */ index, /** @type {string} */ kind) =>
    s("path", { class: kind, d: space.patch(index) });
  const won = [...new Set(lines.flat())].filter((index) => space.isDrawn(index)).map((index) =>
    box(index, `${cells[index] ? inkOf(String(cells[index])) : "none"}-wash wash`)
  );
  const gaps = space.layout.tiles
    ? cells.flatMap((tile, index) => (tile === null && space.isDrawn(index) ? [box(index, "shade")] : []))
    : [];
  const stars = space.board.stars.filter((star) => !cells[star]).map((star) =>
    circleAt(space, star, "star", 7)
  );
  const forced = forcedField(annotations);
  const field = forced === null ? [] : [
    s("path", {
      class: `field ${turn ? `${inkOf(turn)}-wash` : "shade"}`,
      d: boxPath(space.board.fields[forced], 2),
    }),
  ];
  return [...won, ...gaps, ...field, ...stars];
}

/**
 * Return the outline of a box that is reduced on each side.
 * @param {[number, number, number, number]} box
 * @param {number} inside
 */
function boxPath([x, y, wide, high], inside) {
  return `M${x + inside} ${y + inside}h${wide - 2 * inside}v${high - 2 * inside}h${2 * inside - wide}Z`;
}

/**
 * Return the layer over the marks of fields: a pencil frame around fields of the next move, a large mark on
 * a won field, and two pencil lines on a drawn one.
 * @param {Space} space
 * @param {Facts} facts
 */
export function fieldsOf(space, { turn = null, annotations = NOTHING }) {
  const [owners, playable] = [annotationData(annotations.fields, "won"), playableFields(space, annotations)];
  return space.board.fields.flatMap(/** @returns {SVGElement[]} */ (box, number) => {
    const [x, y, wide, high] = box;
    const owner = owners.get(number);
    if (owner) {
      return [
        markAt(
          owner,
          variantOf(number),
          [x - LARGE * wide, y - LARGE * high],
          (1 + 2 * LARGE) * wide,
          "owner",
        ),
      ];
    }
    const isDrawn = annotations.fields[number + 1]?.includes("drawn");
    if (isDrawn) {
      return [
        s("path", {
          class: "pencil nobody",
          d: `M${x + 30} ${y + high - 30}L${x + wide - 60} ${y + 30}M${x + 60} ${y + high - 30}L${
            x + wide - 30
          } ${y + 30}`,
        }),
      ];
    }
    return playable.has(number)
      ? [s("path", { class: `pencil dashed frame ${inkOf(turn ?? "")}-of`, d: boxPath(box, FRAME) })]
      : [];
  });
}

/**
 * Return the fields of the next move, none if every empty cell is legal.
 * @param {Space} space
 * @param {Api.AnnotationsMessage} annotations
 */
export function playableFields(space, annotations) {
  const forced = forcedField(annotations);
  if (forced !== null) return new Set([forced]);
  const isClosed = Object.values(annotations.fields).some((codes) =>
    codes.some((code) => code === "drawn" || code.startsWith("won:"))
  );
  const may = Object.keys(annotations.cells).filter((cell) => annotations.cells[cell].includes("may"));
  return new Set(isClosed ? may.map((cell) => space.fieldOf(Number(cell) - 1)) : []);
}

/**
 * Return the parts beyond joined edges: pale copies of the opposite marks, and the edges in pencil.
 * @param {Space} space
 * @param {(string | null)[]} cells
 */
export function beyondOf(space, cells) {
  const [aside, above] = space.strips;
  if (!aside && !above) return [];
  const { rows, columns } = space.layout;
  const { width, height } = space;
  const [x, y, wide, high] = [-aside, -above, width + 2 * aside, height + 2 * above];
  const marks = [];
  for (let row = above ? -1 : 0; row < rows + (above ? 1 : 0); row++) {
    for (let column = aside ? -1 : 0; column < columns + (aside ? 1 : 0); column++) {
      const index = space.index(0, (row + rows) % rows, (column + columns) % columns);
      const mark = cells[index];
      if (mark && (row < 0 || row >= rows || column < 0 || column >= columns)) {
        marks.push(markAt(mark, variantOf(index), [column * CELL, row * CELL]));
      }
    }
  }
  const strip = s("path", {
    class: "shade",
    "fill-rule": "evenodd",
    d: `M${x} ${y}h${wide}v${high}h${-wide}ZM0 0h${width}v${height}h${-width}Z`,
  });
  const sides = (aside ? `M0 0V${height}M${width} 0V${height}` : "") +
    (above ? `M0 0H${width}M0 ${height}H${width}` : "");
  const view = { x, y, width: wide, height: high, viewBox: `${x} ${y} ${wide} ${high}` };
  return [
    s("svg", { class: "beyond", ...view }, strip, s("g", { class: "echo" }, ...marks)),
    s("path", { class: "pencil dashed", d: sides }),
  ];
}

/**
 * Create a dashed ring around a legal cell, with the number of marks that the move turns over.
 * @param {Point} corner
 * @param {string} side the side whose colour it has
 * @param {string | undefined} count
 * @param {number} scale pixels of a hundredth of a cell
 */
export function legalRingAt([left, top], side, count, scale) {
  const [x, y] = [left + CELL / 2, top + CELL / 2];
  const size = Math.min(13 / scale, 40);
  const number = count === undefined
    ? null
    : s("text", { x, y: y + 0.36 * size, "font-size": size, "text-anchor": "middle" }, count);
  return s(
    "g",
    { class: `may ${inkOf(side)}-of` },
    s("circle", { class: "pencil dashed", cx: x, cy: y, r: 29 }),
    number,
  );
}

/**
 * Create the sign of an annotation in the left part of a cell.
 * @param {[number, number]} corner
 * @param {string} word of the code
 * @param {string} sign
 */
export function signAt([x, y], word, sign) {
  const place = { x: x + 16, y: y + 61, "font-size": 32, "text-anchor": "middle" };
  return s("text", { class: `sign code-${word}`, ...place }, sign);
}

/**
 * Create the sign of a forbidden cell: a small square with a diagonal, and the reason below.
 * @param {Point} corner
 * @param {string} reason
 * @param {number} scale pixels of a hundredth of a cell
 */
export function forbiddenAt([x, y], reason, scale) {
  const text = WHY[reason] ?? "";
  const size = Math.min(REASON[0] / scale, WIDEST[text.length] ?? 0);
  if (size * scale < REASON[1]) {
    return s("path", { class: "forbidden", d: `M${x + 28} ${y + 28}h44v44h-44ZM${x + 28} ${y + 72}l44 -44` });
  }
  const reasonText = s("text", {
    class: "reason",
    x: x + 50,
    y: y + 57 + 0.75 * size,
    "font-size": size,
    "text-anchor": "middle",
    "stroke-width": 2 / scale,
  }, text);
  return s(
    "g",
    {},
    s("path", { class: "forbidden", d: `M${x + 28} ${y + 10}h44v44h-44ZM${x + 28} ${y + 54}l44 -44` }),
    reasonText,
  );
}

/** Shade the row and column of the cell that is aimed at. @param {Space} space @param {number} index */
export function aimShade(space, index) {
  if (!space.hasSquares || space.layout.drops) return [];
  const [plane, row, column] = space.place(index);
  const [x, y] = space.origin(plane);
  const [high, wide] = [space.layout.rows * CELL, space.layout.columns * CELL];
  return [
    s("path", {
      class: "shade",
      d: `M${x + column * CELL} ${y}h${CELL}v${high}h${-CELL}ZM${x} ${
        y + row * CELL
      }h${wide}v${CELL}h${-wide}Z`,
    }),
  ];
}

/**
 * Create the mark of the move that is aimed at: in a dashed square, or in the 3D view a ring.
 * @param {Space} space
 * @param {number} index
 * @param {string | null} mark
 */
export function aimAt(space, index, mark) {
  if (!space.isFlat) return [circleAt(space, index, "pencil dashed", 40)];
  const corner = space.corner(index);
  const ghost = mark ? [s("g", { class: "faintly" }, markAt(mark, variantOf(index), corner))] : [];
  return [
    ...ghost,
    s("path", { class: `pencil dashed ${inkOf(mark ?? "")}-of`, d: space.patch(index, 0.94) }),
  ];
}

/**
 * Create rings around the entered cells of a move, and dashed rings around the possible next ones.
 * @param {Space} space
 * @param {{cells: (string | null)[], said?: number[], open?: Set<number>}} shown
 */
export function enteredRings(space, { cells, said = [], open = new Set() }) {
  const ring = (
    /** @type {number} */ index,
    /** @type {string} */ kind,
  ) => (space.isDrawn(index) ? [circleAt(space, index, kind, 40)] : []);
  return said.length
    ? [
      ...said.filter((index) => cells[index] !== null).flatMap((index) => ring(index, "entered")),
      ...[...open].flatMap((index) => ring(index, "next")),
    ]
    : [];
}

/**
 * Return the strokes through winning lines, and the dots between planes. A row of fields has one stroke.
 * @param {Space} space
 * @param {number[][]} lines
 */
export function strikesOf(space, lines) {
  if (space.layout.owned && lines.length) return [strikeOverFields(space, lines)];
  return lines.flatMap(
    (
      line,
    ) => (space.isFlat && new Set(line.map((index) => space.place(index)[0])).size > 1
      ? strikeThroughPlanes(space, line)
      : strikeInPlane(space, line)),
  );
}

/**
 * Return short strokes on the cells of a line through planes, joined by dots if it is straight.
 * @param {Space} space
 * @param {number[]} line
 */
function strikeThroughPlanes(space, line) {
  const { centres } = space.board;
  const [one, two] = [centres[line[0]], centres[line[line.length - 1]]];
  const length = Math.hypot(two[0] - one[0], two[1] - one[1]);
  const [right, low] = [((two[0] - one[0]) / length) * SHORT, ((two[1] - one[1]) / length) * SHORT];
  const seen = line.filter((index) => space.isDrawn(index)).map((index) => space.centre(index));
  const joint = space.isStraight && seen.length > 1
    ? [s("path", { class: "joint", d: `M${seen.map(([x, y]) => `${x} ${y}`).join("L")}` })]
    : [];
  return [...joint, ...seen.map(([x, y]) => strike([x - right, y - low], [x + right, y + low]))];
}

/** Return the stroke over the fields whose lines were won. @param {Space} space @param {number[][]} lines */
function strikeOverFields(space, lines) {
  const boxes = [lines[0], lines[lines.length - 1]].map((line) =>
    space.board.fields[space.fieldOf(line[0]) ?? 0]
  );
  const [one, two] = boxes.map(([x, y, wide, high]) => /** @type {Point} */ ([x + wide / 2, y + high / 2]));
  const [right, low] = [two[0] - one[0], two[1] - one[1]];
  const times = boxes[0][2] / CELL;
  const part = (times * REACH) / Math.max(Math.abs(right), Math.abs(low));
  return strike(
    [one[0] - part * right, one[1] - part * low],
    [two[0] + part * right, two[1] + part * low],
    times * FIRM,
  );
}

/**
 * Return the stroke through a line of one plane. Across joined edges it has several pieces.
 * @param {Space} space
 * @param {number[]} line
 */
function strikeInPlane(space, line) {
  const runs = space.runs(line.filter((index) => space.isDrawn(index)));
  if (!runs.length) return [];
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best));
  const [one, two] = [space.centre(longest[0]), space.centre(longest[longest.length - 1])];
  const length = Math.hypot(two[0] - one[0], two[1] - one[1]);
  const ahead = length ? [(two[0] - one[0]) / length, (two[1] - one[1]) / length] : [0.7, -0.7];
  const stretch = 1 / Math.max(Math.abs(ahead[0]), Math.abs(ahead[1]));
  return runs.map((run, number) => {
    const near = (number === 0 ? REACH : PAST_THE_EDGE) * stretch;
    const far = (number === runs.length - 1 ? REACH : PAST_THE_EDGE) * stretch;
    const [a, b] = [space.centre(run[0]), space.centre(run[run.length - 1])];
    return strike([a[0] - ahead[0] * near, a[1] - ahead[1] * near], [
      b[0] + ahead[0] * far,
      b[1] + ahead[1] * far,
    ]);
  });
}

/**
 * Create a stroke of a pen with tapered ends.
 * @param {Point} start
 * @param {Point} end
 * @param {number} times its width, relative to a stroke through cells
 */
function strike([x, y], [right, low], times = 1) {
  const length = Math.hypot(right - x, low - y) / times;
  const off = (/** @type {number} */ part, /** @type {number} */ half) =>
    `${x + (right - x) * part + ((low - y) / length) * half} ${
      y + (low - y) * part - ((right - x) / length) * half
    }`;
  const [end, start] = [3 * times, 4.5 * times];
  const d = `M${off(0, 4.3)}Q${off(0.3, 6.6)} ${off(1, 3)}A${end} ${end} 0 0 1 ${off(1, -3)}Q${
    off(0.3, -6.6)
  } ${off(0, -4.3)}A${start} ${start} 0 0 1 ${off(0, 4.3)}Z`;
  return s("path", { class: "strike", d });
}

/**
 * Create the mark of a cell in a box of 100.
 * @param {Space} space
 * @param {number} index
 * @param {string | null} mark
 * @param {Point} corner
 */
export function markOf(space, index, mark, corner, more = "") {
  if (mark === null) return null;
  if (!space.layout.tiles) return markAt(mark, variantOf(index), corner, CELL, `mark ${more}`);
  return s("text", {
    class: "tile",
    x: corner[0] + 50,
    y: corner[1] + 67,
    "font-size": 46,
    "text-anchor": "middle",
  }, mark);
}

/**
 * Return true if a cell is in a won field, under the large mark.
 * @param {Space} space
 * @param {Map<number, string>} won
 * @param {number} index
 */
export function isOld(space, won, index) {
  const field = space.fieldOf(index);
  return field !== null && won.has(field);
}

/** Create the brackets of the last move. @param {Point} corner */
export function bracketsAt([x, y]) {
  return s("use", { href: "#here", class: "here", x, y, width: CELL, height: CELL });
}

/**
 * Create an arrow around the outer corner of the field that the last move turned.
 * @param {Space} space
 * @param {Api.AnnotationsMessage} annotations
 */
export function turnsOf(space, annotations = NOTHING) {
  return [...annotationData(annotations.fields, "turned")].map(([number, way]) => {
    const [left, top, wide, high] = space.board.fields[number];
    const [right, low] = [
      left + wide / 2 > space.width / 2 ? 1 : -1,
      top + high / 2 > space.height / 2 ? 1 : -1,
    ];
    const [x, y] = [right > 0 ? left + wide : left, low > 0 ? top + high : top];
    const beside = [x + 16 * right, y - 34 * low];
    const above = [x - 34 * right, y + 16 * low];
    const isDown = (way === "r") === (right * low < 0); // whether the arrow ends beside the corner
    const [start, end] = isDown ? [above, beside] : [beside, above];
    const back = isDown ? [[-9, 12 * low], [9, 12 * low]] : [[12 * right, -9], [12 * right, 9]];
    const head = back.map(([across, down]) => `M${end.join(" ")}l${across} ${down}`).join("");
    return s("path", {
      class: "here",
      d: `M${start.join(" ")}Q${x + 16 * right} ${y + 16 * low} ${end.join(" ")}${head}`,
    });
  });
}

/**
 * Create the value of a move as a shape: a disc, a ring or a dashed square.
 * @param {Point} corner
 * @param {Worth} worth
 * @param {string} side the side whose colour it has
 */
export function valueAt([left, top], { text, worth }, side) {
  const [x, y] = [left + CELL / 2, top + CELL / 2];
  const size = Math.min(32, 84 / Math.max(1, text.length));
  const shape = worth === "loss"
    ? s("path", { d: `M${x - 38} ${y - 38}h76v76h-76Z` })
    : s("circle", { cx: x, cy: y, r: 40 });
  return s(
    "g",
    { class: `val v${worth} ${inkOf(side)}-of` },
    shape,
    s("text", { x, y: y + 0.36 * size, "font-size": size, "text-anchor": "middle" }, text.replace("-", "−")),
  );
}

/**
 * Return the backgrounds of the lines through a cell.
 * @param {Space} space
 * @param {Through | null | undefined} through
 */
export function lineWashes(space, through) {
  const cells = through ? [...new Set([...through.open, ...through.shut].flat())] : [];
  return cells.filter((index) => space.isDrawn(index)).map((index) =>
    s("path", { class: "shade", d: space.patch(index) })
  );
}

/**
 * Return the lines through a cell: open ones solid with large beads, closed ones dotted with small beads.
 * @param {Space} space
 * @param {Through | null | undefined} through
 * @param {{cells: (string | null)[], worths?: Map<number, Worth>}} shown
 */
export function lineStrokes(space, through, { cells, worths }) {
  if (!through) return [];
  const isDrawn = (/** @type {number} */ index) => space.isDrawn(index);
  /** @type {[string, number[][], number][]} */
  const kinds = [["shut", through.shut, 6], ["open", through.open, 11]];
  const parts = [];
  for (const [kind, lines, size] of kinds) {
    const runs = lines.flatMap((line) => space.runs(line)).map((run) =>
      run.filter(isDrawn).map((index) => space.centre(index).join(" "))
    );
    parts.push(
      s("path", {
        class: `through ${kind}`,
        d: runs.filter((run) => run.length > 1).map((run) => `M${run.join("L")}`).join(""),
      }),
    );
    const free = [...new Set(lines.flat())].filter((index) =>
      isDrawn(index) && cells[index] === null && index !== through.cell
    );
    parts.push(...free.map((index) => circleAt(space, index, "bead", size)));
  }
  if (isDrawn(through.cell)) {
    parts.push(
      worths?.has(through.cell)
        ? s("path", { class: "aim", d: space.patch(through.cell, 0.9) })
        : circleAt(space, through.cell, "aim", 28),
    );
  }
  return parts;
}

/**
 * Create a circle around the middle of a cell.
 * @param {Space} space
 * @param {number} index
 * @param {string} kind
 * @param {number} r
 */
export function circleAt(space, index, kind, r) {
  const [cx, cy] = space.centre(index);
  return s("circle", { class: kind, cx, cy, r });
}

/**
 * Create a small picture of a whole board, or of some of its planes.
 * @param {Game} game
 * @param {Facts} facts
 * @param {Space} space
 */
export function pictureOf(game, facts, space = new Space(game)) {
  const won = annotationData(facts.annotations?.fields ?? {}, "won");
  const marks = facts.cells.map((mark, index) => {
    if (!space.isDrawn(index)) return null;
    return markOf(space, index, mark, space.corner(index), isOld(space, won, index) ? "old" : "");
  });
  const parts = [
    ...beyondOf(space, facts.cells),
    ...washesOf(space, facts),
    ...rulingOf(space),
    ...marks,
    ...fieldsOf(space, facts),
    ...strikesOf(space, facts.lines ?? []),
  ];
  const [aside, above] = space.strips;
  const [wide, high] = [space.width + 2 * aside, space.height + 2 * above];
  const drawn = picture({ class: "pic", viewBox: `${-aside} ${-above} ${wide} ${high}` }, ...parts);
  drawn.style.setProperty("--cw", String(wide / CELL));
  return drawn;
}
