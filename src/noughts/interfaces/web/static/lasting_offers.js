// Offers of games by days, which stay open without a page. They belong to this browser, and to the player's key.

import { ask, joinWithKey } from "./api.js";
import { h } from "./dom.js";
import { dayOf, readStored, say, writeStored } from "./i18n.js";
import { clockName, newVisitKey, visitorName, withdrawOffer } from "./lobby_link.js";
import { seats } from "./stored_seats.js";

const KEY = "noughts-days";

let key = readStored(KEY) ?? "";

/** Return the secret key of this browser for games by days, or null if it has made no such offer. */
export const knownDaysKey = () => key || null;

/** Return the secret key of this browser for games by days. */
export function daysKey() {
  if (!key) {
    key = newVisitKey();
    writeStored(KEY, key);
  }
  return key;
}

/** Offer a game by days to all, or ask the player in *to*. @param {Api.OfferRequest & {to?: string}} wish */
export function offerByDays(wish) {
  const { to, ...facts } = wish;
  return to === undefined
    ? ask("/api/offers", { ...facts, lasts: true }, daysKey())
    : ask("/api/challenges", { ...facts, to, lasts: true }, daysKey());
}

/** Withdraw an own offer of a game by days. @param {number} number */
export const withdrawByDays = (number) => withdrawOffer(number, daysKey());

/** Take the seats of the games to which offers of this browser have led. @param {string[]} rooms */
export async function takeSeats(rooms) {
  const known = new Set(seats().map(({ room }) => room));
  for (const room of rooms) {
    if (!known.has(room)) await joinWithKey({ room, name: visitorName() }, daysKey()).catch(() => undefined);
  }
}

/**
 * Create the list item of an own offer that stays open.
 * @param {Api.LobbyOfferMessage} offer
 * @param {Node} picture
 * @param {() => void} withdraw
 */
export function lastingRow(offer, picture, withdraw) {
  const day = dayOf(offer.expires ?? 0);
  const about = offer.to === null
    ? say("lobby-lasting", { day })
    : say("lobby-lasting-to", { player: offer.to, day });
  return h(
    "li",
    {},
    picture,
    h("span", { class: "row-text" }, about, h("small", {}, termsOf(offer))),
    h(
      "button",
      {
        type: "button",
        class: "button",
        "data-key": `withdraw-${offer.number}`,
        "aria-label": `${say("lobby-withdraw")}: ${termsOf(offer)}`,
        click: withdraw,
      },
      say("lobby-withdraw"),
    ),
  );
}

/** Return the games, the clocks and the range of ratings of an offer in words. @param {Api.LobbyOfferMessage} offer */
export function termsOf({ games, clocks, rated, is_bot: isBot, lowest, highest }) {
  const terms = say(rated && !isBot ? "lobby-terms-rated" : "lobby-terms", {
    games: games.map(({ title }) => title),
    clocks: clocks.map(clockName),
  });
  if (lowest !== null && highest !== null) {
    return say("lobby-terms-between", { terms, lowest: String(lowest), highest: String(highest) });
  }
  if (lowest !== null) return say("lobby-terms-above", { terms, lowest: String(lowest) });
  return highest === null ? terms : say("lobby-terms-below", { terms, highest: String(highest) });
}
