// The panel below the board: the invitation, the form for the free seat, steps through the moves, notes
// about the position, and the page of a missing room.

import { errorSentence, isOnlyHere, joinRoom, sharedOrigin } from "./api.js";
import { pictureOf } from "./board_drawing.js";
import { at, fill, h, inputAt } from "./dom.js";
import { ownName } from "./identity.js";
import { onLanguage, readStored, say, timeOfDay, writeStored } from "./i18n.js";
import { stepsOf } from "./ply_steps.js";
import { button, copyButton, linesNote, writeMissing } from "./status_texts.js";
import { hintSentence } from "./evaluation.js";

/**
 * The state of the page besides the room.
 * @typedef {object} Asking
 * @property {{lines: boolean, values: boolean, hint: boolean}} wanted
 * @property {(key: "lines" | "values" | "hint") => void} toggle
 * @property {Api.PositionValueMessage | null} worth the value of the shown position if it is known
 * @property {boolean} isEvaluating whether the value is requested
 * @property {import("./board_drawing.js").Through | null} through the lines through the cell with the pointer
 * @property {string} warning the reason why the cell with the pointer is forbidden
 * @property {import("./board_geometry.js").Space | undefined} space
 * @property {import("./action_bar.js").Aim | null} aim the move to confirm
 * @property {import("./move_input.js").Picking | null} picking the next part of a move, or null while
 * looking back
 * @property {(state: Api.RoomState) => void} enter takes the free seat
 * @property {(sentence: string) => void} refuse
 */

const LETTERS = "······";

/**
 * Fill the panel below the bar.
 * @param {import("./status_texts.js").Room} room
 * @param {Asking} asking
 * @param {HTMLElement} below
 * @param {HTMLElement | null} phrases the phrases to say, if they are shown
 */
export function fillPanel(room, asking, below, phrases) {
  const { state, past, mine, open } = room;
  if (state.phase === "waiting") {
    return fill(below, mine.length ? inviting(state) : joining(state, asking.enter, asking.refuse));
  }
  fill(
    below,
    phrases,
    past ? stepsOf({ ply: past.position.ply, last: state.moves.length, open }) : null,
    note(room, asking),
  );
}

/** @param {import("./status_texts.js").Room} room @param {Asking} asking */
function note({ state, past }, { wanted, worth, isEvaluating, through, space, warning }) {
  const side = (past?.position ?? state).turn;
  if (warning) return h("p", { class: "note", role: "status" }, warning);
  if (through || (wanted.lines && side)) return linesNote(through, space, side);
  if (!isEvaluating) return null;
  const sentence = worth && (wanted.hint ? hintSentence(worth) : worth.sentence);
  return h("p", { class: "note", role: "status" }, sentence ?? say("searching"));
}

/**
 * Create the invitation of a friend: a code, a link and its QR code.
 * @param {import("./status_texts.js").State} state
 */
function inviting(state) {
  const link = `${sharedOrigin}/r/${state.room}`;
  const word = state.code ?? "";
  const letters = [...(word || LETTERS)].map((letter) => h("span", { "aria-hidden": "true" }, letter));
  const field = h("input", {
    id: "link",
    readonly: true,
    value: link,
    "data-key": "link",
    focus: () => field.select(),
  });
  const tell = word
    ? [
      h("p", { class: "lead" }, say("web-tell-code")),
      h("div", { class: "bigcode", role: "img", "aria-label": [...word].join(" ") }, ...letters),
      h("p", { class: "code-note" }, say("web-code-until", { time: timeOfDay(state.expires ?? 0) })),
    ]
    : [h("p", { class: "code-note" }, say("web-code-spent"))];
  const send = h(
    "p",
    { class: "field" },
    h("label", { for: "link" }, say("web-send-link")),
    h("span", { class: "row" }, field, copyButton("web-copy", link, "primary")),
  );
  const near = isOnlyHere
    ? h("p", { class: "code-note near" }, say("web-only-here", { command: "noughts serve --lan" }))
    : null;
  const code = h("img", { class: "qr", src: `/qr.svg?link=${encodeURIComponent(link)}`, alt: say("web-qr") });
  const scan = h("figure", {}, code, h("figcaption", {}, say("web-scan")));
  return h(
    "div",
    {},
    h("div", { class: "invite" }, h("div", { class: "how" }, ...tell, send, near), scan),
    h("div", { class: "ready" }, pictureOf(state.game, state)),
  );
}

let isJoining = false;
let seatedAt = 0; // the version in which a seat was taken, so that an older form takes no other seat

/**
 * Create the form that takes the free seat.
 * @param {import("./status_texts.js").State} state
 * @param {Asking["enter"]} enter
 * @param {Asking["refuse"]} refuse
 */
function joining(state, enter, refuse) {
  const field = h("input", {
    id: "name",
    name: "name",
    maxlength: 40,
    autocomplete: "nickname",
    "data-key": "name",
    value: ownName() || (readStored("noughts-name") ?? ""),
    readonly: Boolean(ownName()),
  });
  const join = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (isJoining || state.version < seatedAt) return;
    isJoining = true;
    const own = inputAt("name").value.trim();
    if (!ownName()) writeStored("noughts-name", own);
    try {
      const entry = await joinRoom({ room: state.room, name: own || say("default-name") });
      seatedAt = entry.state.version;
      enter(entry.state);
    } catch (error) {
      refuse(errorSentence(error));
    } finally {
      isJoining = false;
    }
  };
  const row = h(
    "span",
    { class: "row" },
    field,
    h("button", { type: "submit", class: "primary", "data-key": "sit" }, say("web-sit-down")),
  );
  const form = h(
    "form",
    { class: "code has-error", submit: join },
    h("label", { for: "name" }, say("web-name")),
    row,
    h("small", {}, ownName() ? h("a", { href: "/key" }, say("web-identity")) : say("web-no-account")),
  );
  return h("div", {}, form, h("div", { class: "ready" }, pictureOf(state.game, state)));
}

/**
 * Show that a room is missing or that the server does not respond, with the possible actions.
 * @param {unknown} error
 */
export function missing(error) {
  onLanguage(() => {
    const isGone = writeMissing(error, "web-no-room", "web-no-room-about");
    const again = h("div", { class: "acts" }, button("web-try-now", () => location.reload(), "primary"));
    const acts = h(
      "div",
      { class: "acts" },
      h("a", { class: "button", href: "/" }, say("web-choose-game")),
      h("a", { class: "button", href: "/history" }, say("web-history")),
    );
    fill(at("panel"), isGone ? null : again, acts);
    fill(at("margin"), h("p", { class: "fact" }, say("web-nothing-lost")));
  });
}
