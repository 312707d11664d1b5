// The form for a new game: opponent, terms and name.

import { ask, errorSentence, openNewRoom } from "./api.js";
import { at, fill, h, inputAt, selectAt } from "./dom.js";
import { ownName, showOwnName } from "./identity.js";
import { has, language, onLanguage, readStored, say, writeStored } from "./i18n.js";

/** @typedef {{name: string, sides: string[]}} Chosen */

const NAME = "noughts-name";
const LEVEL = "noughts-level";
/** @type {Map<string, Api.OpenRoomRequest["clock"]>} */
const CLOCKS = new Map([
  ["none", null],
  ["1+0", { base: 60000, increment: 0 }],
  ["3+2", { base: 180000, increment: 2000 }],
  ["5+3", { base: 300000, increment: 3000 }],
  ["10+0", { base: 600000, increment: 0 }],
  ["30", { per_move: 30000 }],
  ["1d", { per_move: 86_400_000 }],
  ["3d", { per_move: 259_200_000 }],
  ["7d", { per_move: 604_800_000 }],
  ["3d+1d", { base: 259_200_000, increment: 86_400_000 }],
]);
const STRONGEST = "level:10";
/** @type {NonNullable<Api.OpenRoomRequest["begins"]>[]} */ const ORDERS = [
  "alternate",
  "loser",
  "chooser",
  "x",
];

/** @type {Chosen | null} */ let chosen = null;
/** @type {Api.PlayableGame | Api.CustomBoard | null} The rules of the chosen game. */ let rules = null;
/** @type {[string, string][]} The names and titles of all computers. */ let levels = [];
let picked = "";
let cameIn = "";

/**
 * Set the game of the form, or null for none.
 * @param {Chosen | null} game
 * @param {Api.CustomBoard | null} facts its rules if they are known already
 */
export function choose(game, facts = null) {
  const before = chosen?.name;
  chosen = game;
  if (before !== game?.name || facts) rules = facts;
  showSeats();
  showTold();
  if (isOpen()) tell();
}

/** Return true if the terms are shown. */
const isOpen = () => at("options").hasAttribute("open");

/**
 * Show a sentence about an error or a delay below the buttons.
 * @param {string} sentence
 * @param {string} kind
 */
export function complain(sentence, kind = "error-text") {
  at("form-error").textContent = sentence;
  at("form-error").className = kind;
  at("form-error").hidden = !sentence;
}

/** Request the rules of the chosen game and show its options. */
async function tell() {
  const game = chosen;
  if (!game || rules) return;
  try {
    const found = await ask(`/api/rules?game=${encodeURIComponent(game.name)}`);
    if (game.name !== chosen?.name) return;
    rules = found;
    showTold();
  } catch (error) {
    complain(errorSentence(error));
  }
}

function showTold() {
  fill(at("rules"), rules?.rules ?? "", rules?.known ? h("span", { class: "known" }, rules.known) : null);
  const offered = rules?.openings ?? [];
  fillSelectBySentences("opening", ["none", ...offered], "opening");
  at("openings").hidden = !offered.length;
  offerLevels();
  at("caution").textContent = rules?.cautions[selectAt("level").value] ?? "";
}

/** List the computers that play the chosen game, or all computers until that is known. */
function offerLevels() {
  const offered = rules ? rules.computers.flatMap((who) => levels.filter(([name]) => name === who)) : levels;
  const names = offered.map(([name]) => name);
  if (!names.length || names.join() === [...selectAt("level").options].map(({ value }) => value).join()) {
    return;
  }
  fill(selectAt("level"));
  fillSelect("level", offered, names.includes(picked) ? picked : STRONGEST);
  cameIn = "";
  showSeats();
  describeLevel();
}

/** Show the fields of each seat. They stay while the seats are the same, so that typed text is not lost. */
function showSeats() {
  const sides = chosen?.sides ?? ["X", "O"];
  const isAlone = sides.length === 1;
  for (const button of at("ways").querySelectorAll("button")) {
    button.hidden = (button.value === "alone") !== isAlone;
    button.disabled = !chosen;
  }
  for (const line of at("options").querySelectorAll(".options-body > :is(p, fieldset)")) {
    line.toggleAttribute("hidden", isAlone && !line.querySelector("#name"));
  }
  at("seat").hidden ||= selectAt("begins").value === "chooser";
  at("openings").hidden ||= !rules?.openings.length;
  const seats = [language(), ...sides].join();
  if (seats === cameIn) return;
  cameIn = seats;
  fillSelect(
    "place",
    sides.map((side, seat) => [String(seat), seat ? side : say("web-mark-first", { side })]),
    "0",
  );
  const names = sides.slice(1).map((_, seat) => {
    const id = `name${seat + 2}`;
    return h(
      "p",
      { class: "line" },
      h("label", { for: id }, say("web-name-of", { number: seat + 2 })),
      h("input", { id, name: id, "data-key": id, maxlength: 40, autocomplete: "off" }),
    );
  });
  fill(at("names"), ...names);
  const levels = sides.map((side, seat) => {
    const id = `watched-${seat}`;
    const select = h(
      "select",
      { id, "data-key": id },
      ...[...selectAt("level").options].map(({ value, text }) =>
        h("option", { value, selected: value === watchedLevel(seat) }, text)
      ),
    );
    return h("p", { class: "line" }, h("label", { for: id }, say("web-level-of", { side })), select);
  });
  fill(at("levels"), ...levels);
}

