// @ts-check
// A room before its game: inviting a friend, taking the free seat, choosing a mark; and a room that is not there.

import { joinRoom, sentenceOf } from "./api.js";
import { glyph, pictureOf } from "./drawing.js";
import { at, fill, h } from "./dom.js";
import { keep, kept, onLanguage, say, timeOfDay } from "./i18n.js";
import { listenForCode } from "./joining.js";
import { button, copyButton, writeMissing } from "./telling.js";

/** @typedef {any} State what the server tells of a room */

const LETTERS = "······";

/** What lets a friend in: a code, a link and its picture. @param {State} state */
export function inviting(state) {
  const link = `${location.origin}/r/${state.room}`;
  const word = state.code ?? "";
  const letters = [...(word || LETTERS)].map(letter => h("span", { "aria-hidden": "true" }, letter));
  const field = h("input", { id: "link", readonly: true, value: link, "data-key": "link", focus: (/** @type {any} */ event) => event.target.select() });
  const tell = word ? [h("p", { class: "lead" }, say("web-tell-code")), h("div", { class: "bigcode", role: "img", "aria-label": [...word].join(" ") }, ...letters), h("p", { class: "hint2" }, say("web-code-until", { time: timeOfDay(state.expires ?? 0) }))] : [h("p", { class: "hint2" }, say("web-code-spent"))];
  const send = h("p", { class: "field" }, h("label", { for: "link" }, say("web-send-link")), h("span", { class: "row" }, field, copyButton("web-copy", link, "primary")));
  const code = h("img", { class: "qr", src: `/qr.svg?link=${encodeURIComponent(link)}`, alt: say("web-qr") });
  const scan = h("figure", {}, code, h("figcaption", {}, say("web-scan")));
  return h("div", {}, h("div", { class: "invite" }, h("div", { class: "how" }, ...tell, send), scan), h("div", { class: "ready" }, pictureOf(state.game, state)));
}

/** Taking the free seat under a name. @param {State} state @param {(state: State) => void} enter @param {(sentence: string) => void} refuse */
export function joining(state, enter, refuse) {
  const field = /** @type {HTMLInputElement} */ (h("input", { id: "name", name: "name", maxlength: 40, autocomplete: "nickname", "data-key": "name", value: kept("noughts-name") ?? "" }));
  const join = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const own = /** @type {HTMLInputElement} */ (at("name")).value.trim();
    keep("noughts-name", own);
    try {
      enter((await joinRoom({ room: state.room, name: own || say("default-name") })).state);
    } catch (error) {
      refuse(sentenceOf(error));
    }
  };
  const row = h("span", { class: "row" }, field, h("button", { type: "submit", class: "primary", "data-key": "sit" }, say("web-sit-down")));
  const form = h("form", { class: "code err", submit: join }, h("label", { for: "name" }, say("web-name")), row, h("small", {}, say("web-no-account")));
  return h("div", {}, form, h("div", { class: "ready" }, pictureOf(state.game, state)));
}

/** One button for each mark. @param {string[]} marks @param {string} key @param {(mark: string) => void} choose */
export function markButtons(marks, key, choose) {
  return marks.map(mark => h("button", { type: "button", "data-key": `${key}-${mark}`, "aria-label": mark, click: () => choose(mark) }, glyph(mark)));
}

/** Says that a room is not there, or that nobody answers; and what can be done. @param {unknown} error */
export function missing(error) {
  const form = at("join");
  listenForCode();
  onLanguage(() => {
    const isGone = writeMissing(error, "web-no-room", "web-no-room-about");
    const again = h("div", { class: "acts" }, button("web-try-now", () => location.reload(), "primary"));
    const acts = h("div", { class: "acts" }, h("a", { class: "button", href: "/" }, say("web-choose-game")), h("a", { class: "button", href: "/history" }, say("web-history")));
    form.hidden = !isGone;
    fill(at("below"), isGone ? form : again, acts);
    fill(at("margin"), h("p", { class: "fact" }, say("web-nothing-lost")));
  });
}
