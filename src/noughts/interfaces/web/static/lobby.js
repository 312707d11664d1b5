// The lobby on the first page: quick games, open offers, and questions of other players.

import { ApiError, ask, errorSentence, openNewRoom, serverNow } from "./api.js";
import { at, fill, formAt, h, inputAt, selectAt } from "./dom.js";
import { dayOf, onLanguage, paragraph, readStored, say, writeStored } from "./i18n.js";
import { clockByDays } from "./clocks.js";
import { isSignedIn, ownName } from "./identity.js";
import {
  currentSearch,
  enterGame,
  followLobby,
  hasEntered,
  startSearch,
  stopSearch,
  storeSearch,
  visitKey,
  visitorName,
} from "./lobby_link.js";
import { daysKey, lastingRow, offerByDays, termsOf, withdrawByDays } from "./lasting_offers.js";
import { showNotice, switchNotices } from "./notices.js";
import { sound } from "./sound.js";

const QUICK = "noughts-quick";
const STAYS = 3000; // milliseconds for which an offer that is gone keeps its place
const SPOKEN_EVERY = 30_000;
const LEVEL = "level:3";
/** @type {Record<string, Api.OfferRequest["clocks"][number]>} */ const CLOCKS = {
  "3+2": { base: 180_000, increment: 2000 },
  "5+3": { base: 300_000, increment: 3000 },
  "10+0": { base: 600_000, increment: 0 },
  "1d": { per_move: 86_400_000 },
  "3d": { per_move: 259_200_000 },
};

/** @typedef {{offer: Api.LobbyOfferMessage, element: HTMLElement, goneAt: number | null}} Row */

/** @type {Map<number, Row>} The rows of the list, in its order. */ const rows = new Map();
/** @type {Api.OwnOffers | null} */ let own = null;
/** @type {Api.LobbyOfferMessage[]} The own offers by days. */ let lasting = [];
let refresh = async () => {};
let isAsking = false;
let counts = { waiting: 0, people: /** @type {number | null} */ (null) };
let isKnown = false;
/** True from the begin of a connection until its first event. */ let isFresh = true;
let spokenAt = -Infinity;
/** @type {number | undefined} The timer of the next announcement. */ let speaking;
/** @type {(game: string) => Element} */ let pictureOf = () => h("span", { class: "pic own" });

const chips = () =>
  [...at("quick").querySelectorAll(".chip input")].filter((one) => one instanceof HTMLInputElement);

/** Return the ticked values of a group of chips. @param {string} name */
const ticked = (name) =>
  chips().filter((chip) => chip.name === name && chip.checked).map(({ value }) => value);

/** Return the wish of the form. @returns {import("./lobby_link.js").Wish} */
function wishOfForm() {
  const visibility = inputAt("lobby-public").checked ? "public" : "link";
  const rated = Boolean(own?.identity && selectAt("lobby-rated").value);
  return {
    games: ticked("g"),
    clocks: ticked("c").map((name) => CLOCKS[name]),
    visibility,
    rated,
    ...rangeOfForm(),
  };
}

/** Return the range of ratings in the form, of which each end may be missing. A guest has none. */
function rangeOfForm() {
  const ends = ["lobby-lowest", "lobby-highest"].map((id) => inputAt(id));
  const [lowest, highest] = ends.map(({ value }) => (own?.identity && value !== "" ? Number(value) : null));
  return { lowest, highest };
}

/** @param {string} sentence */
function complain(sentence) {
  at("quick-error").textContent = sentence;
  at("quick-error").hidden = !sentence;
}

// The form

function showForm() {
  const isComplete = ticked("g").length > 0 && ticked("c").length > 0;
  for (const id of ["find", "ask-send"]) at(id).toggleAttribute("disabled", !isComplete);
}

