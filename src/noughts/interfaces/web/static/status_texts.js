// Texts about a room: the heading with its sentence, and the margin.

import {
  ApiError,
  copy,
  errorSentence,
  pathOfGame,
  serverNow,
  sharedOrigin,
  takeSeat,
  withLanguage,
} from "./api.js";
import { annotationData, forcedField } from "./annotations.js";
import { glyph } from "./board_drawing.js";
import { clockByDays, clockText, daysText } from "./clocks.js";
import { at, fill, h } from "./dom.js";
import { dayOf, paragraph, say } from "./i18n.js";
import { movesSection, playerItem } from "./margin.js";

/**
 * @typedef {Api.RoomState & {game: {board: Api.BoardMessage}}} State the state of a room with its board
 */
/**
 * @typedef {object} Room the present view of a room
 * @property {State} state
 * @property {boolean} isLocal whether all players use this device
 * @property {boolean} isOffline
 * @property {boolean} isLate whether a computer's move is overdue
 * @property {string} message
 * @property {string} heard the newest phrase of another player, in a sentence
 * @property {number[]} mine the seats of the reader
 * @property {(command: import("./api.js").Command) => void} send
 * @property {() => void} retry
 * @property {() => void} leave
 * @property {boolean} isAsking whether a resignation has to be confirmed
 * @property {boolean} isAiming
 * @property {(is: boolean) => void} ask
 * @property {(is: boolean) => void} speak shows or hides the phrases to say
 * @property {{position: Api.PositionMessage, news: string | null} | null} past the earlier position that is
 * shown
 * @property {(ply: number) => void} open
 */

const CLAIM_SECONDS = 60;
const STRIPES = 12;
const STEP = 10;
const MAX_COLUMNS = 16; // letters of a name in a heading
// letters of two columns
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/;

/** @param {Api.RoomState} state @param {string | null} side */
export function playerOf(state, side) {
  const nobody = { place: -1, name: "", kind: "", side, here: true, you: false };
  return state.players.find((player) => player.side === side) ?? nobody;
}

/** @typedef {{name: string | null, kind: string | null}} Called */

/**
 * Return the name of a player for a heading. Long names of people are cut.
 * @param {Called | undefined} player
 */
export function shortName(player) {
  const name = player?.name ?? "";
  if (!player || !isHuman(player)) return name;
  let left = MAX_COLUMNS;
  const letters = Array.from(name);
  const cut = letters.findIndex((letter) => (left -= WIDE.test(letter) ? 2 : 1) < 0);
  return cut < 0 ? name : `\u2068${letters.slice(0, cut - 1).join("")}…\u2069`;
}

/**
 * Return the heading about the end of a game.
 * @param {{players: (Called & {side: string | null})[]}} game
 * @param {string | null} winner
 * @param {string | null} termination
 */
export function endTitle(game, winner, termination) {
  if (termination === "broken") return say("over-broken");
  if (termination === "aborted") return say("over-aborted");
  if (winner === null) return say("over-draw");
  return game.players.length === 1
    ? say("over-solved")
    : say("web-wins", { player: shortName(game.players.find(({ side }) => side === winner)) });
}

/** Return the number of free seats. @param {Api.RoomState} state */
const freeSeats = (state) => state.players.filter((player) => player.name === null).length;

/** @param {Called} player */
const isHuman = (player) => player.kind === "human";

/** Return the absent player against whom a win can be claimed, or null. @param {Room} room */
function absentOpponent({ state, mine, isLocal }) {
  if (isLocal || state.phase !== "playing" || !mine.length || state.claim_at === null) return null;
  return state.players.find((player) => !player.here && !mine.includes(player.place)) ?? null;
}

/** @typedef {{side: string | null, title: string, about: string, isNews?: boolean}} Heading */

/**
 * Return the heading and the sentence below it. News replaces other facts.
 * @param {Room} room
 * @returns {Heading}
 */
export function headingOf(room) {
  const news = room.isOffline ? "" : room.message || (room.isAiming ? say("web-aim-about") : "") ||
    (room.past ? "" : question(room) || pendingSentence(room));
  const heading = plainHeading(room);
  if (news) return { ...heading, about: news, isNews: true };
  // A phrase must not hide that the first move is due.
  return room.heard && !room.past
    ? { ...heading, about: paragraph([room.heard, firstMoveSentence(room.state)]), isNews: true }
    : heading;
}

