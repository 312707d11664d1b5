// @ts-check
// The board as a grid that is played with pointer and keys: one tab stop, arrows inside it.

import { hereAt, inkOf, labelsOf, markAt, markOf, pictureOf, rulingOf, strikesOf, washesOf } from "./drawing.js";
import { fill, h, s } from "./dom.js";
import { say } from "./i18n.js";
import { CELL, Space } from "./layout.js";
import { variantOf } from "./pen.js";

/** @typedef {import("./layout.js").Game} Game */
/** @typedef {{text: string, worth: "win" | "draw" | "loss"}} Worth */
/**
 * @typedef {object} Shown
 * @property {(string | null)[]} cells
 * @property {number[]} last
 * @property {number[][]} lines
 * @property {Set<number>} [open] cells that can be chosen now
 * @property {string | null} [turn]
 * @property {Map<number, Worth>} [worths]
 * @property {number | null} [hint]
 * @property {{cell: number, open: number[][], shut: number[][]} | null} [through] the lines through a cell
 * @property {boolean} [isOff] the connection is lost
 */

const SQUARE = 22;
const KEYS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"];

export class Board {
  /**
   * @param {HTMLElement} element what it stands in
   * @param {{choose: (index: number) => void, move?: (index: number) => void}} on what is done when a cell is chosen, and when the focus or the pointer comes to one
   * @param {number} besides how many pixels above and below it are wanted for other things
   */
  constructor(element, on, besides = 300) {
    this.besides = besides;
    this.element = element;
    this.on = on;
    /** @type {Game | null} */ this.game = null;
    /** @type {Shown | null} */ this.shown = null;
    this.plane = 0;
    this.focused = -1;
    this.built = "";
    /** @type {Map<number, {group: SVGElement, drawn: string}>} */ this.cells = new Map();
    /** @type {string | null} */ this.lastSeen = null;
    this.isFresh = false;
    this.overPainted = "";
    addEventListener("resize", () => this.game && this.shown && this.show(this.game, this.shown));
    element.addEventListener("keydown", event => this.press(event));
    element.addEventListener("click", event => this.click(event));
    element.addEventListener("pointerover", event => {
      const index = cellAt(event.target);
      if (event.pointerType === "mouse" && index !== null && this.cells.has(index)) this.on.move?.(index);
      this.hover(event.target);
    });
    element.addEventListener("focusin", event => this.hover(event.target));
    element.addEventListener("pointerleave", () => this.ghost(null));
  }

  /** Shows the board of a game. @param {Game} game @param {Shown} shown */
  show(game, shown) {
    const last = shown.last.join();
    if (this.game?.shape.join() !== game.shape.join()) this.focused = -1;
    this.game = game;
    this.shown = shown;
    if (last && last !== this.lastSeen && game.layout.planes > 1) this.plane = new Space(game).place(shown.last[0])[0];
    this.isFresh = this.lastSeen !== null && last !== this.lastSeen && this.built !== "";
    const size = this.sizeOf(game);
    const built = JSON.stringify([game.shape, game.layout, size]);
    if (built !== this.built) this.build(size);
    this.built = built;
    this.paint();
    if (last !== this.lastSeen) this.scrollTo(shown.last[0]);
    this.lastSeen = last;
  }

  // How large

  /** Which plane is drawn, how many squares of paper a cell takes, and whether the board scrolls. @param {Game} game */
  sizeOf(game) {
    const whole = new Space(game);
    const room = this.element.clientWidth - (whole.isLettered ? 52 : whole.isFlat ? 10 : 44);
    const fits = (/** @type {Space} */ space, /** @type {number} */ squares) => (space.width / CELL) * squares * SQUARE <= room;
    let squares = this.bestSquares(whole);
    while (squares > 2 && !fits(whole, squares)) squares--;
    if (fits(whole, squares)) return { only: null, squares, scrolls: false };
    if (whole.layout.planes === 1) return { only: null, squares, scrolls: true };
    const one = new Space(game, this.plane);
    squares = 3;
    while (squares > 2 && !fits(one, squares)) squares--;
    return { only: this.plane, squares, scrolls: !fits(one, squares) };
  }