/** Show the name of the player, once it is known, and the way to another one. */
export function showName() {
  if (isSignedIn() && !ownName()) return;
  const change = () => {
    at("options").setAttribute("open", "");
    inputAt("name").focus();
  };
  fill(
    at("plays-as"),
    h("span", { dir: "auto" }, say("lobby-signed-in", { name: ownName() || visitorName() })),
    ownName()
      ? h("a", { class: "button", href: "/key" }, say("web-identity"))
      : h("button", { type: "button", "data-key": "change-name", click: change }, say("lobby-change-name")),
  );
}

/** Tick the game that is chosen on the shelves, and go to the form. @param {string} game */
export function offerToAnyone(game) {
  const chip = chips().find((one) => one.name === "g" && one.value === game);
  for (const one of chips()) if (chip && one.name === "g") one.checked = one === chip;
  showForm();
  at("quick").scrollIntoView({ block: "center" });
  at("find").focus({ preventScroll: true });
}

async function find() {
  complain("");
  at("quick-done").textContent = "";
  const wish = wishOfForm();
  const [live, byDays] = [false, true].map((is) => wish.clocks.filter((clock) => is === isByDays(clock)));
  try {
    if (byDays.length) await findByDays({ ...wish, clocks: byDays });
    if (!live.length) return;
    await startSearch({ ...wish, clocks: live });
    if (!inputAt("lobby-computer").checked) return;
    const game = wish.games[0];
    const prepare = () => ({ game, opponent: LEVEL, name: visitorName(), counts: false });
    await openNewRoom(prepare, complain, true, null);
  } catch (error) {
    complain(errorSentence(error));
  }
}

/** @param {Api.OfferRequest["clocks"][number]} clock */
const isByDays = (clock) => clockByDays(clock) !== null;

/** Offer games by days. Such an offer stays open without this page. @param {import("./lobby_link.js").Wish} wish */
async function findByDays(wish) {
  const offer = await offerByDays({ ...wish, name: visitorName() });
  at("quick-done").textContent = say("lobby-lasting-done", { day: dayOf(offer.expires ?? 0) });
  showLasting([...lasting.filter(({ number }) => number !== offer.number), offer]);
}

async function challenge() {
  const to = inputAt("ask-name").value.trim();
  if (!to) return inputAt("ask-name").focus();
  await sendChallenge(to, { ...wishOfForm(), lowest: null, highest: null });
}

/** Ask one player or bot. @param {string} to @param {import("./lobby_link.js").Wish} wish */
async function sendChallenge(to, wish) {
  try {
    if (wish.clocks.every(isByDays)) {
      const sent = await offerByDays({ ...wish, name: visitorName(), to }).catch((error) => {
        if (error instanceof ApiError && error.code === "asked-guest") return null;
        throw error;
      });
      if (sent) {
        at("ask-status").textContent = say("lobby-ask-sent-days", {
          player: to,
          day: dayOf(sent.expires ?? 0),
        });
        return await refresh();
      }
    }
    await ask("/api/challenges", { ...wish, name: visitorName(), to }, visitKey());
    isAsking = true;
    at("ask-status").textContent = say("lobby-ask-sent", { player: to });
  } catch (error) {
    at("ask-status").textContent = errorSentence(error);
  }
}

// The list

/** @param {Api.LobbyOfferMessage} offer */
async function join(offer) {
  const row = rows.get(offer.number);
  if (row?.goneAt !== null) return;
  complain("");
  const game = offer.games.find(({ name }) => ticked("g").includes(name)) ?? offer.games[0];
  const wanted = ticked("c").map((name) => JSON.stringify(CLOCKS[name]));
  const offered = offer.clocks.map(({ base, increment, per_move: move }) =>
    base === null ? { per_move: move ?? 0 } : { base, increment }
  );
  const timed = offered.find((clock) => wanted.includes(JSON.stringify(clock))) ?? offered[0];
  if (offer.is_bot) {
    const { visibility, rated } = wishOfForm();
    const isRated = Boolean(rated && offer.rated);
    at("ask-one").toggleAttribute("open", true); // its status shows the answer
    return sendChallenge(offer.name, { games: [game.name], clocks: [timed], visibility, rated: isRated });
  }
  try {
    const answer = {
      name: visitorName(),
      game: game.name,
      clock: timed,
      visibility: wishOfForm().visibility,
    };
    await take(offer, answer);
  } catch (error) {
    if (error instanceof ApiError && error.code === "offer-gone") return leave(offer.number);
    complain(errorSentence(error));
  }
}