/** Return true in a game of a tournament of people. @param {Api.RoomState} state */
const isOfTournament = ({ unaided, rated }) => unaided && !rated;

/** Return true if no player has to choose a side any more. @param {Api.RoomState} state */
export const areSidesSettled = (state) => (state.opening?.place ?? null) === null;

/** Return true if the game counts nowhere. @param {Api.RoomState} state */
export const isPractice = (state) => !state.counts && !state.start && !isOfTournament(state);

/** @param {Room} room @returns {Heading} */
function plainHeading(room) {
  const { state, mine, isOffline, isLocal } = room;
  const note = paragraph(state.opening?.sentences ?? []) ||
    (state.unproved ? say("thinking-unproved") : "");
  const due = firstMoveSentence(state); // no other sentence may hide it
  const usual = due || (isPractice(state) ? say("lobby-practice") : state.game.about);
  const about = note ? paragraph([note, due]) : usual;
  if (isOffline) return { side: null, title: say("web-offline"), about: say("web-offline-about") };
  if (room.past) return lookingBack(room, room.past);
  if (state.phase === "waiting") {
    return mine.length
      ? {
        side: null,
        title: say("web-waiting", { count: freeSeats(state) }),
        about: say("web-waiting-about", { count: freeSeats(state) }),
      }
      : invitation(state);
  }
  if (state.phase === "closed") {
    return { side: null, title: say("web-closed"), about: say("web-closed-about") };
  }
  if (state.phase === "choosing") return choosing(room);
  if (state.result) return ended(room, state.result);
  const turn = playerOf(state, state.turn);
  const signs = signsOf(state);
  const aboutBoard = signs ? paragraph([signs, due]) : about;
  const away = absentOpponent(room);
  if (away) {
    return {
      side: away.side,
      title: say("web-is-away", { player: shortName(away) }),
      about: paragraph([mine.includes(turn.place) ? say("web-you-may-move") : "", claimSentence(state)]),
    };
  }
  if (isLocal && state.players.length > 1) {
    return {
      side: state.turn,
      title: say("is-to-move", { player: shortName(turn) }),
      about: aboutBoard,
    };
  }
  if (mine.includes(turn.place)) {
    return {
      side: state.turn,
      title: say("your-turn"),
      about: paragraph([youHave(state), aboutBoard]),
    };
  }
  const title = say(isHuman(turn) ? "is-to-move" : "is-thinking", { player: shortName(turn) });
  return {
    side: state.turn,
    title,
    about: paragraph([
      mine.length ? youHave(state) : say("web-watching"),
      room.isLate ? say("thinking-late") : about,
    ]),
  };
}

/** @param {Room} room @param {{position: Api.PositionMessage, news: string | null}} past */
function lookingBack(room, { position, news }) {
  const title = position.ply
    ? say("web-past-title", { ply: position.ply, of: room.state.moves.length })
    : say("web-past-start");
  return {
    side: null,
    title,
    about: paragraph([say("web-past-about"), news ? say(news) : "", question(room)]),
  };
}

/**
 * Return the sentence about the signs on the board for the side to move, empty if there are none.
 * @param {Api.RoomState} state
 */
function signsOf({ annotations, legal, turn, unproved }) {
  const { cells } = annotations;
  if (!legal.length || unproved) return "";
  if (forcedField(annotations) !== null) return say("web-closed-fields");
  if (annotationData(cells, "turns").size) return say("web-signs-turns", { side: turn });
  if (annotationData(cells, "leaves").size) return say("web-signs-leaves");
  return annotationData(cells, "no").size ? say("web-signs-no", { side: turn }) : "";
}

/** @param {Api.RoomState} state */
function youHave(state) {
  const you = state.players.find((player) => player.place === state.you);
  return you?.side && state.players.length > 1 ? say("web-you-have", { side: you.side }) : "";
}

/** @param {Api.RoomState} state */
function invitation(state) {
  const host = state.players.find((player) => player.name !== null);
  return {
    side: null,
    title: say("web-invited", { player: shortName(host) }),
    about: paragraph([
      say("web-invited-about", { game: state.game.about }),
      state.protocol ? say("web-invited-opening", { opening: say(`opening-${state.protocol}`) }) : "",
      ...termsOfClock(state.clock),
    ]),
  };
}

