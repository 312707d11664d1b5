// @ts-check
// The first page: a game by its picture, an opponent, a name, go.

import { Refusal, ask } from "./api.js";
import { pictureOf } from "./drawing.js";
import { at, fill, h } from "./dom.js";
import { begin, has, keep, kept, onLanguage, paragraph, say } from "./i18n.js";
import { Space } from "./layout.js";
import { listenForCode } from "./joining.js";
import { strengthOf, titleOf } from "./names.js";

/** @typedef {import("./layout.js").Game & {name: string, spec: string | null, value: string | null, cells: (string | null)[]}} Sample */

const OWN = "own";
const NAME = "noughts-name";
const GAME = "noughts-game";
const LEVEL = "noughts-level";
const CLOCKS = { none: null, "1+0": { base: 60000, increment: 0 }, "3+2": { base: 180000, increment: 2000 }, "5+3": { base: 300000, increment: 3000 }, "10+0": { base: 600000, increment: 0 }, 30: { per_move: 30000 } };
const ORDERS = ["alternate", "loser", "chooser", "x"];
const VALUES = { first: "value-first", draw: "value-draw" };

/** @type {Sample[]} */ let samples = [];
/** @type {Map<string, string>} */ let rules = new Map();
/** @type {string[]} */ let computers = [];

const form = /** @type {HTMLFormElement} */ (at("new"));

/** @param {Sample} game */
function heightOf(game) {
  return new Space(game).height;
}

function chosen() {
  return String(new FormData(form).get("game") ?? samples[0]?.name);
}

function opponent() {
  return String(new FormData(form).get("opponent"));
}

/** How many squares the longest word of a title takes. @param {string} title */
function squaresOf(title) {
  const words = title.split(/[\s-]|(?<=[\u4e00-\u9fff])/);
  return Math.ceil((Math.max(...words.map(word => word.length)) * 10.5) / 22 + 0.5);
}

/** @param {Sample} game @param {boolean} isChosen */
function pick(game, isChosen) {
  const picture = pictureOf(game, game);
  const [, , width, height] = (picture.getAttribute("viewBox") ?? "0 0 300 300").split(" ").map(Number);
  const caption = h("span", { class: "cap" }, h("b", {}, titleOf(game.name)), h("small", {}, say(`tag-${game.name}`)));
  const radio = h("input", { class: "vh", type: "radio", name: "game", value: game.name, "data-key": `game-${game.name}`, checked: isChosen });
  const label = h("label", { class: "pick" }, radio, h("span", { class: "frame" }, picture), caption);
  label.style.setProperty("--across", String(Math.max(5, Math.ceil(width / 100) + 1, squaresOf(titleOf(game.name)))));
  label.style.setProperty("--down", String(Math.ceil(height / 100 + 4)));
  return label;
}

function showGames() {
  const name = chosen() === "undefined" ? kept(GAME) : chosen();
  const wanted = samples.some(game => game.name === name) || name === OWN ? name : samples[0].name;
  const own = h("label", { class: "pick" }, h("input", { class: "vh", type: "radio", name: "game", value: OWN, "data-key": "game-own", checked: wanted === OWN }), h("span", { class: "frame blank", "aria-hidden": "true" }), h("span", { class: "cap" }, h("b", {}, say("tag-own")), h("small", {}, "7x7:5")));
  own.style.setProperty("--across", "5");
  own.style.setProperty("--down", "7");
  const legend = h("legend", { class: "vh" }, say("column-game"));
  fill(at("index"), legend, ...samples.map(game => pick(game, game.name === wanted)), own);
}