/**
 * Take an offer or a challenge, and go to its game. The seat of a game by days belongs to this browser.
 * @param {Api.LobbyOfferMessage} offer
 * @param {Api.TakeOfferRequest} answer
 */
async function take({ number, lasts }, answer) {
  const key = lasts ? daysKey() : visitKey();
  const { room } = await ask(`/api/offers/${number}/join`, answer, key);
  if (lasts && own?.offer) await stopSearch(own.offer.number);
  await enterGame(room, key);
}

/** @param {Api.LobbyOfferMessage} offer @param {boolean} isGone */
function rowOf(offer, isGone) {
  const game = offer.games[0].name;
  const mark = offer.provisional.includes(game) ? "?" : "";
  const rating = offer.ratings[game] ? ` ${offer.ratings[game]}${mark}` : null;
  const name = offer.identity
    ? h("b", {}, h("a", { href: `/person/${offer.identity}`, dir: "auto" }, offer.name))
    : h("b", {}, offer.name);
  const act = offer.is_bot ? "lobby-ask-send" : "web-join";
  const button = isGone ? h("span", { class: "button dashed" }, say("lobby-offer-gone")) : h(
    "button",
    {
      type: "button",
      class: "button",
      "data-key": `offer-${offer.number}`,
      "aria-label": `${say(act)}: ${offer.name}`,
      click: () => join(offer),
    },
    say(act),
  );
  const strength = offer.strength ? say("lobby-bot-strength", { rating: offer.strength }) : say("lobby-bot");
  const kind = offer.is_bot && h("small", {}, strength);
  return [
    pictureOf(game),
    h(
      "span",
      { class: "row-text" },
      name,
      rating,
      kind,
      h("small", {}, termsOf(offer)),
    ),
    button,
  ];
}

/** @param {Row} row */
function drawRow(row) {
  row.element.classList.toggle("gone", row.goneAt !== null);
  fill(row.element, ...rowOf(row.offer, row.goneAt !== null));
}

/** Tell a reader who waits in the empty lobby about an offer of a ticked game. @param {Api.LobbyOfferMessage} offer */
function tellOf(offer) {
  if (!inputAt("tell").checked || rows.has(offer.number) || isOwn(offer.number)) return;
  if (!offer.games.some(({ name }) => ticked("g").includes(name))) return;
  sound("asked");
  showNotice(say("notice-offer", { player: offer.name }), termsOf(offer));
}

/** Return true for an offer of this player. @param {number} number */
const isOwn = (number) => own?.offer?.number === number || lasting.some((offer) => offer.number === number);

/** Add an offer at the end of the list. @param {Api.LobbyOfferMessage} offer */
function add(offer) {
  if (rows.has(offer.number) || isOwn(offer.number)) return;
  const row = { offer, element: h("li", {}), goneAt: null };
  rows.set(offer.number, row);
  drawRow(row);
  at("offers").append(row.element);
}

/** Strike an offer, which keeps its place for a while. @param {number} number */
function leave(number) {
  const row = rows.get(number);
  if (!row || row.goneAt !== null) return;
  row.goneAt = performance.now();
  drawRow(row);
  setTimeout(sweep, STAYS + 50);
}

/** Remove the rows that are gone, unless the pointer or the focus is in the list. */
function sweep() {
  const list = at("offers");
  if (list.matches(":hover") || list.contains(document.activeElement)) return;
  for (const [number, row] of rows) {
    if (row.goneAt === null || performance.now() - row.goneAt < STAYS) continue;
    row.element.remove();
    rows.delete(number);
  }
  showCounts();
}