/** Return the sentences about the clock in an invitation. @param {Api.ClockMessage | null} clock */
function termsOfClock(clock) {
  if (!clock) return [say("web-no-clock")];
  const { per_move: move, base, increment } = clock;
  const byDays = clockByDays(clock);
  if (byDays) return [say("web-clock-days", { clock: byDays }), say("web-clock-starts")];
  const id = move === null ? (increment ? "web-clock-game-more" : "web-clock-game") : "web-clock-move";
  return [
    say(id, { time: clockText(move ?? base ?? 0, true), seconds: increment / 1000 }),
    say("web-clock-starts"),
  ];
}

/** @param {Room} room */
function choosing({ state, mine, isLocal }) {
  const place = state.chooser ?? -1;
  const chooser = state.players[place];
  const isMine = isLocal || mine.includes(place);
  return {
    side: null,
    title: isMine ? say("which-mark") : say("web-chooses", { player: shortName(chooser) }),
    about: state.game.about,
  };
}

/** @param {Room} room @param {Api.ResultMessage} result */
function ended(room, { winner, termination, sentences }) {
  const { state, mine, isLocal } = room;
  const won = playerOf(state, winner);
  const isOwn = mine.length && !isLocal && winner !== null && state.players.length > 1;
  const title = isOwn
    ? say(mine.includes(won.place) ? "web-you-won" : "web-you-lost")
    : endTitle(state, winner, termination);
  return {
    side: winner,
    title,
    about: paragraph([...sentences, state.unproved ? say("thinking-unproved") : "", rematchSentence(room)]),
  };
}

/** Return the sentence about a rematch. @param {Room} room */
function rematchSentence(room) {
  const { state, mine } = room;
  if (!mine.length || state.phase !== "over") return "";
  const others = state.players.filter((player) => !mine.includes(player.place));
  const [willing, unwilling] = [true, false].map((is) =>
    others.find((player) => state.wishes.includes(player.place) === is)
  );
  if (wantsRematch(room)) return say("web-rematch-asked", { player: unwilling?.name ?? "" });
  return willing ? say("web-rematch-wanted", { player: willing.name }) : "";
}

/** Return true if all players at this device want a rematch. @param {Room} room */
const wantsRematch = ({ state, mine, isLocal }) =>
  !isLocal && mine.every((place) => state.wishes.includes(place));

/** Return the sentence about the time of the first move, empty if it is not limited. @param {Api.RoomState} state */
function firstMoveSentence(state) {
  if (state.first_move_at === null || state.phase !== "playing") return "";
  const time = state.first_move_at - serverNow();
  if (state.clock && clockByDays(state.clock)) return say("web-first-move-days", { time: daysText(time) });
  const left = Math.max(0, Math.ceil(time / 1000));
  return say("web-first-move", { count: left > STEP ? Math.ceil(left / STEP) * STEP : left });
}

/** @param {Api.RoomState} state */
function claimSentence(state) {
  const left = Math.ceil(secondsToClaim(state));
  const count = left > STEP ? Math.ceil(left / STEP) * STEP : left; // it is read aloud, so not every second
  return count > 0 ? say("web-claim-soon", { count }) : say("web-claim-now");
}

/**
 * @typedef {object} Besides the further parts of a margin
 * @property {HTMLElement | null} key
 * @property {HTMLElement[]} others
 * @property {HTMLElement | null} said
 * @property {HTMLElement | null} lines
 * @property {HTMLElement | null} share
 * @property {HTMLElement} device
 */
/**
 * Fill the margin.
 * @param {Room} room
 * @param {HTMLElement} margin
 * @param {Besides} besides
 * the legend, further actions, the phrases, the strip for sharing, and the settings of this device
 */
