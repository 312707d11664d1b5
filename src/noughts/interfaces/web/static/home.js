// @ts-check
// The first page: a game by its picture, an opponent, a name, go.

import { ask, joinRoom, openRoom, sentenceOf } from "./api.js";
import { glyph, pictureOf } from "./drawing.js";
import { at, fill, h } from "./dom.js";
import { begin, has, keep, kept, language, onLanguage, paragraph, say } from "./i18n.js";
import { CELL, withBoard } from "./space.js";
import { listenForCode } from "./joining.js";

/** @typedef {import("./space.js").Game & {tag: string, rules: string, title: string, spec: string | null, value: string | null, cells: (string | null)[], cautions: Record<string, string>}} Sample */

const OWN = "own";
const NAME = "noughts-name";
const GAME = "noughts-game";
const LEVEL = "noughts-level";
/** @type {Map<string, object | null>} */ const CLOCKS = new Map([["none", null], ["1+0", { base: 60000, increment: 0 }], ["3+2", { base: 180000, increment: 2000 }], ["5+3", { base: 300000, increment: 3000 }], ["10+0", { base: 600000, increment: 0 }], ["30", { per_move: 30000 }]]);
const ORDERS = ["alternate", "loser", "chooser", "x"];
const PATIENCE = 250; // milliseconds without a key before a description is looked up
const SQUARE = 22; // pixels
const WIDEST = 5; // squares of the picture of an own board
const SHELF = 40; // squares of a shelf where the style does not keep to them
const HIGHER = 1.35; // so much higher than the first of a shelf the others may be

/** @type {Sample[]} */ let samples = [];
/** @type {{name: string, title: string}[]} */ let computers = [];
/** @type {Sample | null} */ let described = null;
let asked = 0;
let seated = "";

const form = /** @type {HTMLFormElement} */ (at("new"));

/**
 * Games as they stand on shelves: what comes first sets how high one is, what fits beside it follows.
 * @template {{across: number, down: number}} T @param {T[]} all @param {number} wide squares @returns {T[][]}
 */
function shelved(all, wide) {
  const [first, ...others] = [...all].sort((one, two) => one.down - two.down);
  if (!first) return [];
  let room = wide - first.across;
  const beside = others.filter(one => {
    const fits = one.across <= room && one.down <= first.down * HIGHER;
    if (fits) room -= one.across;
    return fits;
  });
  return [[first, ...beside], ...shelved(others.filter(one => !beside.includes(one)), wide)];
}

const chosen = () => String(new FormData(form).get("game") ?? undefined);

const opponent = () => String(new FormData(form).get("opponent"));

/** The game that is chosen; none while an own board is not understood. @returns {Sample | null | undefined} */
const chosenGame = () => (chosen() === OWN ? described : samples.find(one => one.name === chosen()));

const sides = () => chosenGame()?.sides ?? ["X", "O"];

/** How many squares the longest word of a title takes. @param {string} title */
function squaresOf(title) {
  const words = title.split(/[\s-]|(?<=[\u4e00-\u9fff])/);
  return Math.ceil((Math.max(...words.map(word => word.length)) * 10.5) / SQUARE + 0.5);
}

/** A game to pick, and how many squares it takes. @param {string} name @param {HTMLElement} frame @param {string} title @param {string} tag @param {number} across @param {number} down */
function pick(name, frame, title, tag, across, down) {
  const radio = h("input", { class: "vh", type: "radio", name: "game", value: name, "data-key": `game-${name}` });
  const label = h("label", { class: "pick" }, radio, frame, h("span", { class: "cap" }, h("b", {}, title), h("small", {}, tag)));
  const wide = Math.max(across, squaresOf(title));
  label.style.setProperty("--across", String(wide));
  label.style.setProperty("--down", String(down));
  return { label, across: wide, down };
}

/** @param {Sample} game */
function pickOf(game) {
  const [width, height] = game.board.size;
  const frame = h("span", { class: "frame" }, pictureOf(game, game));
  return pick(game.name, frame, game.title, game.tag, Math.max(5, Math.ceil(width / CELL) + 1), Math.ceil(height / CELL));
}

