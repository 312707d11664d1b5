// Confirmation of moves by touch: a tap aims if cells are smaller than a finger, and tiny cells are
// enlarged.

import { cellAt, h } from "./dom.js";
import { loupeOf } from "./loupe.js";
import { playableCell } from "./move_input.js";
import { CELL } from "./board_geometry.js";
import { BILLBOARD } from "./view_3d.js";

/** @typedef {import("./board.js").Board} Board */

const EASY = 44; // pixels of a cell that a finger hits reliably
const TINY = 20; // pixels of a cell below which the loupe opens

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

  /** Return true if a move on a cell has to be confirmed. @param {number} index */
  isWanted(index) {
    const { on, shown, space } = this.board;
    if (!on.aim || !shown.open?.size) return false;
    if (this.pixels < TINY) return true;
    if (this.pointer === "mouse" || !shown.open.has(this.meant(index))) return false;
    return on.explores?.() || (!space.board.drops && (on.confirms?.() ?? this.isUsual));
  }

  /**
   * Return the cell of the move that a cell stands for. A mark that falls lands elsewhere in its column.
   * @param {number} index
   */
  meant(index) {
    return playableCell(this.board.space, [...(this.board.shown.open ?? [])], index) ?? index;
  }

  /** Whether a tap only aims by default, since cells are small. */
  get isUsual() {
    const { layout, board } = this.board.space;
    return this.pixels < EASY && !board.drops && Math.max(layout.planes * layout.rows, layout.columns) > 3;
  }

  /** Aim at a cell, or at none if it is null. @param {number | null} index */
  aim(index) {
    if (this.at === index) return;
    this.at = index;
    if (index !== null) this.board.on.move?.(index);
    this.board.on.aim?.();
    this.board.again();
  }

  /** The cells that are aimed at, or entered as part of a move. @returns {number[]} */
  get cells() {
    const { cells, said = [] } = this.board.shown;
    return [...(this.at === null ? [] : [this.at]), ...said.filter((index) => cells[index] === null)];
  }

  /**
   * The question about the cell that is aimed at, or null.
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

  /** Aim at the next playable cell in the direction of a key. @param {string} key */
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

  /** Choose a cell and stop aiming. @param {number} index */
  choose(index) {
    const was = this.at;
    this.at = null;
    this.board.on.choose(index);
    if (was === null) return;
    this.board.on.aim?.();
    this.board.again();
  }

  /** Draw the loupe around the cell that is aimed at. */
  paint() {
    const { space, shown, cells } = this.board;
    const isOpen = this.at !== null && this.pixels < TINY && cells.has(this.at);
    this.loupe.hidden = !isOpen;
    this.loupe.replaceChildren(...(isOpen && this.at !== null ? [loupeOf(space, shown, this.at)] : []));
  }

  /** Handle a click in the loupe. @param {MouseEvent} event */
  enlarged(event) {
    event.stopPropagation(); // the loupe is redrawn before the board would handle the event
    const chosen = cellAt(event.target);
    if (chosen === null) return;
    const index = this.meant(chosen);
    if (index === this.at && this.board.shown.open?.has(index)) this.choose(index);
    else this.aim(index);
  }
}
