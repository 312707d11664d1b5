// The inbox of a player with a key: notes about what happened meanwhile, and the dot for new ones.

import { ask } from "./api.js";
import { fill, h } from "./dom.js";
import { language, onLanguage, say } from "./i18n.js";
import { isSignedIn } from "./identity.js";
import { button } from "./status_texts.js";

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [["day", 86_400], ["hour", 3_600], ["minute", 60]];

/** Return the time since an instant in words. @param {number} instant */
function timeSince(instant) {
  const seconds = Math.max(0, Date.now() - instant) / 1000;
  const [unit, length] = UNITS.find(([, length]) => seconds >= length) ?? UNITS[2];
  const format = new Intl.RelativeTimeFormat(language(), { numeric: "auto" });
  return format.format(-Math.floor(seconds / length), unit);
}

/** @param {Api.NoteMessage} note */
function item({ sentence, about, link, at, is_new: isNew }) {
  return h(
    "li",
    { class: isNew ? "new" : null },
    h(
      "a",
      { href: link },
      isNew && h("span", { class: "visually-hidden" }, say("inbox-new"), " "),
      sentence,
    ),
    h("small", {}, say("inbox-about", { game: about, time: timeSince(at) })),
  );
}

/**
 * Fill an element with the inbox of the player who is signed in, in each language. It stays hidden for a
 * guest.
 * @param {HTMLElement} box
 */
export function showInbox(box) {
  onLanguage(() => readInbox(box));
}

/** Read the inbox again, and fill the element. @param {HTMLElement} box */
export async function readInbox(box) {
  const inbox = isSignedIn() ? await ask("/api/inbox").catch(() => null) : null;
  box.hidden = inbox === null;
  if (inbox) fillInbox(box, inbox);
}

/** @param {HTMLElement} box @param {Api.InboxMessage} inbox */
function fillInbox(box, inbox) {
  const until = inbox.notes[0]?.at ?? 0;
  const read = async () => fillInbox(box, await ask("/api/inbox/read", { until }));
  fill(
    box,
    h(
      "div",
      { class: "inbox-head" },
      h("h2", { id: "inbox-title" }, say("inbox-title")),
      h("span", { class: "fact", role: "status" }, inbox.new ? say("inbox-count", { count: inbox.new }) : ""),
    ),
    inbox.notes.length
      ? h("ul", { class: "inbox" }, ...inbox.notes.map(item))
      : h("p", { class: "fact" }, say("inbox-empty")),
    inbox.new ? h("div", { class: "acts" }, button("inbox-read", read)) : null,
  );
}