function showGames() {
  const name = chosen() === "undefined" ? kept(GAME) : chosen();
  const own = pick(OWN, h("span", { class: "frame blank", id: "drawn", "aria-hidden": "true" }), say("web-own"), "7x7:5", WIDEST + 1, WIDEST);
  const wide = matchMedia("(max-width: 899px)").matches ? SHELF : Math.floor(at("index").clientWidth / SQUARE);
  const shelves = shelved([...samples.map(pickOf), own], wide).map(shelf => [...shelf.map(one => one.label), h("span", { class: "break" })]);
  fill(at("index"), h("legend", { class: "vh" }, say("column-game")), ...shelves.flat());
  const wanted = form.querySelector(`input[value="${CSS.escape(name ?? "")}"]`) ?? form.querySelector("input[name=game]");
  /** @type {HTMLInputElement} */ (wanted).checked = true;
  showOwn();
}

/** The picture of an own board, as soon as its description is understood. */
function showOwn() {
  const frame = at("drawn");
  frame.classList.toggle("blank", !described);
  if (!described) return fill(frame);
  const picture = pictureOf(described, { cells: [] });
  picture.style.setProperty("--cu", `calc(var(--u) * ${Math.min(1, (WIDEST * CELL) / Math.max(...described.board.size))})`);
  fill(frame, picture);
}

function showChoice() {
  const name = chosen();
  const game = chosenGame();
  const isAlone = sides().length === 1;
  const isOwn = name === OWN;
  const who = isAlone ? "alone" : opponent();
  at("title").textContent = isOwn ? say("web-own") : game?.title ?? "";
  at("about").textContent = paragraph([game?.rules ?? "", game?.value ? say(`value-${game.value}`) : ""]);
  at("described").hidden = !isOwn;
  showOpenings();
  document.querySelector(".opts")?.toggleAttribute("hidden", isAlone);
  document.querySelector(".more")?.toggleAttribute("hidden", isAlone || who === "watch");
  at("others").hidden = who !== "here";
  at("own-name").hidden = who === "watch";
  at("watched").hidden = who !== "watch";
  at("seat").hidden = at("begins").value === "chooser";
  at("nameh").textContent = say(who === "friend" ? "web-name-about" : "web-name-length");
  showSeats();
  at("caution").textContent = paragraph([...new Set(playing().map(name => game?.cautions[name] ?? ""))]);
}

/** The computers that are to play. */
function playing() {
  const isAlone = sides().length === 1;
  if (!isAlone && opponent() === "computer") return [at("level").value];
  return !isAlone && opponent() === "watch" ? sides().map((_, seat) => watchedLevel(seat)) : [];
}

/**
 * What is asked of each seat: the mark that is wished for, the other names here, the levels that are watched.
 * It is left as it is while the seats are the same: a field in which somebody types must not be replaced.
 */
function showSeats() {
  const seats = sides();
  const told = [language(), ...seats, computers.length].join();
  if (told === seated) return;
  seated = told;
  offer("place", seats.map((side, seat) => [String(seat), seat ? side : say("web-mark-first", { side })]), "0");
  const names = seats.slice(1).map((_, seat) => {
    const id = `name${seat + 2}`;
    return h("p", { class: "field" }, h("label", { for: id }, say("web-name-of", { number: seat + 2 })), h("input", { id, form: "new", name: id, "data-key": id, maxlength: 40, autocomplete: "off" }));
  });
  fill(at("others"), ...names);
  const levels = seats.map((side, seat) => {
    const level = watchedLevel(seat);
    return h("span", { class: "row" }, glyph(side), h("select", { form: "new", "data-key": `watched-${seat}`, "aria-label": say("web-level-of", { side }) }, ...computers.map(({ name, title }) => h("option", { value: name, selected: name === level }, title))));
  });
  fill(at("watched"), ...levels);
}

/** The computer that has been picked for a seat to be watched. @param {number} seat */
function watchedLevel(seat) {
  const select = at("watched").querySelectorAll("select")[seat];
  return select?.value || (seat % 2 ? "level:5" : "level:3");
}

