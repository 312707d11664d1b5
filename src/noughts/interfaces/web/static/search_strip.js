// The strip above a board: the search for an opponent while the player plays a computer, and the hand-over.

import { ask, errorSentence } from "./api.js";
import { at, fill, h } from "./dom.js";
import { onLanguage, paragraph, say } from "./i18n.js";
import {
  clockName,
  currentSearch,
  enterGame,
  followLobby,
  hasEntered,
  markEntered,
  startSearch,
  stopSearch,
  storeSearch,
  takeSeat,
  visitKey,
} from "./lobby_link.js";
import { showNotice } from "./notices.js";
import { dropSeats } from "./stored_seats.js";

const HAND_OVER = 5; // seconds

/** @type {Api.OwnOffers | null} */ let own = null;
/** @type {{room: string, player: string, game: string, left: number} | null} */ let joined = null;
let message = "";
/** Return true if the game of the page is played while the player waits. */ let isPractice = () => false;
/** True from the begin of a connection until its first event. */ let isFresh = true;

const minutes = (/** @type {number} */ seconds) =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

/** @param {string} key @param {() => void} click @param {string} kind */
const button = (key, click, kind = "") =>
  h("button", { type: "button", class: kind, "data-key": key, click }, say(key));

function draw() {
  const strip = at("search");
  const search = currentSearch();
  const isSearching = Boolean(own?.offer ?? search);
  at("page").classList.toggle("off", joined !== null);
  strip.hidden = !joined && !isSearching && !message;
  strip.className = joined ? "asked joined" : "seek";
  strip.setAttribute("role", joined ? "alert" : "status");
  if (joined) {
    return fill(
      strip,
      h(
        "p",
        {},
        h("b", {}, say("lobby-joined", { player: joined.player })),
        h("small", { class: "num" }, say("lobby-starts", { game: joined.game, count: joined.left })),
      ),
      h("span", { class: "pair" }, button("lobby-go", go, "primary"), button("lobby-not-now", notNow)),
    );
  }
  if (!isSearching) return fill(strip, message ? h("p", {}, message) : null);
  const since = own?.offer?.since ?? search?.since ?? Date.now();
  const waited = Math.max(0, Math.round((Date.now() - since) / 1000));
  const terms = own?.offer &&
    say("lobby-terms-sentence", {
      games: own.offer.games.map(({ title }) => title),
      clocks: own.offer.clocks.map(clockName),
    });
  fill(
    strip,
    h(
      "p",
      {},
      h("b", { "aria-live": "off" }, say("lobby-searching", { time: minutes(waited) })),
      h("small", {}, message || paragraph([terms || "", isPractice() ? say("lobby-practice") : ""])),
    ),
    h(
      "span",
      { class: "pair" },
      h("a", { class: "button", href: "/#quick", "data-key": "lobby-change" }, say("lobby-change")),
      button("lobby-stop", stop),
    ),
  );
}

async function stop() {
  message = "";
  await stopSearch(own?.offer?.number ?? null).catch((error) => (message = errorSentence(error)));
  if (own) own = { ...own, offer: null };
  draw();
}

/** Go to the game with the person who joined. */
async function go() {
  const room = joined?.room;
  if (!room) return;
  joined = null;
  try {
    await enterGame(room);
  } catch (error) {
    message = errorSentence(error);
    draw();
  }
}

/** Stay here. The other player waits as before. */
async function notNow() {
  const room = joined?.room;
  if (!room) return;
  joined = null;
  markEntered(room);
  storeSearch(null);
  dropSeats([room]);
  message = "";
  await ask("/api/offers/back", { room }, visitKey()).catch((error) => (message = errorSentence(error)));
  draw();
}

/** Ask the player to go to the game in a room. @param {string} room */
async function handOver(room) {
  const { state } = await takeSeat(room);
  const other = state.players.find(({ you }) => !you);
  joined = { room, player: other?.name ?? "", game: state.game.title, left: HAND_OVER };
  showNotice(say("lobby-joined", { player: joined.player }), joined.game);
  draw();
}

function count() {
  if (!joined) return own?.offer && draw();
  joined.left--;
  if (joined.left <= 0) return go();
  const shown = at("search").querySelector("small");
  if (shown) shown.textContent = say("lobby-starts", { game: joined.game, count: joined.left });
}

/** @param {string} here the room of the page @param {Api.OwnOffers} news */
function take(here, news) {
  const before = own;
  own = news;
  if (own.room && own.room !== here && !hasEntered(own.room)) {
    if (joined?.room !== own.room) handOver(own.room).catch((error) => (message = errorSentence(error)));
    return;
  }
  if (own.offer && !before?.offer && hasEntered(here)) message = say("lobby-back");
  if (!own.offer && isFresh) {
    const search = currentSearch();
    if (search) startSearch(search.wish).catch(() => storeSearch(null));
  } else if (!own.offer && before?.offer) storeSearch(null);
  isFresh = false;
  draw();
}

/**
 * Follow the search of this tab, if it has one, or the game in *here* came from the lobby.
 * @param {string} here
 * @param {() => boolean} isOfNoCount returns true if the game of the page counts nowhere
 */
export function followSearch(here, isOfNoCount) {
  isPractice = isOfNoCount;
  if (!currentSearch() && !hasEntered(here)) return;
  onLanguage(draw);
  setInterval(count, 1000);
  addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof Element && event.target.closest("input, select, textarea");
    if (!joined || isTyping || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "y") go();
    if (event.key === "n") notNow();
  });
  followLobby({ lobby: () => (isFresh = true), own: (news) => take(here, news) });
}
