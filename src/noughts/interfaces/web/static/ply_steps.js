// Steps through the moves of a game by buttons, keys and addresses, also while the game continues.

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

/** Return the ply in the address, or null. */
export function plyOfAddress() {
  const asked = new URLSearchParams(location.search).get("ply") ?? "";
  return /^\d{1,6}$/.test(asked) ? Number(asked) : null;
}

/** Return the key of a private game in the address, empty if there is none. */
export function keyOfAddress() {
  const asked = new URLSearchParams(location.search).get("key") ?? "";
  return /^[\w-]{1,100}$/.test(asked) ? asked : "";
}

/** Return true if the address requests the review. */
export const isReviewRequested = () => new URLSearchParams(location.search).has(REVIEW);

/**
 * Return the address of a ply of this page, with the review if it is shown.
 * @param {number | null} ply the ply, or null for the page itself
 * @param {boolean} isReviewed
 */
export function addressOf(ply, isReviewed = isReviewRequested()) {
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
 * Create a link to a ply of this page.
 * @param {number} ply
 * @param {(ply: number) => void} open
 * @param {import("./dom.js").Attributes} attributes
 * @param {...import("./dom.js").Child} children
 */
export function plyLink(ply, open, attributes, ...children) {
  const click = (/** @type {Event} */ event) => (event.preventDefault(), open(ply));
  return h("a", { href: addressOf(ply), click, ...attributes }, ...children);
}

/** Return the ply after a step. @param {Step} step @param {number} ply @param {number} last */
export function plyAfter(step, ply, last) {
  const to = { start: 0, back: ply - 1, forward: ply + 1, end: last }[step];
  return Math.max(0, Math.min(to, last));
}

/**
 * Create the four arrows and the number of the shown ply.
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

/** Listen to the keys of steps outside of boards and fields. @param {(step: Step) => void} go */
export function listenForSteps(go) {
  listenForKeys(
    Object.fromEntries(Object.entries(KEYS).map(([key, step]) => [key, () => go(step)])),
    ELSEWHERE,
  );
}

/**
 * Listen to keys.
 * @param {Record<string, () => void>} acts functions by key
 * @param {string} elsewhere a selector of the elements that handle keys themselves
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

/** Return the moves that led to a ply. @param {Api.RoomState} state @param {number} ply */
export function lineTo(state, ply) {
  const moves = state.moves.slice(0, ply).map((move) => move.move);
  return [state.series.number, ...moves].join(" ");
}

export class Past {
  /** @param {string} room */
  constructor(room) {
    this.room = room;
    /** @type {Api.PositionMessage | null} The earlier position that is shown, or null. */
    this.position = null;
    /** @type {number | null} */ this.wanted = plyOfAddress();
    /** @type {Api.RoomState | null} The state when the reader started to look back. */ this.since = null;
    this.line = "";
  }

  /** Show a ply. At the last one, follow the game again. @param {Api.RoomState} state @param {number} ply */
  async open(state, ply) {
    this.wanted = ply;
    try {
      await this.follow(state);
    } catch (error) {
      this.wanted = this.position?.ply ?? null;
      throw error;
    }
  }

  /** Load the shown position again if moves of the new state were taken back. @param {Api.RoomState} state */
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

  /** Follow the game again. */
  leave() {
    this.position = this.wanted = this.since = null;
    writeAddress(null);
  }

  /**
   * Return the sentence about events since the reader started to look back, or null.
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
