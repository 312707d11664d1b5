// Input of a move part by part: cells to point at and choices, as in
// noughts.interfaces.presenting.move_builder.

import { at } from "./dom.js";

/**
 * @typedef {object} Step the possible next parts, and the moves that remain possible
 * @property {Api.LegalMoveMessage[]} moves
 * @property {number[]} cells
 * @property {string[]} choices
 * @property {boolean} areMarks whether the choices are marks
 */
/**
 * @typedef {object} Begun the entered parts
 * @property {string} said
 * @property {boolean} isBegun
 * @property {(choice: string) => void} choose
 * @property {() => void} stop takes the last part back
 */
/** @typedef {Step & Begun} Picking */

/**
 * Return the possible next parts after the entered ones.
 * @param {Api.LegalMoveMessage[]} legal
 * @param {(number | string)[]} said
 * @returns {Step}
 */
function nextStep(legal, said) {
  const place = said.length;
  const moves = legal.filter((move) => said.every((part, number) => move.parts[number] === part));
  const parts = [...new Set(moves.flatMap((move) => move.parts.slice(place, place + 1)))];
  return {
    moves,
    cells: parts.filter((part) => typeof part === "number"),
    choices: parts.filter((part) => typeof part === "string"),
    areMarks: moves.every((move) => move.mark !== undefined && move.mark === move.parts[place]),
  };
}

/**
 * Return the cell that a click stands for, or null. If marks fall, that is any cell of its column.
 * @param {import("./board_geometry.js").Space | undefined} space
 * @param {number[]} cells the possible cells
 * @param {number} index
 */
export function playableCell(space, cells, index) {
  if (cells.includes(index)) return index;
  return cells.find((cell) => space?.columnOf(cell) === space?.columnOf(index)) ?? null;
}

/** A move that is being entered on a board. */
export class MoveInput {
  /**
   * @param {import("./board.js").Board} board
   * @param {object} on
   * @param {() => Api.LegalMoveMessage[]} on.legal returns the legal moves
   * @param {(move: string) => void} on.made called with a complete move
   * @param {() => void} on.changed called after each part
   * @param {string} choices the id of the element with the buttons of choices
   */
  constructor(board, on, choices) {
    this.board = board;
    this.on = on;
    this.choices = choices;
    /** @type {(number | string)[]} The entered parts. */ this.said = [];
  }

  get step() {
    return nextStep(this.on.legal(), this.said);
  }

  /** The cells among the entered parts. */
  get cells() {
    return this.said.filter((part) => typeof part === "number");
  }

  /** The entered parts in words. */
  get name() {
    const space = this.board.spaceIfShown;
    return this.said.map((part) => (typeof part === "number" ? space?.moveName(part) : part)).join(" ");
  }

  /** @returns {Picking} */
  get picking() {
    const { step, said, name } = this;
    return {
      ...step,
      said: name,
      isBegun: said.length > 0,
      choose: (choice) => this.say(choice),
      stop: () => this.takeBack(),
    };
  }

  /**
   * Enter a cell, or take it back if it is entered already.
   * @param {number} index
   * @returns {boolean} true if one of them was possible
   */
  point(index) {
    const cell = playableCell(this.board.spaceIfShown, this.step.cells, index);
    if (cell !== null) this.say(cell);
    else if (this.said.includes(index)) this.takeBack(this.said.indexOf(index));
    else return false;
    return true;
  }

  /** Enter the next part. Once only one move is possible, it is made. @param {number | string} part */
  say(part) {
    this.said = [...this.said, part];
    const { moves, choices } = this.step;
    if (moves.length === 1) {
      this.said = [];
      return this.on.made(moves[0].move);
    }
    this.on.changed();
    if (choices.length) at(this.choices).querySelector("button")?.focus();
  }

  /** Take back the parts from a place on. @param {number} place */
  takeBack(place = this.said.length - 1) {
    if (!this.said.length) return;
    this.said = this.said.slice(0, place);
    this.on.changed();
  }

  /**
   * Return the id of the sentence about a cell that cannot be entered.
   * @param {(string | null)[]} cells
   * @param {number} index
   */
  whyNot(cells, index) {
    if (this.said.length) return "not-next";
    const isPlaced = this.step.cells.every((cell) => cells[cell] === null);
    return cells[index] !== null && isPlaced ? "web-taken" : "web-not-here";
  }
}
