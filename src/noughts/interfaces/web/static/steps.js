// Steps through the moves of a game: four arrows, four keys, and the ply in the address; and looking back at
// an earlier position while the game goes on, which the server tells.

import { ask } from "./api.js";
import { h, icon } from "./dom.js";
import { say } from "./i18n.js";

/** @typedef {"start" | "back" | "forward" | "end"} Step */

const ARROWS = {
  start: "M7 5V19M18 5L11 12L18 19",
  back: "M15 5L8 12L15 19",
  forward: "M9 5L16 12L9 19",
  end: "M17 5V19M6 5L13 12L6 19",
};
const SAID = { start: "web-start", back: "web-one-back", forward: "web-one-forward", end: "web-end" };
/** @type {Record<string, Step>} */
const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "start", End: "end" };
const REVIEW = "review";
const FIELDS = "input, select, textarea";
const ELSEWHERE = `[role=grid], summary, ${FIELDS}`;

/** The ply that the address names; null where it names none. */
export function plyOfAddress() {
  const asked = new URLSearchParams(location.search).get("ply") ?? "";
  return /^\d{1,6}$/.test(asked) ? Number(asked) : null;
}

/** The secret in the address that opens a private game; empty if there is none. */
export function keyOfAddress() {
  const asked = new URLSearchParams(location.search).get("key") ?? "";
  return /^[\w-]{1,100}$/.test(asked) ? asked : "";
}

/** True if the address asks for the review. */
export const isReviewAsked = () => new URLSearchParams(location.search).has(REVIEW);

/**
 * The address of a ply of what this page shows; the review is found there again.
 * @param {number | null} ply null: without one
 * @param {boolean} isReviewed
 */
export function addressOf(ply, isReviewed = isReviewAsked()) {
  const asked = [
    keyOfAddress() && `key=${keyOfAddress()}`,
    ply !== null && `ply=${ply}`,
    isReviewed && REVIEW,
  ].filter(Boolean).join("&");
  return location.pathname + (asked && `?${asked}`);
}

/** @param {number | null} ply @param {boolean} [isReviewed] */
export function writeAddress(ply, isReviewed) {
  history.replaceState(history.state, "", addressOf(ply, isReviewed));
}

/**
 * A link to a ply of what this page shows.
 * @param {number} ply
 * @param {(ply: number) => void} open
 * @param {import("./dom.js").Attributes} attributes
 * @param {...import("./dom.js").Child} children
 */
export function plyLink(ply, open, attributes, ...children) {
  const click = (/** @type {Event} */ event) => (event.preventDefault(), open(ply));
  return h("a", { href: addressOf(ply), click, ...attributes }, ...children);
}

/** The ply to which a step leads. @param {Step} step @param {number} ply @param {number} last */
export function plyAfter(step, ply, last) {
  const to = { start: 0, back: ply - 1, forward: ply + 1, end: last }[step];
  return Math.max(0, Math.min(to, last));
}

/**
 * The four arrows, and which ply is shown.
 * @param {{ply: number, last: number, open: (ply: number) => void, address?: (ply: number) => string}} steps
 */
export function stepsOf({ ply, last, open, address = addressOf }) {
  const link = (/** @type {Step} */ step) => {
    const to = plyAfter(step, ply, last);
    const named = { href: address(to), "aria-label": say(SAID[step]), "data-key": SAID[step] };
    return plyLink(to, open, named, icon(ARROWS[step]));
  };
  const place = h("span", { class: "ply", role: "status" }, say("web-ply-of", { ply, of: last }));
  return h(
    "div",
    { class: "steps", role: "group", "aria-label": say("web-steps") },
    link("start"),
    link("back"),
    place,
    link("forward"),
    link("end"),
  );
}

/** Steps by key, outside of boards and fields. @param {(step: Step) => void} go */
export function listenForSteps(go) {
  listenForKeys(
    Object.fromEntries(Object.entries(KEYS).map(([key, step]) => [key, () => go(step)])),
    ELSEWHERE,
  );
}

/**
 * Does something at a key.
 * @param {Record<string, () => void>} acts by key
 * @param {string} elsewhere what keys are left to
 */
export function listenForKeys(acts, elsewhere = FIELDS) {
  addEventListener("keydown", (event) => {
    if (event.target instanceof Element && event.target.closest(elsewhere)) return;
    if (!Object.hasOwn(acts, event.key) || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) {
      return;
    }
    event.preventDefault();
    acts[event.key]();
  });
}

/** The moves that led to a ply. @param {Api.RoomState} state @param {number} ply */
export function lineTo(state, ply) {
  const moves = state.moves.slice(0, ply).map((move) => move.move);
  return [state.series.number, ...moves].join(" ");
}

export class Past {
  /** @param {string} room */
  constructor(room) {
    this.room = room;
    /** @type {Api.PositionMessage | null} The position that is looked at; null: the game as it is. */
    this.position = null;
    /** @type {number | null} */ this.wanted = plyOfAddress();
    /** @type {Api.RoomState | null} The state when the reader looked away from the game. */ this.since =
      null;
    this.line = "";
  }

  /** Looks at a ply; at the last one, at the game as it is. @param {Api.RoomState} state @param {number} ply */
  async open(state, ply) {
    this.wanted = ply;
    try {
      await this.follow(state);
    } catch (error) {
      this.wanted = this.position?.ply ?? null;
      throw error;
    }
  }

  /**
   * Sees to it that the wanted position is that of a state's moves: they may have been taken back.
   * @param {Api.RoomState} state
   */
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

  /**
   * The sentence about what has happened since the reader looked away; null while nothing has.
   * @param {Api.RoomState} state
   * @param {boolean} isMine whether it is the reader's turn
   */
  news(state, isMine) {
    if (!this.since || (this.since.moves.length === state.moves.length && this.since.phase === state.phase)) {
      return null;
    }
    if (state.phase !== "playing") return "web-past-ended";
    return isMine ? "web-past-turn" : "web-past-news";
  }
}
