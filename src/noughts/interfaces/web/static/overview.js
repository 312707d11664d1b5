// @ts-check
// A board that is larger than its window: it scrolls, and a picture of the whole shows which part is seen. Of planes of which only one
// fits there are small pictures, one of them pressed.

import { markAt, markOf, pictureOf, pictureWith, rulingOf, strikesOf, variantOf, washesOf } from "./drawing.js";
import { fill, h, s } from "./dom.js";
import { say } from "./i18n.js";
import { CELL, Space } from "./space.js";

/** @typedef {import("./space.js").Game} Game */
/** @typedef {import("./drawing.js").Facts} Facts */

const EDGE = 33;
const [ASIDE, DIGIT, BESIDE, LOW] = [9, 9, 7, 25]; // pixels: the strips of labels at the edges of the window
const [SQUARE, SIDE] = [11, 132]; // pixels that a cell takes, and the whole
const [SMALLEST, MARK] = [5, 7]; // smaller cells are drawn without lines between them, and their marks larger than they are
const [TAB_SQUARE, TAB_SIDE] = [13.5, 66]; // pixels that a cell takes, and the longer side of a picture at most
const [TAB_BESIDE, TAB_GAP] = [12, 11]; // pixels of a tab beside its picture, and between tabs

export class Overview {
  /** @param {Space} space @param {HTMLElement} holder what scrolls @param {number} scale pixels a hundredth of a cell takes @param {SVGElement[]} labels of rows and columns, which stay at the edges of the window */
  constructor(space, holder, scale, labels) {
    this.space = space;
    this.holder = holder;
    this.scale = scale;
    this.last = space.centre(space.index(space.only ?? 0, space.layout.rows - 1, 0))[1];
    /** @type {Map<number, {mark: string, drawn: SVGElement}>} */ this.marks = new Map();
    this.scroller = h("div", { class: "scroll", scroll: () => this.frame() }, holder);
    const [rows, columns] = ["end", "middle"].map(anchor => labels.filter(label => label.getAttribute("text-anchor") === anchor));
    this.aside = ASIDE + DIGIT * String(space.layout.rows).length;
    this.names = s("g", {}, ...columns);
    this.rows = s("g", {}, s("rect", { x: -(this.aside + BESIDE) / scale, width: this.aside / scale, height: space.height + (2 * EDGE) / scale, y: -EDGE / scale }), ...rows);
    this.columns = s("g", {}, s("rect", { x: -EDGE / scale, y: space.height, width: space.width + (2 * EDGE) / scale, height: EDGE / scale }), this.names);
    if (labels.length) holder.querySelector(".board")?.append(s("g", { class: "edges", "aria-hidden": "true" }, this.rows, this.columns));
    this.under = s("g");
    this.middle = s("g");
    this.over = s("g");
    this.view = s("rect", { class: "view" });
    this.pixels = Math.min(SQUARE, (SIDE * CELL) / Math.max(space.width, space.height));
    const ruling = this.pixels < SMALLEST ? [s("path", { class: "thin", d: space.edge })] : rulingOf(space);
    this.picture = pictureWith(space, this.under, ...ruling, this.middle, this.over, this.view);
    this.picture.style.setProperty("--cu", `${this.pixels}px`);
    const go = (/** @type {PointerEvent} */ event) => event.buttons && this.goTo(event);
    this.picture.addEventListener("pointerdown", go);
    this.picture.addEventListener("pointermove", go);
    this.caption = h("figcaption");
    this.figure = h("figure", { class: "overview" }, this.picture, this.caption);
  }

  /** Shows what stands on the board; only what changed is drawn anew. @param {Facts} facts */
  show(facts) {
    this.caption.textContent = say("web-overview");
    this.under.replaceChildren(...washesOf(this.space, facts));
    this.over.replaceChildren(...strikesOf(this.space, facts.lines ?? []));
    facts.cells.forEach((mark, index) => {
      const old = this.marks.get(index);
      if ((old?.mark ?? null) === mark) return;
      old?.drawn.remove();
      this.marks.delete(index);
      const drawn = mark !== null && this.space.isDrawn(index) ? this.mark(index, mark) : null;
      if (mark === null || !drawn) return;
      this.middle.append(drawn);
      this.marks.set(index, { mark, drawn });
    });
    this.frame();
  }

  /** @param {number} index @param {string} mark */
  mark(index, mark) {
    const corner = this.space.corner(index);
    if (this.pixels >= SMALLEST) return markOf(this.space, index, mark, corner);
    const size = (MARK * CELL) / this.pixels;
    const aside = (CELL - size) / 2;
    return markAt(mark, variantOf(index), [corner[0] + aside, corner[1] + aside], size);
  }

  /** Frames the part that is seen. */
  frame() {
    const [board, seen] = [this.holder.getBoundingClientRect(), this.scroller.getBoundingClientRect()];
    const [left, top] = [Math.max(0, seen.left - board.left), Math.max(0, seen.top - board.top)];
    const [right, bottom] = [Math.min(board.width, seen.right - board.left), Math.min(board.height, seen.bottom - board.top)];
    const frame = { x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) };
    for (const [name, value] of Object.entries(frame)) this.view.setAttribute(name, String(value / this.scale));
    const { scrollLeft, scrollTop, clientHeight } = this.scroller;
    this.rows.setAttribute("transform", `translate(${(scrollLeft - EDGE + this.aside + BESIDE) / this.scale} 0)`);
    const up = (scrollTop + clientHeight - EDGE - LOW) / this.scale - this.space.height;
    this.columns.setAttribute("transform", `translate(0 ${up})`);
    const above = Math.min(0, up + this.space.height - this.last); // how far above the middle of the last row
    this.names.setAttribute("transform", `translate(${above * this.space.slant} 0)`);
  }

  /** Brings a place of the board to the middle. @param {[number, number]} place */
  centre([x, y]) {
    this.scroller.scrollLeft = x * this.scale + EDGE - this.scroller.clientWidth / 2;
    this.scroller.scrollTop = y * this.scale + EDGE - this.scroller.clientHeight / 2;
    this.frame();
  }

  /** Brings what was pointed at in the picture to the middle of the window. @param {PointerEvent} event */
  goTo(event) {
    const box = this.picture.getBoundingClientRect();
    const [x, y] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    this.centre([x * this.space.width, y * this.space.height]);
  }
}

/** Draws the tabs of all planes. @param {Element} tabs @param {Game} game @param {Facts} facts @param {number} current @param {(plane: number) => void} show */
export function fillTabs(tabs, game, facts, current, show) {
  const space = new Space(game);
  const pixels = Math.min(TAB_SQUARE, TAB_SIDE / Math.max(game.layout.rows, game.layout.columns));
  tabs.setAttribute("aria-label", say("layer"));
  if (tabs instanceof HTMLElement && game.shape.length > 3) {
    const across = game.shape.at(-3) ?? 1; // planes of two axes stand in a square, where that fits
    tabs.style.setProperty("--across", `${across * (pixels * game.layout.columns + TAB_BESIDE + TAB_GAP) - TAB_GAP}px`);
  }
  const buttons = space.planes.map(plane => {
    const label = game.board.planes[plane].label;
    const attributes = { type: "button", "data-key": `plane-${plane}`, "aria-pressed": String(plane === current), "aria-label": say("web-layer", { layer: label }) };
    const picture = pictureOf(game, { ...facts, lines: [] }, plane);
    picture.style.setProperty("--cu", `${pixels}px`);
    return h("button", { ...attributes, click: () => show(plane) }, picture, label);
  });
  fill(tabs, ...buttons);
}
