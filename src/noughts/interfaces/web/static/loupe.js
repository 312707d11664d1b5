// A window that enlarges a part of a board whose cells are too small for a finger.

import { aimAt, bracketsAt, forbiddenAt, legalRingAt, markOf, rulingOf } from "./board_drawing.js";
import { picture, s } from "./dom.js";
import { annotationData } from "./annotations.js";
import { CELL } from "./board_geometry.js";

const SIDE = 7; // cells
const PIXELS = 44; // pixels of a cell

/**
 * Create the enlarged part of a board around a cell, with clickable cells.
 * @param {import("./board_geometry.js").Space} space
 * @param {import("./board.js").Shown} shown
 * @param {number} aimed
 */
export function loupeOf(space, shown, aimed) {
  const { rows, columns } = space.layout;
  const [plane, row, column] = space.place(aimed);
  const start = (/** @type {number} */ place, /** @type {number} */ count) =>
    Math.max(0, Math.min(place - (SIDE - 1) / 2, count - SIDE));
  const [top, left] = [start(row, rows), start(column, columns)];
  const [high, wide] = [Math.min(SIDE, rows), Math.min(SIDE, columns)];
  const cells = Array.from(
    { length: high * wide },
    (_, number) => space.index(plane, top + Math.floor(number / wide), left + (number % wide)),
  );
  const corners = cells.map((index) => space.corner(index));
  const [x, y] = [
    Math.min(...corners.map((corner) => corner[0])),
    Math.min(...corners.map((corner) => corner[1])),
  ];
  const [right, low] = [
    Math.max(...corners.map((corner) => corner[0])) + CELL,
    Math.max(...corners.map((corner) => corner[1])) + CELL,
  ];
  const box = {
    viewBox: `${x} ${y} ${right - x} ${low - y}`,
    width: ((right - x) / CELL) * PIXELS,
    height: ((low - y) / CELL) * PIXELS,
  };
  const forbidden = annotationData(shown.annotations?.cells ?? {}, "no");
  const turned = annotationData(shown.annotations?.cells ?? {}, "turns");
  const looks = cells.map((index) => {
    const [corner, mark, reason, turns] = [
      space.corner(index),
      shown.cells[index],
      forbidden.get(index),
      turned.get(index),
    ];
    const isLast = shown.last.includes(index);
    const hit = s("path", { class: "hit", d: space.patch(index, 1) });
    return s(
      "g",
      { "data-index": index },
      hit,
      markOf(space, index, mark, corner),
      isLast ? bracketsAt(corner) : null,
      turns ? legalRingAt(corner, shown.turn ?? "", turns, PIXELS / CELL) : null,
      reason ? forbiddenAt(corner, reason, PIXELS / CELL) : null,
    );
  });
  return picture(
    { class: "enlarged", ...box },
    ...rulingOf(space),
    ...looks,
    s("g", { class: "over" }, ...(shown.open?.has(aimed) ? aimAt(space, aimed, shown.mark ?? null) : [])),
  );
}