/** Return the computer that is selected for a seat of a game without human players. @param {number} seat */
function watchedLevel(seat) {
  const select = at("levels").querySelectorAll("select")[seat];
  return select?.value || (seat % 2 ? "level:5" : "level:3");
}

/**
 * Fill a list of options. The selection stays if it is still offered.
 * @param {string} id
 * @param {[string, string][]} options values and texts
 * @param {string} usual the default value
 */
function fillSelect(id, options, usual) {
  const select = selectAt(id);
  const chosen = options.some(([value]) => value === select.value) ? select.value : usual;
  fill(select, ...options.map(([value, text]) => h("option", { value, selected: value === chosen }, text)));
}

/**
 * Fill a list with values whose texts have ids with a common prefix.
 * @param {string} id
 * @param {string[]} values
 * @param {string} kind
 */
function fillSelectBySentences(id, values, kind) {
  fillSelect(id, values.map((value) => [value, say(`${kind}-${value}`)]), values[0]);
}

/**
 * Return the request that opens a room.
 * @param {Chosen} game
 * @param {string} way
 * @returns {Api.OpenRoomRequest}
 */
function roomRequest({ name: game, sides }, way) {
  const name = inputAt("name").value.trim() || say("default-name");
  if (sides.length === 1) return { game, name };
  const visibility = way !== "here" && selectAt("visibility").value === "public" ? "public" : "link";
  if (way === "watch") return { game, computers: sides.map((_, seat) => watchedLevel(seat)), visibility };
  const begins = ORDERS.find((order) => order === selectAt("begins").value);
  const place = begins === "chooser" ? 0 : Number(selectAt("place").value);
  const opening = /** @type {Api.OpenRoomRequest["opening"]} */ (selectAt("opening").value || "none");
  const opponent = way === "computer" ? selectAt("level").value : "friend";
  const clock = CLOCKS.get(selectAt("clock").value) ?? null;
  const rated = way !== "here" && Boolean(selectAt("rated").value);
  return { game, name, clock, begins, opening, place, opponent, rated, visibility };
}

/** Open a room and go there. @param {string} way */
async function play(way) {
  const game = chosen;
  if (!game) return;
  const prepare = async () => {
    writeStored(LEVEL, picked);
    if (way === "computer") await tell();
    return roomRequest(game, way);
  };
  const nameOf = (/** @type {number} */ number) => inputAt(`name${number}`).value.trim();
  try {
    const wait = (/** @type {string} */ sentence) => complain(sentence, "fact");
    await openNewRoom(prepare, wait, way === "computer", way === "here" ? nameOf : null);
  } catch (error) {
    complain(errorSentence(error));
  }
}

/** Show the description of the selected computer. */
function describeLevel() {
  const does = `player-${selectAt("level").value.replace(":", "-")}`;
  at("level-about").textContent = has(does) ? say(does) : "";
}

/** Load the titles of the computers in the present language. */
async function loadLevelTitles() {
  const { players } = await ask("/api/players");
  const known = players.filter(({ name }) => has(`strength-${name.split(":")[0]}`));
  levels = known.map(({ name, title }) => [name, title]);
  fill(selectAt("level"));
  showTold();
}

/**
 * Listen to the form, which starts with the last settings. Return a promise that ends once the name of a player
 * with a key is known.
 * @param {() => Promise<void>} ready waits until the last description is known
 * @param {(game: string) => void} toAnyone offers a game in the lobby
 */
export function listenForStart(ready = async () => {}, toAnyone = () => {}) {
  const [form, level, last] = [at("new"), selectAt("level"), readStored(LEVEL)];
  inputAt("name").value ||= readStored(NAME) ?? "";
  inputAt("name").addEventListener("change", () => {
    if (!ownName()) writeStored(NAME, inputAt("name").value.trim());
  });
  const named = showOwnName(inputAt("name"));
  if (last !== null && [...level.options].some((option) => option.value === last)) level.value = last;
  picked = level.value;
  levels = [...level.options].map(({ value, text }) => [value, text]);
  let spoken = language();
  onLanguage(() => {
    complain("");
    fillSelectBySentences("clock", [...CLOCKS.keys()], "clock");
    fillSelectBySentences("begins", ORDERS, "order");
    rules = null;
    choose(chosen);
    describeLevel();
    if (language() === spoken) return;
    spoken = language();
    loadLevelTitles().catch((error) => complain(errorSentence(error)));
  });
  level.addEventListener("change", () => (picked = level.value));
  form.addEventListener("change", () => {
    showSeats();
    showTold();
    describeLevel();
  });
  at("options").addEventListener("toggle", () => isOpen() && tell());
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = event.submitter;
    await ready();
    if (button instanceof HTMLButtonElement && button.value === "anyone") {
      return chosen && toAnyone(chosen.name);
    }
    play(button instanceof HTMLButtonElement ? button.value : "friend");
  });
  return named;
}
