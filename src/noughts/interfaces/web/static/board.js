// The board as a grid for pointer and keyboard: one tab stop, and arrow keys inside.

import { annotationData, annotationSigns } from "./annotations.js";
import { Aiming } from "./aiming.js";
import {
  aimAt,
  aimShade,
  beyondOf,
  bracketsAt,
  circleAt,
  enteredRings,
  fieldsOf,
  forbiddenAt,
  inkOf,
  isEach,
  isOld,
  LABEL_PIXELS,
  labelsOf,
  legalRingAt,
  lineStrokes,
  lineWashes,
  markAt,
  markOf,
  rulingOf,
  signAt,
  stepOf,
  strikesOf,
  turnsOf,
  valueAt,
  variantOf,
  washesOf,
} from "./board_drawing.js";
import { cellAt, h, s } from "./dom.js";
import { language, say } from "./i18n.js";
import { cellLabel, columnName, rowName } from "./cell_labels.js";
import { besideOf, sizeOf } from "./board_size.js";
import { CELL, Space } from "./board_geometry.js";
import { fillTabs } from "./plane_tabs.js";
import { View3D } from "./view_3d.js";
import { Turning } from "./view_3d_controls.js";

/** @typedef {import("./board_geometry.js").Game} Game @typedef {import("./board_drawing.js").Worth} Worth */
/** @typedef {import("./board_size.js").Size} Size */
/**
 * @typedef {{group: SVGElement, look: SVGElement, drawn: string}} Cell the element to choose, the element to
 * draw into, and a summary of its drawing
 */
/**
 * @typedef {object} Shown
 * @property {(string | null)[]} cells
 * @property {number[]} last
 * @property {number[][]} lines
 * @property {Set<number>} [open] the cells that can be chosen now
 * @property {string | null} [turn]
 * @property {string | null} [mark] the mark of the next move
 * @property {Map<number, Worth>} [worths]
 * @property {number | null} [hint]
 * @property {boolean} [isBetter] whether the hint is the better move of a review
 * @property {import("./board_drawing.js").Through | null} [through] the lines through a cell
 * @property {number[]} [said] the cells of a move that is partly entered
 * @property {Api.AnnotationsMessage} [annotations]
 * @property {boolean} [isOff] whether the connection is lost
 * @property {boolean} [isLive] whether moves of other players arrive, so that the planes must not change
 */

/**
 * @typedef {object} Actions
 * @property {(index: number) => void} choose called if a cell is chosen
 * @property {(index: number) => void} [move] called if the focus or the pointer moves to a cell
 * @property {() => void} [aim] called if the aim changes
 * @property {() => boolean | null} [confirms] whether a tap only aims, or null if that depends on the size
 * of cells
 * @property {() => boolean} [explores] whether a tap shows the lines through a cell
 */

const SQUARE = 22;
const VIEWS = 88; // pixels for the buttons of boards with several planes
const DROPS = 88; // pixels for the buttons of columns, and around them
const HIT = 0.9; // the clickable part of the distance to the next cell in the 3D view
const LARGER = "translate(-12.5 -12.5) scale(1.25)"; // larger values in the 3D view
const KEYS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"];

/** Create the layers of a board from bottom to top, without the cells in the middle. */
function newLayers() {
  const layer = (/** @type {string} */ kind) => s("g", { class: kind, "aria-hidden": "true" });
  return {
    under: layer("under"),
    shadow: layer("under"),
    ruling: layer("ruling"),
    threads: layer("threads"),
    looks: layer("looks"),
    ghosts: layer("ghost"),
    over: layer("over"),
    labels: layer("labels"),
  };
}

/**
 * Return a property of the board that its first show() sets.
 * @template Value
 * @param {Value | null} value
 * @returns {Value}
 */
function afterShow(value) {
  if (value === null) throw new Error("the board shows no game yet");
  return value;
}

export class Board {
  /** @type {Game | null} */ #game = null;
  /** @type {Shown | null} */ #shown = null;
  /** @type {Space | null} */ #space = null;