  /** @param {Space} space */
  bestSquares(space) {
    const { rows, columns, gravity, tiles, planes } = space.layout;
    const high = Math.max(2, Math.floor((innerHeight - this.besides) / ((space.height / CELL) * SQUARE)));
    if (planes > 1) return space.isByPen ? Math.min(3, high) : 2;
    if (gravity || tiles) return 3;
    if (!space.isByPen) return 2;
    return Math.min(Math.max(rows, columns) <= 3 ? 8 : 5, Math.max(high, 3));
  }

  // Building

  /** @param {{only: number | null, squares: number, scrolls: boolean}} size */
  build({ only, squares, scrolls }) {
    const game = /** @type {Game} */ (this.game);
    const hadFocus = this.element.contains(document.activeElement) && document.activeElement?.getAttribute("role") === "gridcell";
    this.space = new Space(game, only);
    this.scale = (squares * SQUARE) / CELL;
    this.cells.clear();
    this.under = s("g", { "aria-hidden": "true" });
    this.over = s("g", { class: "over", "aria-hidden": "true" });
    this.ghosts = s("g", { class: "ghost", "aria-hidden": "true" });
    const lines = s("g", { "aria-hidden": "true" }, ...rulingOf(this.space), ...labelsOf(this.space, this.scale));
    const { rows, columns } = game.layout;
    const grid = { role: "grid", "aria-rowcount": rows * this.space.planes.length, "aria-colcount": columns, focusable: "false" };
    this.svg = s("svg", { class: "board", viewBox: `0 0 ${this.space.width} ${this.space.height}`, ...grid }, this.under, lines, ...this.rows(), this.ghosts, this.over);
    const holder = h("div", { class: "holder" }, this.dropButtons(), this.svg);
    holder.style.setProperty("--cols", String(this.space.width / CELL));
    holder.style.setProperty("--k", String(squares));
    this.holder = holder;
    this.tabs = only === null ? null : h("div", { class: "tabs", role: "group" });
    this.scroller = scrolls ? h("div", { class: "scroll" }, holder) : null;
    this.overview = scrolls ? h("figure", { class: "overview" }) : null;
    this.scroller?.addEventListener("scroll", () => this.frameView());
    this.element.replaceChildren(...[this.tabs, this.scroller ?? holder, this.overview].filter(part => part !== null));
    this.overPainted = "";
    if (hadFocus) this.cells.get(this.focused)?.group.focus();
  }

  rows() {
    const space = /** @type {Space} */ (this.space);
    const { rows, columns } = space.layout;
    return space.planes.flatMap((plane, number) =>
      Array.from({ length: rows }, (_, row) => {
        const cells = Array.from({ length: columns }, (_, column) => {
          const index = space.index(plane, row, column);
          const [x, y] = space.corner(index);
          const hit = s("rect", { class: "hit", x, y, width: CELL, height: CELL });
          const group = s("g", { role: "gridcell", class: "cell", "aria-colindex": column + 1, "data-index": index, tabindex: "-1" }, hit);
          this.cells.set(index, { group, drawn: "" });
          return group;
        });
        return s("g", { role: "row", "aria-rowindex": number * rows + row + 1, "data-row": row, "data-plane": plane }, ...cells);
      }),
    );
  }

  /** The numbers above a board in which marks fall: they are the buttons. */
  dropButtons() {
    const space = /** @type {Space} */ (this.space);
    if (!space.layout.gravity) return null;
    const row = h("div", { class: "drops", role: "group" });
    row.style.setProperty("--drops", String(space.layout.columns));
    for (let column = 0; column < space.layout.columns; column++) row.append(h("button", { type: "button", class: "drop", "data-index": column, tabindex: "-1" }, column + 1));
    return row;
  }

  // Painting

