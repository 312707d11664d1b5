// Preset phrases of the players: choosing one, those that were said, and muting a player.

import { ask } from "./api.js";
import { h } from "./dom.js";
import { ownName } from "./identity.js";
import { readStored, say, writeStored } from "./i18n.js";
import { button } from "./status_texts.js";

/** @typedef {import("./status_texts.js").Room} Room */

const MUTED = "noughts-muted";
const MAX_MUTED = 100;

/** @type {Set<number>} The people whom the reader has blocked. */ const blocked = new Set();
let areBlocksKnown = false;

/** @returns {string[]} */
const mutedKeys = () => (readStored(MUTED) ?? "").split(" ").filter(Boolean);

/**
 * Return the key under which a player is muted: the number of the player's key, or the game for a guest.
 * @param {Api.RoomState} state
 * @param {Api.PlayerMessage} player
 */
const muteKey = (state, player) =>
  player.identity ? `key:${player.identity}` : `${state.room}.${state.series.number}.${player.place}`;

/** @param {Api.RoomState} state @param {Api.PlayerMessage} player */
function isMuted(state, player) {
  return mutedKeys().includes(muteKey(state, player)) || blocked.has(player.identity ?? -1);
}

/** @param {string} key @param {boolean} is */
function mute(key, is) {
  const others = mutedKeys().filter((other) => other !== key);
  writeStored(MUTED, (is ? [key, ...others] : others).slice(0, MAX_MUTED).join(" "));
}

/** Load the players whom the reader has blocked, if one with a key plays here. @param {Api.RoomState} state */
export async function loadBlocked(state) {
  if (areBlocksKnown || !ownName() || !state.players.some(({ identity, you }) => identity && !you)) return;
  areBlocksKnown = true;
  const answer = await ask("/api/identities/me/blocks").catch(() => null);
  for (const { number } of answer?.blocked ?? []) blocked.add(number);
}

/** Return the phrases that the reader sees. @param {Api.RoomState} state */
function shownPhrases(state) {
  return state.said.filter(({ place }) => place === state.you || !isMuted(state, state.players[place]));
}

/**
 * Return a phrase of another player as a sentence, empty if the reader has muted the player.
 * @param {Api.RoomState} state
 * @param {Api.PhraseMessage | null} said
 */
export const heardSentence = (state, said) =>
  said && !isMuted(state, state.players[said.place]) ? sentenceOf(state, said) : "";

/** @param {Api.RoomState} state @param {Api.PhraseMessage} said */
const sentenceOf = (state, { place, phrase }) =>
  say("room-said", { player: state.players[place].name, phrase: say(`phrase-${phrase}`) });

/**
 * Return the newest phrase of another player that a state adds, or null.
 * @param {Api.RoomState | undefined} before
 * @param {Api.RoomState} state
 */
export function newPhrase(before, state) {
  const known = before?.series.number === state.series.number ? before.said.length : 0;
  const heard = shownPhrases({ ...state, said: state.said.slice(known) });
  const last = heard.findLast(({ place }) => place !== state.you);
  return before && last ? last : null;
}

/**
 * Create the buttons of the phrases that can be said now.
 * @param {Room} room
 * @param {() => void} done called when a phrase was chosen, or none
 */
export function phraseButtons({ state, send }, done) {
  const choices = state.phrases.map((phrase) => {
    const speak = () => {
      done();
      send({ type: "say", phrase });
    };
    return button(`phrase-${phrase}`, speak);
  });
  return h(
    "div",
    { class: "acts", role: "group", "aria-label": say("web-say") },
    ...choices,
    button("web-cancel", done),
  );
}

/**
 * Create the section with the phrases of the game, or null if there are none.
 * @param {Room} room
 * @param {() => void} redraw
 */
export function saidSection({ state, isLocal }, redraw) {
  if (isLocal || !state.said.length) return null;
  const speakers = state.players.filter(({ place, you }) =>
    !you && state.said.some((said) => said.place === place)
  );
  const muting = state.you === null ? [] : speakers.map((player) => {
    const is = isMuted(state, player);
    const change = button(is ? "web-unmute" : "web-mute", () => {
      mute(muteKey(state, player), !is);
      redraw();
    });
    return h(
      "p",
      { class: "acts" },
      is && h("span", { class: "fact" }, say("web-muted", { player: player.name })),
      blocked.has(player.identity ?? -1) ? null : change,
    );
  });
  const lines = shownPhrases(state).map((said) => h("li", {}, sentenceOf(state, said)));
  return h(
    "section",
    { class: "said" },
    h("h2", {}, say("web-said")),
    lines.length ? h("ul", {}, ...lines) : null,
    ...muting,
  );
}