/** Offers what can be chosen in a list: what was chosen stays so, as long as it is offered. @param {string} id @param {[string, string][]} options values and what is said of them @param {string} usual */
function offer(id, options, usual) {
  const chosen = options.some(([value]) => value === at(id).value) ? at(id).value : usual;
  fill(at(id), ...options.map(([value, text]) => h("option", { value, selected: value === chosen }, text)));
}

/** Offers values that are said by sentences whose ids begin alike. @param {string} id @param {string[]} values @param {string} kind */
function offerSaid(id, values, kind) {
  offer(id, values.map(value => [value, say(`${kind}-${value}`)]), values[0]);
}

function showLists() {
  offer("level", computers.map(({ name, title }) => [name, title]), kept(LEVEL) || "level:3");
  offerSaid("clock", [...CLOCKS.keys()], "clock");
  offerSaid("begins", ORDERS, "order");
}

/** The openings of the chosen game: none where there is nothing to choose. */
function showOpenings() {
  const offered = chosenGame()?.openings ?? [];
  offerSaid("opening", ["none", ...offered], "opening");
  at("openings").hidden = !offered.length;
}

/** @param {string} sentence */
function complain(sentence) {
  at("trouble").textContent = sentence;
  at("trouble").hidden = !sentence;
}

/** Looks up what is described in the field, and draws it or says what is wrong. */
async function describe() {
  const game = at("own").value.trim();
  const question = ++asked;
  try {
    const told = game ? await withBoard(await ask(`/api/rules?game=${encodeURIComponent(game)}`)) : null;
    if (question !== asked) return;
    described = told;
    at("own").removeAttribute("aria-invalid");
    at("ownbad").textContent = "";
  } catch (error) {
    if (question !== asked) return;
    described = null;
    at("own").setAttribute("aria-invalid", "true");
    at("ownbad").textContent = sentenceOf(error);
  }
  showOwn();
  showChoice();
}

/** What to open a room with. */
function wanted() {
  const game = chosen() === OWN ? at("own").value.trim() || at("own").placeholder : chosen();
  const name = at("name").value.trim() || say("default-name");
  if (sides().length === 1) return { game, name };
  if (opponent() === "watch") return { game, computers: playing() };
  const clock = CLOCKS.get(at("clock").value) ?? null;
  const begins = at("begins").value;
  const place = begins === "chooser" ? 0 : Number(at("place").value);
  const opening = at("opening").value || "none";
  return { game, name, clock, begins, opening, place, opponent: playing()[0] ?? "friend" };
}

async function play() {
  keep(NAME, at("name").value.trim());
  keep(GAME, chosen());
  keep(LEVEL, at("level").value);
  const entry = await openRoom(wanted());
  if (opponent() === "here" && sides().length > 1) await sitDownHere(entry);
  location.assign(`/r/${entry.room}`);
}

/** Takes the other seats too: whoever has the device plays the side to move. @param {any} entry */
async function sitDownHere(entry) {
  const tokens = entry.state.players.map(() => "");
  tokens[entry.place] = entry.token;
  for (let number = 2; number <= tokens.length; number++) {
    const name = at(`name${number}`).value.trim() || say("default-name-of", { number });
    const other = await joinRoom({ room: entry.room, name });
    tokens[other.place] = other.token;
  }
  keep(`noughts-here-${entry.room}`, JSON.stringify(tokens));
}

async function load() {
  await begin();
  at("name").value ||= kept(NAME) ?? "";
  onLanguage(async () => {
    complain("");
    const [games, { players }] = await Promise.all([ask("/samples.json"), ask("/api/players")]);
    samples = games;
    computers = players.filter((/** @type {{name: string}} */ { name }) => has(`strength-${name.split(":")[0]}`));
    showGames();
    showLists();
    showChoice();
    if (at("own").value) describe();
  });
  form.addEventListener("change", showChoice);
  at("margin").addEventListener("change", showChoice);
  at("level").addEventListener("change", () => {
    /** @type {HTMLInputElement} */ (document.querySelector("input[value=computer]")).checked = true;
    showChoice();
  });
  /** @type {number | undefined} */ let typing;
  at("own").addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(describe, PATIENCE);
  });
  form.addEventListener("submit", event => {
    event.preventDefault();
    complain("");
    play().catch(error => complain(sentenceOf(error)));
  });
  listenForCode(() => at("name").value.trim());
}

load();
