// A move that is asked about before it is made: where a finger is wider than the cells, and where cells are
// tiny.

import { cellAt, h } from "./dom.js";
import { loupeOf } from "./loupe.js";
import { cellMeant } from "./move_input.js";
import { CELL } from "./space.js";
import { BILLBOARD } from "./view_3d.js";

/** @typedef {import("./board.js").Board} Board */

const EASY = 44; // pixels of a cell that a finger hits without being asked
const TINY = 20; // smaller cells are chosen in a window that enlarges them

export class Aiming {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    /** @type {number | null} The cell that is aimed at. */ this.at = null;
    this.pointer = "mouse";
    this.loupe = h("div", { class: "loupe", hidden: true, click: (event) => this.enlarged(event) });
  }

  /** The size of a cell in pixels. */
  get pixels() {
    const { scale = 1, space } = this.board;
    return CELL * scale * (space.isFlat ? 1 : BILLBOARD);
  }

  /** True if a move on a cell is to be confirmed. @param {number} index */
  isWanted(index) {
    const { on, shown, space } = this.board;
    if (!on.aim || !shown.open?.size) return false;
    if (this.pixels < TINY) return true;
    if (this.pointer === "mouse" || !shown.open.has(this.meant(index))) return false;
    return on.explores?.() || (!space.board.drops && (on.confirms?.() ?? this.isUsual));
  }

  /** The cell that is meant: where marks fall the one on which they land. @param {number} index */
  meant(index) {
    return cellMeant(this.board.space, [...(this.board.shown.open ?? [])], index) ?? index;
  }

  /** True if a finger only aims by default: cells are small. */
  get isUsual() {
    const { layout, board } = this.board.space;
    return this.pixels < EASY && !board.drops && Math.max(layout.planes * layout.rows, layout.columns) > 3;
  }

  /** Aims at a cell; null: at none. @param {number | null} index */
  aim(index) {
    if (this.at === index) return;
    this.at = index;
    if (index !== null) this.board.on.move?.(index);
    this.board.on.aim?.();
    this.board.again();
  }

  /**
   * The cells aimed at: with a move that is not played yet, or with a part of one that was said.
   * @returns {number[]}
   */
  get cells() {
    const { cells, said = [] } = this.board.shown;
    return [...(this.at === null ? [] : [this.at]), ...said.filter((index) => cells[index] === null)];
  }

  /**
   * The question about the cell that is aimed at; null for none.
   * @returns {import("./action_bar.js").Aim | null}
   */
  get asked() {
    const { at, board } = this;
    if (at === null) return null;
    return {
      cell: board.space.moveName(at),
      isOpen: Boolean(board.shown.open?.has(at)),
      play: () => this.choose(at),
      cancel: () => this.aim(null),
      nudge: (key) => this.nudge(key),
    };
  }

  /** Aims at the next cell that can be chosen on the way of a key. @param {string} key */
  nudge(key) {
    if (this.at === null) return;
    const { shown, space } = this.board;
    let [from, to] = [this.at, space.step(this.at, key)];
    while (to !== from && !shown.open?.has(this.meant(to))) [from, to] = [to, space.step(to, key)];
    const index = this.meant(to);
    if (!shown.open?.has(index)) return;
    if (!space.isDrawn(index)) this.board.turnTo(space.place(index)[0]);
    this.aim(index);
  }

  /** Chooses a cell; what was aimed at is forgotten. @param {number} index */
  choose(index) {
    const was = this.at;
    this.at = null;
    this.board.on.choose(index);
    if (was === null) return;
    this.board.on.aim?.();
    this.board.again();
  }

  /** The window that enlarges what is around the cell that is aimed at. */
  paint() {
    const { space, shown, cells } = this.board;
    const isOpen = this.at !== null && this.pixels < TINY && cells.has(this.at);
    this.loupe.hidden = !isOpen;
    this.loupe.replaceChildren(...(isOpen && this.at !== null ? [loupeOf(space, shown, this.at)] : []));
  }

  /** A cell was chosen in the window. @param {MouseEvent} event */
  enlarged(event) {
    event.stopPropagation(); // it is drawn anew before the board hears of this
    const chosen = cellAt(event.target);
    if (chosen === null) return;
    const index = this.meant(chosen);
    if (index === this.at && this.board.shown.open?.has(index)) this.choose(index);
    else this.aim(index);
  }
}