  paint() {
    const shown = /** @type {Shown} */ (this.shown);
    const space = /** @type {Space} */ (this.space);
    this.svg?.setAttribute("aria-label", say("web-board", { game: this.game?.title ?? "" }));
    this.svg?.classList.toggle("done", !shown.open?.size);
    this.holder?.classList.toggle("off", Boolean(shown.isOff));
    this.under?.replaceChildren(...washesOf(space, shown), ...this.throughWashes());
    const won = new Set(shown.lines.flat());
    if (!this.cells.has(this.focused)) this.focused = this.firstFocus();
    for (const [index, cell] of this.cells) this.paintCell(index, cell, won);
    for (const row of this.svg?.querySelectorAll("[role=row]") ?? []) row.setAttribute("aria-label", this.rowName(row));
    for (const button of this.holder?.querySelectorAll(".drop") ?? []) button.setAttribute("aria-label", say("web-column", { number: Number(button.getAttribute("data-index")) + 1 }));
    const over = JSON.stringify([shown.lines, shown.hint, shown.through]);
    this.over?.classList.toggle("fresh", this.isFresh);
    if (over !== this.overPainted) this.over?.replaceChildren(...strikesOf(space, shown.lines), ...this.throughStrokes(), ...this.hintRing());
    this.overPainted = over;
    this.ghost(null);
    this.paintTabs();
    this.paintOverview();
  }

  /** @param {Element} row */
  rowName(row) {
    const space = /** @type {Space} */ (this.space);
    const [number, plane] = [Number(row.getAttribute("data-row")), Number(row.getAttribute("data-plane"))];
    const name = space.isLettered ? space.layout.rows - number : number + 1;
    return space.above.length ? say("web-layer-row", { layer: space.planeLabel(plane), number: name }) : say("web-row", { number: name });
  }

  /** @param {number} index @param {{group: SVGElement, drawn: string}} cell @param {Set<number>} won */
  paintCell(index, cell, won) {
    const shown = /** @type {Shown} */ (this.shown);
    const space = /** @type {Space} */ (this.space);
    const mark = shown.cells[index];
    const isLast = shown.last.includes(index);
    const worth = mark === null ? shown.worths?.get(index) : undefined;
    const drawn = [mark, isLast, worth?.text, worth?.worth, shown.turn].join("|");
    cell.group.setAttribute("tabindex", index === this.focused ? "0" : "-1");
    cell.group.setAttribute("aria-label", this.cellLabel(index, mark, isLast, won.has(index)) + (worth ? ` ${worth.text}` : ""));
    cell.group.classList.toggle("open", Boolean(shown.open?.has(index)));
    if (drawn === cell.drawn) return;
    cell.drawn = drawn;
    cell.group.classList.toggle("fresh", isLast && this.isFresh);
    const parts = [cell.group.firstChild, markOf(space, index, mark), isLast ? hereAt(space, index) : null, worth ? this.worthAt(index, worth) : null];
    cell.group.replaceChildren(...parts.filter(part => part !== null));
  }

  /** @param {number} index @param {string | null} mark @param {boolean} isLast @param {boolean} isWon */
  cellLabel(index, mark, isLast, isWon) {
    const cell = /** @type {Space} */ (this.space).cellName(index);
    if (mark === null) return say(isLast ? "web-cell-left" : "web-cell-empty", { cell });
    const id = isLast ? (isWon ? "web-cell-last-won" : "web-cell-last") : isWon ? "web-cell-won" : "web-cell-mark";
    return say(id, { cell, mark });
  }

  /** What a move is worth, by shape: a disc, a ring, a dashed square. @param {number} index @param {Worth} worth */
  worthAt(index, { text, worth }) {
    const [x, y] = /** @type {Space} */ (this.space).centre(index);
    const size = Math.min(32, 84 / Math.max(1, text.length));
    const turn = this.shown?.turn ?? "X";
    const sides = this.game?.sides ?? [];
    const side = worth === "loss" ? sides[(sides.indexOf(turn) + 1) % sides.length] : turn;
    const shape = worth === "loss" ? s("path", { d: `M${x - 30} ${y - 30}h60v60h-60Z` }) : s("circle", { cx: x, cy: y, r: 31 });
    return s("g", { class: `val v${worth} ${inkOf(side)}-of` }, shape, s("text", { x, y: y + 0.36 * size, "font-size": size, "text-anchor": "middle" }, text));
  }

