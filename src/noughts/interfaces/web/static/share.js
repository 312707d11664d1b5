// The strip for sharing a finished game: its link, its pictures, and the code that embeds it.

import { pathOfGame, sharedOrigin, withLanguage } from "./api.js";
import { h } from "./dom.js";
import { say } from "./i18n.js";
import { button, copyButton } from "./status_texts.js";

/** @type {Record<string, string>} */
const ESCAPES = { "&": "&amp;", '"': "&quot;", "<": "&lt;" };
/** The kinds of files that the server draws. */
const draws = (document.documentElement.dataset.draws ?? "").split(" ");

/**
 * Return the HTML that embeds the replay of a game.
 * @param {string} query the query of the page of the game, with its key and the shown ply
 * @param {string | number} number
 * @param {string} title
 */
function embedCode(query, number, title) {
  const address = `${sharedOrigin}/embed/g/${number}${query}`.replace(/&/g, "&amp;");
  const shown = title.replace(/[&"<]/g, (letter) => ESCAPES[letter]);
  return `<iframe src="${address}" width="480" height="640" style="border:0" title="${shown}"></iframe>`;
}

/**
 * Create the strip.
 * @param {{number: string | number, key: string, ply: number, last: number, title: string, address: string}} game
 * the game, the shown ply, the title of the page, and its absolute address
 */
export function shareSection({ number, key, ply, last, title, address }) {
  const query = [key && `key=${key}`, ply < last && `ply=${ply}`].filter(Boolean).join("&");
  const code = embedCode(query && `?${query}`, number, title);
  const field = h("input", {
    id: "embed-code",
    readonly: true,
    value: code,
    "data-key": "embed-code",
    focus: () => field.select(),
  });
  const file = (/** @type {string} */ id, /** @type {string} */ path, name = "") =>
    h("a", { class: "button", href: withLanguage(path), download: name, "data-key": id }, say(id));
  const picture = pathOfGame(number, key, "card.png") + (ply < last ? `${key ? "&" : "?"}ply=${ply}` : "");
  const send = typeof navigator.share === "function"
    ? button("share-send", () => navigator.share({ title, url: address }).catch(() => undefined))
    : null;
  return h(
    "section",
    { class: "share" },
    h("h2", {}, say("share-title")),
    h(
      "div",
      { class: "acts", role: "group", "aria-label": say("share-title") },
      send,
      copyButton("web-copy-link", address),
      draws.includes("pictures") ? file("share-picture", picture, `noughts-${number}.png`) : null,
      draws.includes("animations")
        ? file("share-animation", pathOfGame(number, key, "animation.gif"), `noughts-${number}.gif`)
        : null,
    ),
    h(
      "p",
      { class: "field" },
      h("label", { for: "embed-code" }, say("share-embed")),
      h("span", { class: "row" }, field, copyButton("web-copy", code)),
    ),
  );
}
