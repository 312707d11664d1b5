// @ts-check
// Looking back at an earlier position while the game goes on; positions are told by the server.

import { ask } from "./api.js";
import { plyOfAddress, writeAddress } from "./steps.js";

/** @typedef {any} State what the server tells of a room */
/** @typedef {{ply: number, turn: string | null, cells: (string | null)[], last: number[], lines: number[][], annotations: import("./position.js").Annotations}} Position */

/** The moves that led to a ply. @param {State} state @param {number} ply */
export function lineTo(state, ply) {
  const moves = state.moves.slice(0, ply).map((/** @type {any} */ move) => move.move);
  return [state.series.number, ...moves].join(" ");
}

export class Past {
  /** @param {string} room */
  constructor(room) {
    this.room = room;
    /** @type {Position | null} What is looked at; null: the game as it is. */ this.position = null;
    /** @type {number | null} */ this.wanted = plyOfAddress();
    /** @type {State} The state when the reader looked away from the game. */ this.since = null;
    this.line = "";
  }

  /** Looks at a ply; at the last one, at the game as it is. @param {State} state @param {number} ply */
  async open(state, ply) {
    this.wanted = ply;
    try {
      await this.follow(state);
    } catch (error) {
      this.wanted = this.position?.ply ?? null;
      throw error;
    }
  }

  /** Sees to it that the wanted position is that of a state's moves: they may have been taken back. @param {State} state */
  async follow(state) {
    const ply = this.wanted;
    if (ply === null) return;
    this.since ??= state;
    if (ply >= state.moves.length || this.since.series.number !== state.series.number) return this.leave();
    const line = lineTo(state, ply);
    if (this.position?.ply !== ply || this.line !== line) {
      const position = await ask(`/api/rooms/${this.room}/plies/${ply}`);
      if (this.wanted !== ply) return;
      this.position = position;
      this.line = line;
    }
    writeAddress(ply);
  }

  /** Back to the game as it is. */
  leave() {
    this.position = this.wanted = this.since = null;
    writeAddress(null);
  }

  /** The sentence about what has happened since the reader looked away; null while nothing has. @param {State} state @param {boolean} isMine whether it is the reader's turn */
  news(state, isMine) {
    if (!this.since || (this.since.moves.length === state.moves.length && this.since.phase === state.phase)) return null;
    if (state.phase !== "playing") return "web-past-ended";
    return isMine ? "web-past-turn" : "web-past-news";
  }
}