  hintRing() {
    const hint = this.shown?.hint;
    if (hint === null || hint === undefined || !this.cells.has(hint)) return [];
    const [x, y] = /** @type {Space} */ (this.space).centre(hint);
    return [s("circle", { class: `hintring ${inkOf(this.shown?.turn ?? "")}-of`, cx: x, cy: y, r: this.shown?.worths?.has(hint) ? 42 : 36 })];
  }

  throughWashes() {
    const through = this.shown?.through;
    if (!through) return [];
    return [...new Set([...through.open, ...through.shut].flat())]
      .filter(index => this.cells.has(index))
      .map(index => {
        const [x, y] = /** @type {Space} */ (this.space).corner(index);
        return s("rect", { class: "shade", x: x + 2, y: y + 2, width: CELL - 4, height: CELL - 4 });
      });
  }

  /** The lines through a cell: open ones full with large beads, closed ones dotted with small ones. */
  throughStrokes() {
    const through = this.shown?.through;
    const space = /** @type {Space} */ (this.space);
    if (!through) return [];
    const found = [];
    for (const [kind, lines, size] of /** @type {[string, number[][], number][]} */ ([["shut", through.shut, 6], ["open", through.open, 11]]))
      for (const line of lines) {
        for (const run of space.runs(line)) {
          const seen = run.filter(index => this.cells.has(index)).map(index => space.centre(index));
          if (seen.length > 1) found.push(s("path", { class: `through ${kind}`, d: `M${seen.map(point => point.join(" ")).join("L")}` }));
        }
        for (const index of line)
          if (this.cells.has(index) && this.shown?.cells[index] === null) {
            const [cx, cy] = space.centre(index);
            found.push(s("circle", { class: "bead", cx, cy, r: size }));
          }
      }
    if (this.cells.has(through.cell)) {
      const [cx, cy] = space.centre(through.cell);
      found.push(s("circle", { class: "aim", cx, cy, r: 28 }));
    }
    return found;
  }

  paintTabs() {
    if (!this.tabs || !this.game || !this.shown) return;
    const { game, shown } = this;
    const space = new Space(game);
    this.tabs.setAttribute("aria-label", say("layer"));
    fill(
      this.tabs,
      ...space.planes.map(plane => {
        const show = () => this.turnTo(plane);
        const attributes = { type: "button", "data-key": `plane-${plane}`, "aria-pressed": String(plane === this.plane), "aria-label": say("web-layer", { layer: space.planeLabel(plane) }), click: show };
        return h("button", attributes, pictureOf(game, { ...shown, lines: [] }, plane), space.planeLabel(plane));
      }),
    );
  }

  /** Shows another plane. @param {number} plane */
  turnTo(plane) {
    this.plane = plane;
    if (this.game && this.shown) this.show(this.game, this.shown);
  }

  paintOverview() {
    if (!this.overview || !this.game || !this.shown) return;
    const picture = pictureOf(this.game, this.shown, this.space?.only ?? null);
    this.view = s("rect", { class: "view", x: 0, y: 0, width: CELL, height: CELL });
    picture.append(this.view);
    this.overview.replaceChildren(picture, h("figcaption", {}, say("web-overview")));
    this.frameView();
  }

  frameView() {
    const [scroller, svg, view] = [this.scroller, this.svg, this.view];
    if (!scroller || !svg || !view) return;
    const [board, seen] = [svg.getBoundingClientRect(), scroller.getBoundingClientRect()];
    const unit = CELL / ((this.scale ?? 1) * CELL);
    const [left, top] = [Math.max(0, seen.left - board.left), Math.max(0, seen.top - board.top)];
    const [right, bottom] = [Math.min(board.width, seen.right - board.left), Math.min(board.height, seen.bottom - board.top)];
    const frame = { x: left * unit, y: top * unit, width: Math.max(0, right - left) * unit, height: Math.max(0, bottom - top) * unit };
    for (const [name, value] of Object.entries(frame)) view.setAttribute(name, String(value));
  }