  /**
   * @param {HTMLElement} element the element to fill
   * @param {Actions} on
   * @param {number} besides pixels above and below the board that other parts of the page need
   */
  constructor(element, on, besides = 300) {
    this.besides = besides;
    this.element = element;
    this.overPainted = "";
    this.on = on;
    this.plane = 0;
    this.focused = -1;
    this.built = "";
    /** @type {Map<number, Cell>} */ this.cells = new Map();
    /** @type {string | null} */ this.lastSeen = null;
    this.isFresh = false;
    /** @type {number | null} */ this.near = null;
    this.octant = "";
    this.layers = newLayers();
    this.aiming = new Aiming(this);
    this.turning = new Turning({ toggled: () => this.again(), turned: (isSettled) => this.turn(isSettled) });
    addEventListener("resize", () => this.again());
    element.addEventListener("keydown", (event) => this.press(event));
    element.addEventListener("pointerdown", (event) => (this.aiming.pointer = event.pointerType), true);
    element.addEventListener("click", (event) => this.click(event));
    element.addEventListener("pointerover", (event) => this.pointAt(event));
    element.addEventListener("pointermove", (event) => this.#space instanceof View3D && this.pointAt(event));
    element.addEventListener("focusin", (event) => this.point(cellAt(event.target)));
    element.addEventListener("focusout", () => this.point(null));
    element.addEventListener("pointerleave", () => this.point(null));
  }

  /** The game whose board is shown. */
  get game() {
    return afterShow(this.#game);
  }

  /** The position that is shown. */
  get shown() {
    return afterShow(this.#shown);
  }

  /** The places of the cells. */
  get space() {
    return afterShow(this.#space);
  }

  /** The places of the cells, undefined before the first show(). */
  get spaceIfShown() {
    return this.#space ?? undefined;
  }

  /** Show a position of a game. @param {Game} game @param {Shown} shown */
  show(game, shown) {
    const last = shown.last.join();
    if (this.#game?.name !== game.name) this.focused = -1;
    this.#game = game;
    const stays = shown.isLive && this.#shown?.isLive; // the cell under a finger must not change
    this.#shown = shown;
    if (last && last !== this.lastSeen && game.layout.planes > 1 && !stays) {
      this.plane = new Space(game).place(shown.last[0])[0];
    }
    if (!shown.open?.size) this.aiming.at = null;
    this.isFresh = this.lastSeen !== null && last !== this.lastSeen && this.built !== "";
    const buttons = game.layout.planes > 1 ? VIEWS : game.board.drops ? DROPS : 0;
    const height = document.documentElement.clientHeight - this.besides - buttons;
    const size = this.turning.shows(game)
      ? this.turning.sizeOf(game, this.element.clientWidth - 20, height, SQUARE)
      : sizeOf(game, this.plane, this.element.clientWidth, height);
    const built = JSON.stringify([game.name, size]);
    const held = this.element.contains(document.activeElement) ? document.activeElement : null;
    if (built !== this.built) this.build(size);
    this.built = built;
    this.paint();
    if (held && document.activeElement !== held) this.refocus(held);
    this.lastSeen = last;
  }

  /** Show the position again after a change of the window or the view. */
  again() {
    if (this.#game && this.#shown) this.show(this.#game, this.#shown);
  }

  /**
   * Restore the focus after a rebuild, on the cell or on the button with the same key.
   * @param {Element | null} held
   */
  refocus(held) {
    const key = held?.getAttribute("data-key");
    const again = key
      ? this.element.querySelector(`[data-key="${key}"]`)
      : held?.getAttribute("role") === "gridcell"
      ? this.cells.get(this.focused)?.group
      : null;
    if (again instanceof HTMLElement || again instanceof SVGElement) again.focus({ preventScroll: true });
  }

  // Construction

  /** @param {Size} size */
  build({ only, view, squares, across }) {
    const { game } = this;
    const space = across
      ? new View3D(game, across, this.turning.angle)
      : new Space(game, only, game.board.views[view]);
    this.#space = space;
    this.scale = (squares * SQUARE) / CELL;
    this.octant = this.overPainted = "";
    this.near = null;
    this.cells.clear();
    const layers = (this.layers = newLayers());
    const { rows, columns } = game.layout;
    const grid = {
      role: "grid",
      "aria-rowcount": rows * space.planes.length,
      "aria-colcount": columns,
      focusable: "false",
    };
    const { under, shadow, ruling, threads, looks, ghosts, over, labels } = layers;
    const parts = [under, shadow, ruling, threads, ...this.rows(), looks, ghosts, over, labels];
    this.svg = s("svg", {
      class: `board${across ? " turned" : ""}${space.board.drops ? " falling" : ""}`,
      viewBox: `0 0 ${space.width} ${space.height}`,
      ...grid,
    }, ...parts);
    this.holder = h("div", { class: "holder" }, across ? null : this.dropButtons(), this.svg);
    const [[aside, above], [before, behind]] = [space.strips, besideOf(space)];
    const sizes = {
      cols: space.width / CELL,
      k: squares,
      aside: aside / CELL,
      above: above / CELL,
      beside: (before - behind) / 2,
    };
    for (const [name, size] of Object.entries(sizes)) {
      this.holder.style.setProperty(`--${name}`, String(size));
    }
    if (space instanceof View3D) {
      this.turning.listen(this.svg);
      this.placeCells(space, true);
    }
    if (!across) ruling.replaceChildren(...rulingOf(space));
    labels.replaceChildren(...(across ? [] : labelsOf(space, this.scale)));
    this.holder.classList.toggle("lettered", space.isLettered && !across);
    this.holder.classList.toggle("layered", space.layout.planes > 1);
    this.tabs = only === null ? null : h("div", { class: "tabs", role: "group" });
    this.element.replaceChildren(
      ...(this.tabs ? [this.tabs] : []),
      this.holder,
      this.turning.bar,
      this.aiming.loupe,
    );
  }

  rows() {
    const { space } = this;
    const { rows, columns } = space.layout;
    return space.planes.flatMap((plane, number) =>
      Array.from({ length: rows }, (_, row) => {
        const cells = Array.from({ length: columns }, (_, column) =>
          this.cell(space.index(plane, row, column), column));
        return s("g", {
          role: "row",
          "aria-rowindex": number * rows + row + 1,
          "data-row": row,
          "data-plane": plane,
        }, ...cells);
      })
    );
  }

  /** @param {number} index @param {number} column */
  cell(index, column) {
    const isApart = this.space instanceof View3D;
    const hit = isApart
      ? s("circle", { class: "hit", cx: 50, cy: 50, r: 50 })
      : s("path", { class: "hit", d: this.space.patch(index, 1) });
    const group = s("g", {
      role: "gridcell",
      class: "cell",
      "aria-colindex": column + 1,
      "data-index": index,
      tabindex: "-1",
    }, hit);
    this.cells.set(index, { group, look: isApart ? s("g") : group, drawn: "" });
    return group;
  }

  /** Move the cells to their places in the 3D view. @param {View3D} space @param {boolean} isSettled */
  placeCells(space, isSettled) {
    for (const [index, { group, look }] of this.cells) {
      look.setAttribute("transform", space.placing(index));
      look.setAttribute("fill-opacity", space.firmness(index));
      if (isSettled || index === this.focused) group.setAttribute("transform", space.placing(index, HIT));
    }
    const size = LABEL_PIXELS / (this.scale ?? 1);
    this.layers.ruling.replaceChildren(
      ...space.sheets().filter((part) => part !== null),
      ...space.numbers(size),
    );
    const octant = space.octant.join();
    if (octant !== this.octant) {
      this.layers.looks.replaceChildren(
        ...space.order().flatMap((index) => this.cells.get(index)?.look ?? []),
      );
    }
    this.octant = octant;
  }

  /** Draw the board at the present angle. @param {boolean} isSettled */
  turn(isSettled) {
    if (!(this.#space instanceof View3D)) return;
    this.#space.turn(this.turning.angle);
    this.placeCells(this.#space, isSettled);
    this.paintAround();
  }

  /** Create the buttons above the columns of a board in which marks fall. */
  dropButtons() {
    const { columns, gravity } = this.space.layout;
    if (!gravity) return null;
    const step = stepOf(CELL * (this.scale ?? 1), String(columns).length);
    const buttons = Array.from(
      { length: columns },
      (_, column) =>
        h(
          "button",
          { type: "button", class: "drop", "data-index": column, tabindex: "-1" },
          isEach(column + 1, step) && column + 1,
        ),
    );
    const row = h("div", { class: "drops", role: "group" }, ...buttons);
    row.style.setProperty("--drops", String(columns));
    return row;
  }

  // Drawing

  paint() {
    const { shown } = this;
    const isOver = !shown.open?.size;
    this.svg?.setAttribute("aria-label", say("web-board", { game: this.game.title ?? "" }));
    this.svg?.setAttribute("aria-readonly", String(isOver));
    this.svg?.classList.toggle("done", isOver);
    this.holder?.classList.toggle("off", Boolean(shown.isOff));
    const won = new Set(shown.lines.flat());
    if (!this.cells.has(this.focused)) this.focused = this.firstFocus();
    const free = new Set([...(shown.open ?? [])].map((index) => this.space.columnOf(index)));
    const { cells = {}, fields = {} } = shown.annotations ?? {};
    this.forbidden = annotationData(cells, "no");
    this.turnedOver = annotationData(cells, "turns");
    this.leaving = annotationData(cells, "leaves");
    this.owners = annotationData(fields, "won");
    this.allowed = this.ringed();
    for (const [index, cell] of this.cells) {
      this.paintCell(
        index,
        cell,
        won.has(index),
        isOver || shown.said?.includes(index) ? null : free.has(this.space.columnOf(index)),
      );
    }
    for (const row of this.svg?.querySelectorAll("[role=row]") ?? []) {
      row.setAttribute("aria-label", rowName(this, row));
    }
    for (const button of this.holder?.querySelectorAll(".drop") ?? []) {
      button.setAttribute("aria-label", columnName(this, Number(button.getAttribute("data-index"))));
    }
    this.layers.over.classList.toggle("fresh", this.isFresh);
    this.paintAround();
    if (this.tabs) fillTabs(this.tabs, this.game, shown, this.space, (plane) => this.turnTo(plane));
    this.turning.show(this.game);
    this.aiming.paint();
  }

  /**
   * Return the cells with a ring for a legal move. There are none if all empty cells or a marked field are
   * legal.
   */
  ringed() {
    const { cells = {} } = this.shown.annotations ?? {};
    const may = Object.keys(cells).filter((number) => cells[number].includes("may"));
    const isAnywhere = may.length === this.shown.cells.filter((mark) => mark === null).length;
    return new Set(isAnywhere && !this.turnedOver?.size ? [] : may.map((number) => Number(number) - 1));
  }

  /** Draw the layers under and over the cells. */
  paintAround() {
    const { space, shown } = this;
    const { hint, through } = shown;
    const aimed = this.aiming.cells.filter((index) => this.cells.has(index));
    const shade = space.isFlat ? aimed.flatMap((index) => aimShade(space, index)) : [];
    this.layers.under.replaceChildren(
      ...(space.isFlat ? beyondOf(space, shown.cells) : []),
      ...shade,
      ...washesOf(space, shown),
      ...lineWashes(space, through),
    );
    const ring = hint !== null && hint !== undefined && this.cells.has(hint)
      ? [circleAt(space, hint, `hintring ${inkOf(shown.turn ?? "")}-of`, shown.worths?.has(hint) ? 42 : 36)]
      : [];
    const over = JSON.stringify([
      shown.annotations?.fields,
      shown.turn,
      shown.lines,
      shown.last,
      hint,
      shown.worths?.size,
      through,
      this.turning.angle,
      shown.said,
      aimed,
    ]);
    if (over !== this.overPainted) {
      this.layers.threads.replaceChildren(...lineStrokes(space, through, shown));
      this.layers.over.replaceChildren(
        ...fieldsOf(space, shown),
        ...turnsOf(space, shown.annotations),
        ...strikesOf(space, shown.lines),
        ...ring,
        ...enteredRings(space, shown),
        ...aimed.flatMap((index) => aimAt(space, index, shown.mark ?? null)),
      );
    }
    this.overPainted = over;
    this.ghost(this.near);
  }

  /**
   * @param {number} index
   * @param {Cell} cell
   * @param {boolean} isWon
   * @param {boolean | null} isFree whether it can be chosen, or null if no cell can be, or it is entered
   * already
   */
  paintCell(index, cell, isWon, isFree) {
    const { space, shown } = this;
    const mark = shown.cells[index];
    const isLast = shown.last.includes(index);
    const worth = mark === null ? shown.worths?.get(index) : undefined;
    const reason = this.forbidden?.get(index);
    const signs = annotationSigns(this.game.board.codes, shown.annotations?.cells[index + 1] ?? []);
    const isBarred = mark === null && isFree === false;
    const isAllowed = mark === null && !worth && Boolean(this.allowed?.has(index)) &&
      !this.game.layout.fields[0];
    const label = cellLabel(this, index, mark, isLast, isWon, worth);
    const looks = [
      mark && this.leaving?.has(index),
      this.owners && isOld(space, this.owners, index),
      isAllowed && this.turnedOver?.get(index),
    ];
    const drawn = [
      mark,
      isLast,
      isWon,
      isFree,
      reason,
      signs.map(({ word }) => word).join(),
      worth?.text,
      worth?.worth,
      isAllowed || worth ? shown.turn : "",
      ...looks,
      label,
      language(),
    ].join("|");
    if (drawn === cell.drawn) return;
    cell.drawn = drawn;
    const { group, look } = cell;
    group.setAttribute("tabindex", index === this.focused ? "0" : "-1");
    group.setAttribute("aria-label", label);
    group.classList.toggle("free", Boolean(isFree) || Boolean(shown.said?.includes(index)));
    if (isBarred) group.setAttribute("aria-disabled", "true");
    else group.removeAttribute("aria-disabled");
    look.classList.toggle("fresh", isLast && this.isFresh);
    const isApart = look !== group;
    /** @type {[number, number]} */ const corner = isApart ? [0, 0] : space.corner(index);
    const parts = [
      isApart ? null : group.firstChild,
      markOf(space, index, mark, corner, looks[0] ? "leaving" : looks[1] ? "old" : "") ??
        (isApart && !worth ? s("circle", { class: "pad", cx: 50, cy: 50, r: 9 }) : null),
      isLast ? bracketsAt(corner) : null,
      mark === null && !worth && !space.layout.gravity && index < space.board.drops
        ? s("text", {
          class: "coord",
          x: corner[0] + 50,
          y: corner[1] + 60,
          "text-anchor": "middle",
          "font-size": Math.min(40, LABEL_PIXELS / (this.scale ?? 1)),
        }, index + 1)
        : null,
      isAllowed ? legalRingAt(corner, shown.turn ?? "", this.turnedOver?.get(index), this.scale ?? 1) : null,
      reason ? forbiddenAt(corner, reason, this.scale ?? 1) : null,
      ...signs.map(({ word, sign }) => signAt(corner, word, sign)),
      worth ? s("g", isApart ? { transform: LARGER } : {}, valueAt(corner, worth, this.sideOf(worth))) : null,
    ];
    look.replaceChildren(...parts.filter((part) => part !== null));
  }

  /** Return the side for the colour of a value. A loss is a win of the next side. @param {Worth} worth */
  sideOf({ worth }) {
    const { sides } = this.game;
    const side = this.shown.turn ?? "X";
    return worth === "loss" ? sides[(sides.indexOf(side) + 1) % sides.length] : side;
  }

  /** Return the cell in which a mark lands that falls through the column of a cell. @param {number} index */
  landingOf(index) {
    const { space, shown } = this;
    return [...(shown.open ?? [])].find((cell) => space.columnOf(cell) === space.columnOf(index));
  }

  /** @param {number} plane */
  turnTo(plane) {
    this.plane = plane;
    this.again();
  }

  // Input

  firstFocus() {
    const { rows, columns } = this.space.layout;
    const last = this.shown.last[0];
    if (last !== undefined && this.cells.has(last)) return last;
    return this.space.index(this.space.first, Math.floor(rows / 2), Math.floor(columns / 2));
  }

  /**
   * Focus a cell, which may be in another plane.
   * @param {number} index
   * @param {boolean} isByHand whether the pointer is there, so that no scrolling is needed
   */
  goTo(index, isByHand = false) {
    const plane = this.space.place(index)[0];
    this.cells.get(this.focused)?.group.setAttribute("tabindex", "-1");
    this.focused = index;
    if (!this.space.isDrawn(index)) this.turnTo(plane);
    const group = this.cells.get(index)?.group;
    group?.setAttribute("tabindex", "0");
    group?.focus({ preventScroll: isByHand });
    this.on.move?.(index);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const index = cellAt(event.target);
    if (index === null || event.altKey || event.ctrlKey || event.metaKey) return;
    if (this.space instanceof View3D && this.turning.press(event)) return event.preventDefault();
    if (KEYS.includes(event.key)) this.goTo(this.space.step(index, event.key));
    else if (event.key === "Enter" || event.key === " ") this.aiming.choose(index);
    else return;
    event.preventDefault();
  }

  /** @param {MouseEvent} event */
  click(event) {
    const index = this.cellOf(event);
    const wasDragged = this.turning.isDragged;
    this.turning.isDragged = false;
    if (index === null || wasDragged) return;
    const isCell = this.cells.has(index) && event.target instanceof SVGElement;
    if (isCell) this.goTo(index, true);
    const meant = this.aiming.meant(index);
    if (
      (isCell || this.space.board.drops) && event.detail > 0 && this.aiming.isWanted(index) &&
      this.aiming.at !== meant
    ) this.aiming.aim(meant);
    else this.aiming.choose(index);
  }

  /**
   * Return the cell that an event concerns. In the 3D view it is the nearest cell to the pointer.
   * @param {MouseEvent} event
   */
  cellOf(event) {
    const isByHand = event.clientX !== 0 || event.clientY !== 0;
    if (
      !(this.#space instanceof View3D) || !isByHand || !this.svg?.contains(/** @type {Node} */ (event.target))
    ) return cellAt(event.target);
    const box = this.svg.getBoundingClientRect();
    const unit = this.#space.width / box.width;
    return this.#space.nearest([(event.clientX - box.left) * unit, (event.clientY - box.top) * unit]);
  }

  /** @param {PointerEvent} event */
  pointAt(event) {
    if (event.buttons && this.turning.isDragged) return this.near === null ? undefined : this.point(null);
    const index = this.cellOf(event);
    if (index === this.near) return;
    if (event.pointerType === "mouse" && index !== null && this.cells.has(index)) this.on.move?.(index);
    this.point(index);
  }

  /** Mark the cell with the pointer or the focus. @param {number | null} index */
  point(index) {
    this.cells.get(this.near ?? -1)?.group.classList.remove("near");
    this.cells.get(index ?? -1)?.group.classList.add("near");
    this.near = index;
    this.ghost(index);
  }

  /** @param {number | null} index */
  ghost(index) {
    if (!this.#space?.board.drops) return;
    const { space, shown } = this;
    const landing = index === null ? undefined : this.landingOf(index);
    for (const button of this.holder?.querySelectorAll(".drop") ?? []) {
      button.classList.toggle(
        "on",
        landing !== undefined && Number(button.getAttribute("data-index")) === space.columnOf(landing),
      );
    }
    this.layers.shadow.replaceChildren();
    if (landing === undefined || !this.cells.has(landing)) return this.layers.ghosts.replaceChildren();
    const mark = shown.mark && !shown.worths?.has(landing)
      ? markAt(shown.mark, variantOf(landing), space.isFlat ? space.corner(landing) : [0, 0])
      : null;
    this.layers.ghosts.setAttribute("class", `ghost ${inkOf(shown.mark ?? "")}-of`);
    if (space instanceof View3D) this.layers.ghosts.setAttribute("transform", space.placing(landing));
    this.layers.ghosts.replaceChildren(
      ...[...(space.isFlat ? this.fallTo(landing) : []), mark].filter((part) => part !== null),
    );
  }

  /** Shade the column through which a mark falls, and return its dotted path. @param {number} landing */
  fallTo(landing) {
    const { space, shown } = this;
    const column = [...this.cells.keys()].filter((index) =>
      space.columnOf(index) === space.columnOf(landing)
    );
    this.layers.shadow.replaceChildren(
      s("path", { class: "shade", d: column.map((index) => space.patch(index, 1)).join("") }),
    );
    const free = column.filter((index) => shown.cells[index] === null && index <= landing).map((index) =>
      space.centre(index)
    );
    const [x, y] = free[free.length - 1];
    const top = space.layout.gravity ? `${x} 0` : free[0].join(" ");
    const fall = free.length > 1 && space.isStraight
      ? s("path", {
        class: "dash",
        d: space.layout.gravity
          ? `M${top}V${y - CELL / 2}`
          : `M${free.map((point) => point.join(" ")).join("L")}`,
      })
      : null;
    return [fall];
  }
}