function showOwn() {
  const offer = own?.offer;
  at("own-offer").hidden = !offer && !lasting.length;
  fill(
    at("own-offer"),
    offer ? ownRow(offer) : null,
    ...lasting.map((one) => lastingRow(one, pictureOf(one.games[0].name), () => withdraw(one.number))),
  );
}

/** @param {number} number that of an own offer by days */
async function withdraw(number) {
  try {
    await withdrawByDays(number);
    showLasting(lasting.filter((offer) => offer.number !== number));
  } catch (error) {
    complain(errorSentence(error));
  }
}

/** Show the own offers by days. @param {Api.LobbyOfferMessage[]} offers */
export function showLasting(offers) {
  lasting = offers;
  for (const { number } of offers) {
    rows.get(number)?.element.remove();
    rows.delete(number);
  }
  showOwn();
  showCounts();
}

/** @param {Api.LobbyOfferMessage} offer */
function ownRow(offer) {
  return h(
    "li",
    {},
    pictureOf(offer.games[0].name),
    h(
      "span",
      { class: "row-text", title: say("lobby-own-about") },
      say("lobby-own"),
      h("small", {}, termsOf(offer)),
    ),
    h(
      "button",
      {
        type: "button",
        class: "button",
        "data-key": "own-close",
        click: () => stopSearch(offer.number).catch((error) => complain(errorSentence(error))),
      },
      say("lobby-withdraw"),
    ),
  );
}

/** Announce the counts to screen readers. @param {string} text */
function speak(text) {
  spokenAt = performance.now();
  at("lobby-spoken").textContent = text;
}

function showCounts() {
  const isEmpty = !rows.size && !own?.offer && !lasting.length;
  const nobody = isEmpty ? say("lobby-nobody") : "";
  const waits = counts.waiting ? say("lobby-waiting", { count: counts.waiting }) : nobody;
  const here = counts.people === null ? "" : say("lobby-people", { count: counts.people });
  const text = isKnown ? paragraph([waits, here]) : "";
  at("lobby-counts").textContent = text;
  at("nobody").hidden = !isKnown || !isEmpty;
  at("tell-box").hidden = at("nobody").hidden;
  clearTimeout(speaking);
  if (isKnown) speaking = setTimeout(speak, Math.max(0, spokenAt + SPOKEN_EVERY - performance.now()), text);
}

// Questions of other players

function showAsked() {
  const [question] = own?.asked ?? [];
  const strip = at("asked");
  strip.hidden = !question;
  if (!question) return fill(strip);
  const answer = (/** @type {boolean} */ isYes) => async () => {
    try {
      if (isYes) await take(question, { name: visitorName(), visibility: wishOfForm().visibility });
      else await ask(`/api/challenges/${question.number}/decline`, { name: visitorName() }, visitKey());
    } catch (error) {
      complain(errorSentence(error));
    }
  };
  const left = Math.max(0, Math.ceil(((question.expires ?? 0) - serverNow()) / 1000));
  const time = question.lasts
    ? say("lobby-until", { day: dayOf(question.expires ?? 0) })
    : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  if (strip.dataset.number === String(question.number)) {
    const number = strip.querySelector(".num");
    if (number) number.textContent = time;
    return;
  }
  strip.dataset.number = String(question.number);
  fill(
    strip,
    pictureOf(question.games[0].name),
    h(
      "p",
      {},
      h("b", {}, say("lobby-asks", { player: question.name })),
      h(
        "small",
        {},
        termsOf(question),
        " ",
        h("span", { class: "num", "aria-hidden": question.lasts ? null : "true" }, time),
      ),
    ),
    h(
      "span",
      { class: "pair" },
      h(
        "button",
        { type: "button", class: "primary", "data-key": "asked-yes", click: answer(true) },
        say("lobby-yes"),
      ),
      h("button", { type: "button", "data-key": "asked-no", click: answer(false) }, say("lobby-no")),
    ),
  );
}