export function fillMargin(room, margin, { key, others, said, lines, share, device }) {
  const { state } = room;
  const isPlayed = state.phase !== "waiting" && state.phase !== "closed";
  const current = room.past?.position.ply ?? state.ply;
  const moves = isPlayed ? movesSection(state.moves, { current, open: room.open }) : null;
  fill(
    margin,
    isPlayed ? null : h(
      "section",
      { class: "chosen" },
      h("h2", {}, state.game.title),
      h("p", {}, state.game.rules),
      h("p", { class: "fact" }, state.game.known),
    ),
    room.isOffline ? lost(room) : claim(room),
    isPlayed ? key : null,
    others.length
      ? h("div", { class: "acts", role: "group", "aria-label": say("column-game") }, ...others)
      : null,
    facts(room),
    lines,
    said,
    moves,
    share,
    isPlayed
      ? h(
        "details",
        { class: "more", "data-key": "rules" },
        h("summary", {}, say("web-rules")),
        h("p", { class: "fact" }, state.game.rules),
        h("p", { class: "fact" }, state.game.known),
      )
      : null,
    isPlayed ? device : null,
    otherDevice(room),
    room.isOffline ? null : roomSection(room),
  );
}

/** Return true if the score of the series is shown. @param {Api.RoomState} state */
const isScored = (state) => state.players.length > 1 && (state.series.number > 1 || state.result);

/**
 * Return the number of games of the series that a player has won.
 * @param {Api.RoomState} state
 * @param {Api.PlayerMessage} player
 * @param {number} place
 */
const winsOf = (state, player, place) =>
  (state.series.scores.find((one) => one.name === player.name || one.name === player.kind) ??
    state.series.scores[place])?.wins;

/** Fill the list of players beside or above the board. @param {Room} room @param {HTMLElement} list */
export function fillPlayers({ state, isOffline, isLocal }, list) {
  const { sides } = state.annotations;
  const items = state.players.map((player, place) => {
    const left = state.clock && player.side ? state.clock.left[player.side] : null;
    const isToMove = state.phase === "playing" && player.side === state.turn;
    const known = { ...player, you: player.you && !isLocal }; // sharing players are always present
    const lead = (sides[player.side ?? ""] ?? []).find((code) => code.startsWith("lead:"));
    return playerItem(known, {
      isToMove,
      presence: isOffline ? say("web-not-known") : presenceOf(state, player, isToMove, isLocal),
      isAway: isOffline || (!player.here && !isLocal) || player.name === null,
      score: isScored(state) ? winsOf(state, player, place) : undefined,
      left: left === null || left === undefined ? undefined : clockText(left),
      lead: lead?.slice("lead:".length),
      isByDays: Boolean(state.clock && clockByDays(state.clock)),
    });
  });
  fill(list, ...items);
}

/**
 * @param {Api.RoomState} state
 * @param {Api.PlayerMessage} player
 * @param {boolean} isToMove
 * @param {boolean} isLocal
 */
function presenceOf(state, player, isToMove, isLocal) {
  if (player.name === null) return say("web-nobody-yet");
  if (state.phase === "over" && state.wishes.includes(player.place)) return say("web-wants-rematch");
  if (state.result && player.side !== null && player.side === state.result.winner) return say("seat-won");
  // The heading only names the winner.
  if (isLocal) return (state.result?.winner ?? null) === null ? "" : say("web-lost");
  if (!isHuman(player)) return isToMove ? say("web-thinking") : "";
  return say(player.here ? "web-present" : "web-absent");
}

/** @param {Room} room */
function lost({ state }) {
  const safe = state.moves.length
    ? say("web-moves-safe", { count: state.moves.length })
    : say("web-seat-safe");
  // The browser has the page for playing without a network only if it has a service worker.
  const meanwhile = navigator.serviceWorker?.controller
    ? h("p", { class: "acts" }, h("a", { class: "button", href: "/offline" }, say("offline-title")))
    : null;
  return h("section", { class: "lost" }, h("h2", {}, say("web-safe")), h("p", {}, safe), meanwhile);
}

/** Return the seconds until the win can be claimed. @param {Api.RoomState} state */
const secondsToClaim = (state) => Math.max(0, ((state.claim_at ?? 0) - serverNow()) / 1000);

/** Return true if a win can be claimed now. @param {Room} room */
export const isDue = (room) => absentOpponent(room) !== null && secondsToClaim(room.state) <= 0;