  /** @param {number | undefined} index */
  scrollTo(index) {
    const scroller = this.scroller;
    if (!scroller) return;
    const centre = this.space?.centre(index ?? this.firstFocus()) ?? [0, 0];
    const scale = this.scale ?? 1;
    const offset = 33;
    scroller.scrollLeft = centre[0] * scale + offset - scroller.clientWidth / 2;
    scroller.scrollTop = centre[1] * scale + offset - scroller.clientHeight / 2;
    this.frameView();
  }

  // Playing

  firstFocus() {
    const { rows, columns } = /** @type {Space} */ (this.space).layout;
    const last = this.shown?.last[0];
    if (last !== undefined && this.cells.has(last)) return last;
    const plane = this.space?.only ?? 0;
    return /** @type {Space} */ (this.space).index(plane, Math.floor(rows / 2), Math.floor(columns / 2));
  }

  /** Moves the focus to a cell, in another plane too. @param {number} index */
  goTo(index) {
    const plane = new Space(/** @type {Game} */ (this.game)).place(index)[0];
    this.focused = index;
    if (this.space?.only !== null && plane !== this.plane) this.turnTo(plane);
    for (const [other, cell] of this.cells) cell.group.setAttribute("tabindex", other === index ? "0" : "-1");
    const group = this.cells.get(index)?.group;
    group?.focus({ preventScroll: Boolean(this.scroller) });
    if (this.scroller && group) group.scrollIntoView({ block: "nearest", inline: "nearest" });
    this.on.move?.(index);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const index = cellAt(event.target);
    if (index === null || event.altKey || event.ctrlKey || event.metaKey) return;
    if (KEYS.includes(event.key)) this.goTo(/** @type {Space} */ (this.space).step(index, event.key));
    else if (event.key === "Enter" || event.key === " ") this.on.choose(index);
    else return;
    event.preventDefault();
  }

  /** @param {Event} event */
  click(event) {
    const index = cellAt(event.target);
    if (index === null) return;
    if (this.cells.has(index) && event.target instanceof SVGElement) this.goTo(index);
    this.on.choose(index);
  }

  /** Where marks fall: shows in which cell one would land. @param {EventTarget | null} target */
  hover(target) {
    this.ghost(cellAt(target));
  }

  /** @param {number | null} index */
  ghost(index) {
    const space = /** @type {Space} */ (this.space);
    const shown = this.shown;
    if (!space?.drops || !shown || !this.ghosts) return;
    const column = index === null ? -1 : space.dropOf(index);
    const landing = [...(shown.open ?? [])].find(cell => space.dropOf(cell) === column);
    for (const button of this.holder?.querySelectorAll(".drop") ?? []) button.classList.toggle("on", landing !== undefined && Number(button.getAttribute("data-index")) === column);
    if (landing === undefined || !this.cells.has(landing)) return this.ghosts.replaceChildren();
    const [x, y] = space.corner(landing);
    const mark = shown.turn ? markAt(shown.turn, variantOf(landing), [x, y]) : null;
    const fall = space.layout.gravity ? s("path", { class: "dash", d: `M${x + CELL / 2} 0V${y}` }) : null;
    this.ghosts.setAttribute("class", `ghost ${inkOf(shown.turn ?? "")}`);
    this.ghosts.replaceChildren(...[fall, mark].filter(part => part !== null));
  }
}

/** The cell, or the top of the column, that an event is about. @param {EventTarget | null} target */
function cellAt(target) {
  const found = target instanceof Element ? target.closest("[data-index]") : null;
  return found ? Number(found.getAttribute("data-index")) : null;
}