function showAnswer() {
  const answer = { declined: "lobby-declined", expired: "lobby-expired" }[own?.challenge?.state ?? ""];
  if (isAsking && answer) {
    isAsking = false;
    at("ask-status").textContent = say(answer);
  }
}

// Events

/** @param {Api.LobbyState} state */
function takeLobby(state) {
  isFresh = true;
  const listed = new Set(state.offers.map(({ number }) => number));
  for (const number of rows.keys()) if (!listed.has(number)) leave(number);
  for (const offer of state.offers) add(offer);
  takeCounts(state);
}

/** @param {{waiting: number, people: number | null}} now */
function takeCounts({ waiting, people }) {
  counts = { waiting, people };
  isKnown = true;
  showCounts();
}

/** @param {Api.OwnOffers} news */
function takeOwn(news) {
  const known = own?.asked.map(({ number }) => number) ?? [];
  own = news;
  const question = own.asked.find(({ number }) => !known.includes(number));
  if (question) showNotice(say("lobby-asks", { player: question.name }), termsOf(question));
  for (const id of ["lobby-rating", "lobby-range"]) at(id).hidden = own.identity === null; // guests have no ratings
  const number = own.offer?.number ?? -1;
  rows.get(number)?.element.remove();
  rows.delete(number);
  if (own.room && !hasEntered(own.room)) {
    enterGame(own.room).catch((error) => complain(errorSentence(error)));
  } else if (!own.offer && isFresh) resume();
  isFresh = false;
  showOwn();
  showAsked();
  showAnswer();
  showCounts();
}

/** Offer again what the server has forgotten, as after its restart. */
function resume() {
  const search = currentSearch();
  if (search) startSearch(search.wish).catch(() => storeSearch(null));
}

/**
 * Show the lobby.
 * @param {(game: string) => Element} draw returns the small picture of a game
 * @param {() => Promise<void>} readAgain reads the games and the offers by days of the player again
 * @param {Promise<unknown>} first the first reading of them
 */
export function showLobby(draw, readAgain, first) {
  pictureOf = draw;
  refresh = readAgain;
  const stored = readStored(QUICK)?.split(",");
  if (stored) { for (const chip of chips()) chip.checked = stored.includes(chip.value); }
  showForm();
  formAt("quick").addEventListener("change", () => {
    writeStored(QUICK, [...ticked("g"), ...ticked("c")].join());
    showForm();
  });
  formAt("quick").addEventListener("submit", (event) => {
    event.preventDefault();
    if (event.submitter?.id === "ask-send") challenge();
    else find();
  });
  const asked = new URLSearchParams(location.search).get("ask");
  if (asked) {
    inputAt("ask-name").value = asked.slice(0, inputAt("ask-name").maxLength);
    at("ask-one").setAttribute("open", "");
    at("ask-send").focus();
  }
  inputAt("tell").addEventListener("change", () => inputAt("tell").checked && switchNotices(true));
  at("offers").addEventListener("pointerleave", sweep);
  at("offers").addEventListener("focusout", () => setTimeout(sweep));
  onLanguage(() => {
    delete at("asked").dataset.number;
    for (const row of rows.values()) drawRow(row);
    showOwn();
    showAsked();
    showCounts();
    showName();
  });
  setInterval(() => own?.asked.length && showAsked(), 1000);
  const follow = () => {
    const again = followLobby({
      lobby: takeLobby,
      changes(changes) {
        for (const { number } of changes.gone) leave(number);
        const isOfKey = (/** @type {Api.LobbyOfferMessage} */ offer) =>
          offer.lasts && offer.identity !== null && offer.identity === own?.identity;
        if (changes.gone.some(({ number }) => isOwn(number)) || changes.new.some(isOfKey)) refresh();
        changes.new.forEach(tellOf);
        for (const offer of changes.new) add(offer);
        takeCounts(changes);
      },
      own: takeOwn,
    });
    inputAt("name").addEventListener("change", () => {
      showName();
      again(); // questions to the new name reach this page
    });
  };
  first.finally(follow); // the own offers by days are known then, and are no rows of the list
}