/** @param {Room} room */
function claim(room) {
  const away = absentOpponent(room);
  if (!away) return null;
  const left = secondsToClaim(room.state);
  const passed = Math.min(STRIPES, Math.floor(((CLAIM_SECONDS - left) / CLAIM_SECONDS) * STRIPES));
  const strip = h(
    "p",
    { class: "strip", "aria-hidden": "true" },
    ...Array.from({ length: STRIPES }, (_, number) => h("i", { class: number < passed ? "f" : null })),
  );
  const heading = h("h2", {}, left <= 0 ? say("web-may-claim") : say("web-waits-for", { player: away.name }));
  return h(
    "section",
    { class: "claim" },
    heading,
    strip,
    h("p", { class: "fact" }, say("web-comes-back", { player: away.name })),
  );
}

/** Return the question of the other side, empty if there is none for this device. @param {Room} room */
export function question({ state, mine, isLocal }) {
  if (!state.offer || state.phase !== "playing" || !mine.length) return "";
  const from = playerOf(state, state.offer.side);
  if (mine.includes(from.place) && !isLocal) return "";
  return state.offer.what === "draw"
    ? say("draw-offered", { player: from.name })
    : say("web-asks-back", { player: from.name, count: state.offer.plies });
}

/** Return the sentence about a pending offer or request of this device. @param {Room} room */
function pendingSentence({ state, mine }) {
  if (!state.offer || state.phase !== "playing" || !mine.includes(playerOf(state, state.offer.side).place)) {
    return "";
  }
  return say(state.offer.what === "draw" ? "web-draw-offered" : "web-back-asked");
}

/** Return true if a rematch can be requested. A tournament pairs its next games. @param {Room} room */
export const canRematch = (room) =>
  room.state.phase === "over" && room.mine.length > 0 && room.state.players.length > 1 &&
  !wantsRematch(room) && !isOfTournament(room.state);

/** @param {Room} room */
function facts({ state, mine }) {
  const watchers = state.spectators ? say("web-watchers", { count: state.spectators }) : "";
  if (state.phase === "waiting") {
    return mine.length
      ? h("p", { class: "fact" }, paragraph([say("web-others-watch", { count: freeSeats(state) }), watchers]))
      : null;
  }
  const game = state.players.length < 2 ? [] : [
    say("web-game-number", { number: state.series.number }),
    isScored(state)
      ? say("web-series-won", {
        scores: state.players.map((player, place) =>
          `\u2068${player.name}\u2069 ${winsOf(state, player, place) ?? 0}`
        ),
      })
      : "",
    say(state.clock ? "web-clock-runs" : "web-no-clock"),
    state.clock?.paused_until ? say("web-clock-paused", { day: dayOf(state.clock.paused_until) }) : "",
    state.phase === "playing"
      ? say(state.visibility === "public" ? "web-public-running" : "web-private-game")
      : "",
    state.rated ? say(state.unrated ? `unrated-${state.unrated}` : "web-rated") : "",
  ];
  return game.length || watchers ? h("p", { class: "fact" }, paragraph([...game, watchers])) : null;
}

/** Return the part of the margin about the room. @param {Room} room */
function roomSection({ state, mine, leave, send }) {
  if (!mine.length && state.phase === "playing") {
    const late = state.delay ? say("web-delay", { count: state.delay }) : "";
    const about = say(state.players.some(isHuman) ? "web-you-watch" : "web-you-watch-computers");
    return h("p", { class: "fact" }, paragraph([about, late]));
  }
  if (
    state.phase === "playing" || state.phase === "choosing" || (!mine.length && state.phase === "waiting")
  ) return null;
  const another = h("a", { class: "button", href: "/" }, say("web-choose-game"));
  const acts = h(
    "div",
    { class: "acts" },
    another,
    mine.length && state.phase !== "closed" ? button("web-close-room", leave) : null,
  );
  const isInHistory = state.result && state.result.termination !== "aborted" && state.game_id;
  const mayShare = mine.length && isInHistory && !isOfTournament(state);
  return mayShare ? h("section", {}, sharing(state, send), acts) : acts;
}