function showChoice() {
  const name = chosen();
  const game = samples.find(one => one.name === name);
  const value = VALUES[/** @type {"first" | "draw"} */ (game?.value ?? "")];
  at("title").textContent = name === OWN ? say("tag-own") : titleOf(name);
  at("about").textContent = name === OWN ? say("web-own-about") : paragraph([rules.get(name) ?? say(`tag-${name}`), value ? say(value) : ""]);
  form.querySelector(".own")?.toggleAttribute("hidden", name !== OWN);
  const sides = game?.sides.length ?? 2;
  const opponents = document.querySelector(".opts");
  opponents?.toggleAttribute("hidden", sides === 1);
  document.querySelector(".more")?.toggleAttribute("hidden", sides === 1);
  at("second").hidden = opponent() !== "here" || sides === 1;
  at("nameh").textContent = say(opponent() === "friend" && sides > 1 ? "web-name-about" : "web-name-length");
}

function showLists() {
  const level = at("level").value || kept(LEVEL) || "level:3";
  fill(at("level"), ...computers.map(name => h("option", { value: name, selected: name === level }, strengthOf(name))));
  const clock = at("clock").value || "none";
  fill(at("clock"), ...["none", "1+0", "3+2", "5+3", "10+0", "30"].map(id => h("option", { value: id, selected: id === clock }, say(`clock-${id}`))));
  const order = at("begins").value || "alternate";
  fill(at("begins"), ...ORDERS.map(id => h("option", { value: id, selected: id === order }, say(`order-${id}`))));
}

/** @param {string} sentence */
function complain(sentence) {
  at("trouble").textContent = sentence;
  at("trouble").hidden = !sentence;
}

async function play() {
  const name = at("name").value.trim() || say("default-name");
  const game = chosen() === OWN ? at("own").value.trim() || at("own").placeholder : chosen();
  const isAlone = samples.find(one => one.name === game)?.sides.length === 1;
  const against = isAlone ? "friend" : opponent();
  keep(NAME, at("name").value.trim());
  keep(GAME, chosen());
  keep(LEVEL, at("level").value);
  const clock = CLOCKS[/** @type {"none"} */ (at("clock").value)];
  const wanted = { game, opponent: against === "computer" ? at("level").value : "friend", name, clock, begins: isAlone ? "alternate" : at("begins").value };
  const entry = await ask("/api/rooms", wanted);
  if (against === "here") await sitDownHere(entry);
  location.assign(`/r/${entry.room}`);
}

/** Takes the other seats too: whoever has the device plays the side to move. @param {any} entry */
async function sitDownHere(entry) {
  const tokens = [entry.token];
  for (const player of entry.state.players.filter((/** @type {any} */ one) => one.name === null)) {
    const name = (tokens.length === 1 && at("name2").value.trim()) || say("default-name-of", { number: tokens.length + 1 });
    const other = await ask("/api/join", { room: entry.room, name });
    tokens[other.place ?? player.place] = other.token;
  }
  keep(`noughts-here-${entry.room}`, JSON.stringify(tokens));
}

async function load() {
  await begin();
  samples = await (await fetch("/static/samples.json")).json();
  samples.sort((one, two) => heightOf(one) - heightOf(two)); // the small ones first: they fill a row
  at("name").value = kept(NAME) ?? "";
  onLanguage(async () => {
    showGames();
    showLists();
    showChoice();
    const [catalogue, players] = await Promise.all([ask("/api/catalogue"), ask("/api/players")]);
    rules = new Map(catalogue.games.map((/** @type {any} */ game) => [game.name, game.rules]));
    computers = players.players.map((/** @type {any} */ player) => player.name).filter((/** @type {string} */ name) => has(`strength-${name.split(":")[0]}`));
    showLists();
    showChoice();
  });
  form.addEventListener("change", showChoice);
  document.querySelector(".opts")?.addEventListener("change", showChoice);
  at("level").addEventListener("change", () => {
    /** @type {HTMLInputElement} */ (document.querySelector("input[value=computer]")).checked = true;
    showChoice();
  });
  form.addEventListener("submit", event => {
    event.preventDefault();
    complain("");
    play().catch(error => complain(error instanceof Refusal ? error.sentence : say("web-unreachable")));
  });
  listenForCode(at("join"), at("codeh"), () => at("name").value.trim());
}

load();