/** Return the section with the link of the reader's seat for another device. @param {Room} room */
function otherDevice({ state, mine, isLocal, isOffline }) {
  if (isLocal || isOffline || mine.length !== 1 || state.phase === "closed") return null;
  const copySeat = button("web-seat-link", async () => {
    const { token } = await takeSeat(state.room);
    await copy(`${sharedOrigin}/r/${state.room}#seat=${token}`);
    copySeat.replaceChildren(h("span", { role: "status" }, say("web-copied")));
  });
  return h(
    "details",
    { class: "more", "data-key": "other-device" },
    h("summary", {}, say("web-other-device")),
    h("p", { class: "fact" }, say("web-seat-link-about", { command: "noughts join" })),
    h("p", { class: "acts" }, copySeat),
  );
}

/**
 * Return the section about the visibility of the finished game, which its players can make public.
 * @param {Api.RoomState} state
 * @param {Room["send"]} send
 */
function sharing(state, send) {
  if (state.visibility === "public") return h("p", { class: "fact", role: "status" }, say("web-public-game"));
  const share = () => send({ type: "share", game: state.game_id });
  return h(
    "section",
    { class: "publish" },
    h("p", { class: "fact" }, paragraph([say("web-private-game"), say("web-share-about")])),
    h("p", { class: "acts" }, button("web-share-game", share)),
  );
}

/**
 * Create a button.
 * @param {string} id
 * @param {() => void} act
 * @param {string} kind
 * @param {string} text
 */
export function button(id, act, kind = "", text = say(id)) {
  return h("button", { type: "button", class: kind || null, "data-key": id, click: act }, text);
}

/** Create a button that copies a text and confirms it. @param {string} id @param {string} text */
export function copyButton(id, text, kind = "") {
  const pressed = button(id, () => copy(text).then(() => (pressed.textContent = say("web-copied"))), kind);
  return pressed;
}

/**
 * Return the address of the analysis of a position of a game.
 * @param {{name: string}} game
 * @param {string | null} start
 * @param {{move: string}[]} moves
 */
export function analysisOf(game, start, moves) {
  const query = new URLSearchParams({
    game: game.name,
    ...(start === null ? {} : { position: start }),
    moves: moves.map(({ move }) => move).join(","),
  });
  return `/analysis?${query}`;
}

/**
 * Return the links to the files of a finished game.
 * @param {number | string} game
 * @param {string} key the key in the link of a private game
 */
export function fileLinks(game, key) {
  const file = (/** @type {string} */ id, /** @type {string} */ address) =>
    h("a", { class: "button", href: address, download: true, "data-key": id }, say(id));
  return [
    file("web-save-picture", withLanguage(pathOfGame(game, key, "picture"))),
    file("web-save-record", pathOfGame(game, key, "record")),
  ];
}

/**
 * Show that a room or a game is missing, or why the server does not respond. Return true if it is missing.
 * @param {unknown} error
 * @param {string} title
 * @param {string} about
 */
export function writeMissing(error, title, about) {
  const isGone = error instanceof ApiError && error.status === 404;
  at("page").classList.add("wait");
  const other = say(error instanceof ApiError ? "web-failed" : "web-offline");
  writeHeading(at("status"), {
    side: null,
    title: isGone ? say(title) : other,
    about: isGone ? say(about) : errorSentence(error),
  });
  return isGone;
}

/**
 * Update the heading. Unchanged parts stay, so that they are not read aloud again.
 * @param {HTMLElement} status
 * @param {Heading} heading
 */
export function writeHeading(status, { side, title, about, isNews = false }) {
  const summary = JSON.stringify([side, title, about, isNews]);
  if (status.dataset.shown === summary) return;
  status.dataset.shown = summary;
  status.replaceChildren(
    h("h1", {}, side ? glyph(side, "big") : "", h("span", {}, title)),
    h("p", { class: isNews ? "news" : null }, about),
  );
  document.title = say("web-page-title", { title });
}

/**
 * Return the sentence about the lines through a cell, or an instruction to point at one.
 * @param {{cell: number, open: number[][], shut: number[][]} | null} through
 * @param {import("./board_geometry.js").Space | undefined} space
 * @param {string | null} side
 */
export function linesNote(through, space, side) {
  if (!through) return h("p", { class: "note" }, say("web-lines-about"));
  const { cell, open, shut } = through;
  return h(
    "p",
    { class: "note", role: "status" },
    say("lines-through", {
      count: open.length + shut.length,
      cell: space?.board.names[cell] ?? "",
      side: side ?? "",
      open: open.length,
    }),
  );
}
