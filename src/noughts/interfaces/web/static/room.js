// @ts-check
// A room: the board, live; what its players ask for goes to the server, and what it tells is shown.

import { Live, Refusal, ask, commandRoom, copy } from "./api.js";
import { Board } from "./board.js";
import { glyph, pictureOf } from "./drawing.js";
import { at, fill, h } from "./dom.js";
import { begin, keep, kept, language, onLanguage, say, timeOfDay } from "./i18n.js";
import { listenForCode } from "./joining.js";
import { linesThrough, rulesOf } from "./lines.js";
import { clockText } from "./margin.js";
import { qrOf } from "./qr.js";
import { button, fillMargin, headingOf, playerOf, writeHeading } from "./telling.js";

const name = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const LETTERS = "······";

/** @type {any} */ let state = null;
/** @type {string[] | null} Tokens of all seats, where everybody sits at this device. */ let tokens = null;
/** @type {{cell: number, moves: any[]} | null} */ let picking = null;
/** @type {Map<string, string>} */ let specs = new Map();
/** @type {{version: number, told: any} | null} */ let worth = null;
/** @type {number | null} */ let pointed = null;
const wanted = { lines: false, values: false, hint: false };
let isOffline = false;
let isBusy = false;
let isAsking = false;
let message = "";
let heardAt = 0;

const board = new Board(at("board"), { choose, move: point });
const live = new Live(name, { state: hear, isOffline: setOffline });

function mine() {
  if (tokens) return state.players.map((/** @type {any} */ player) => player.place);
  return state.you === null ? [] : [state.you];
}

/** Whose token a command is sent with: where all sit here, that of who is asked. @param {string} type */
function tokenFor(type) {
  if (!tokens) return null;
  const turn = playerOf(state, state.turn).place ?? 0;
  const offered = playerOf(state, state.offer?.side ?? null).place;
  const answers = state.players.find((/** @type {any} */ player) => player.place !== offered)?.place;
  const last = playerOf(state, state.moves.at(-1)?.side ?? null).place;
  const place = { accept: answers, decline: answers, choose: state.chooser, "take-back": last }[type] ?? turn;
  return tokens[place ?? 0] ?? null;
}

// What the server tells

/** @param {any} told */
async function hear(told) {
  if (state && told.version < state.version) return;
  if (tokens && told.phase === "playing") {
    const turn = playerOf(told, told.turn).place;
    if (turn !== told.you) told = await ask(`/api/rooms/${name}`, undefined, tokens[turn]).catch(() => told);
  }
  if (state && told.version < state.version) return;
  if (state && (told.ply !== state.ply || told.phase !== state.phase)) {
    message = "";
    isAsking = false;
    picking = null;
    wanted.hint = false;
  }
  state = told;
  heardAt = performance.now();
  render();
  if (wanted.values) weigh();
}

/** @param {boolean} is */
function setOffline(is) {
  if (is === isOffline || !state) return;
  isOffline = is;
  render();
}

// What is asked for

/** @param {any} command */
async function send(command) {
  if (isBusy) return;
  isBusy = true;
  message = "";
  const { ply, turn } = state;
  try {
    let answer = await commandRoom(name, state.version, command, tokenFor(command.type)).catch(error => {
      if (!(error instanceof Refusal) || error.code !== "stale" || !error.state) throw error;
      if (command.type === "move" && (error.state.ply !== ply || error.state.turn !== turn)) throw error;
      return commandRoom(name, error.state.version, command, tokenFor(command.type));
    });
    isBusy = false;
    await hear(answer.state);
    if (tokens && ["rematch", "offer-draw", "take-back"].includes(command.type)) await everybody(command.type);
  } catch (error) {
    isBusy = false;
    if (error instanceof Refusal && error.state) await hear(error.state);
    message = error instanceof Refusal ? error.sentence : say("web-unreachable");
    render();
  }
}

/** At one device an agreement is made by pressing once. @param {string} type */
async function everybody(type) {
  const places = state.players.map((/** @type {any} */ player) => player.place);
  if (type === "rematch") {
    const missing = places.find((/** @type {number} */ place) => state.phase === "over" && !state.wishes.includes(place));
    if (missing !== undefined) await hear((await commandRoom(name, state.version, { type }, /** @type {string[]} */ (tokens)[missing])).state);
  } else if (type === "take-back" && state.offer) await hear((await commandRoom(name, state.version, { type: "accept" }, tokenFor("accept"))).state);
}

/** A cell was chosen: play there, or ask which mark. @param {number} index */
function choose(index) {
  if (!state || isOffline) return;
  point(index);
  const space = board.space;
  const isSame = (/** @type {any} */ move) => move.cell !== null && (space?.drops ? space.dropOf(move.cell) === space.dropOf(index) : move.cell === index);
  const moves = state.legal.filter(isSame);
  if (moves.length === 1) send({ type: "move", move: moves[0].move });
  else if (moves.length > 1) {
    picking = { cell: index, moves };
    render();
    at("below").querySelector("button")?.focus();
  } else if (state.phase === "playing" && mine().length) explain(index);
}

/** Why nothing happens on a cell. @param {number} index */
function explain(index) {
  const isMine = mine().includes(playerOf(state, state.turn).place);
  message = !isMine ? say("web-not-your-turn") : say(state.cells[index] === null ? "web-not-here" : "web-taken", { cell: board.space?.cellName(index) ?? "" });
  render();
}

/** The lines through a cell follow the focus. @param {number} index */
function point(index) {
  const isNew = pointed !== index;
  pointed = index;
  if (wanted.lines && isNew) render();
}

// What is shown

function room() {
  return { state, isLocal: tokens !== null, isOffline, message, mine: mine(), send, isAsking, retry: () => live.open(), leave, ask: (/** @type {boolean} */ is) => ((isAsking = is), render(), at("margin").querySelector("[data-key=web-resign-no], [data-key=web-resign]")?.focus()) };
}

function leave() {
  send({ type: "leave" });
}

function render() {
  if (!state) return;
  const isWaiting = state.phase === "waiting";
  at("page").classList.toggle("wait", isWaiting || state.phase === "closed");
  writeHeading(at("status"), headingOf(room()));
  at("board").hidden = isWaiting;
  if (!isWaiting) showBoard();
  fillBelow();
  fillMargin(room(), at("margin"));
  tickClocks();
}

function showBoard() {
  const { cells, last, lines, turn } = state;
  const open = new Set(isOffline ? [] : state.legal.map((/** @type {any} */ move) => move.cell).filter((/** @type {number | null} */ cell) => cell !== null));
  const spec = specs.get(state.game.name) ?? state.game.name;
  const through = wanted.lines && pointed !== null ? linesThrough(state.game.shape, spec, cells, pointed, turn) : null;
  board.show(state.game, { cells, last, lines, turn, open, through, worths: wanted.values ? worths() : undefined, hint: wanted.hint ? hinted() : null, isOff: isOffline });
}

function fillBelow() {
  const below = at("below");
  if (state.phase === "waiting") return fill(below, mine().length ? inviting() : joining());
  if (state.phase === "choosing") return fill(below, tokens || mine().includes(state.chooser) ? marks() : null);
  if (picking) return fill(below, markPicker());
  fill(below, state.phase === "closed" ? null : helpActs(), note());
}

function helpActs() {
  const spec = specs.get(state.game.name) ?? state.game.name;
  const canAsk = state.phase === "over" ? false : mine().length && state.players.filter((/** @type {any} */ player) => player.kind === "human").length === 1;
  const toggle = (/** @type {"lines" | "values" | "hint"} */ key, /** @type {string} */ id) =>
    h("button", { type: "button", "data-key": id, "aria-pressed": String(wanted[key]), click: () => ((wanted[key] = !wanted[key]), key === "lines" ? render() : weigh()) }, say(id));
  const pass = state.legal.find((/** @type {any} */ move) => move.cell === null);
  const parts = [
    pass ? button("web-pass", () => send({ type: "move", move: pass.move }), "primary") : null,
    canAsk ? toggle("hint", "web-hint") : null,
    canAsk ? toggle("values", "web-values") : null,
    state.phase === "playing" && rulesOf(spec) ? toggle("lines", "web-lines") : null,
    ...(state.result && state.game_id ? endedActs() : []),
  ];
  return h("div", { class: "acts", role: "group", "aria-label": say("web-help") }, ...parts);
}

function endedActs() {
  const link = `/g/${state.game_id}`;
  return [h("a", { class: "button", href: link }, say("web-replay")), copyButton("web-copy-link", location.origin + link), h("a", { class: "button", href: `/api/games/${state.game_id}/picture?lang=${language()}`, download: true }, say("web-save-picture"))];
}

/** @param {string} id @param {string} text */
function copyButton(id, text, kind = "") {
  const act = (/** @type {Event} */ event) => {
    const pressed = /** @type {HTMLElement} */ (event.currentTarget);
    copy(text).then(() => (pressed.textContent = say("web-copied")));
  };
  return h("button", { type: "button", class: kind || null, "data-key": id, click: act }, say(id));
}

function note() {
  const spec = specs.get(state.game.name) ?? state.game.name;
  if (wanted.lines && pointed !== null && state.turn) {
    const through = linesThrough(state.game.shape, spec, state.cells, pointed, state.turn);
    if (through) return h("p", { class: "note", role: "status" }, say("lines-through", { count: through.open.length + through.shut.length, cell: board.space?.cellName(pointed) ?? "", side: state.turn, open: through.open.length }));
  }
  if (wanted.lines) return h("p", { class: "note" }, say("web-lines-about"));
  if ((wanted.hint || wanted.values) && worth && worth.version === state.ply) return h("p", { class: "note", role: "status" }, hintSentence());
  return wanted.hint || wanted.values ? h("p", { class: "note", role: "status" }, say("searching")) : null;
}

// Before the game

function inviting() {
  const link = `${location.origin}/r/${name}`;
  const code = state.code ?? "";
  const letters = [...(code || LETTERS)].map(letter => h("span", { "aria-hidden": "true" }, letter));
  const field = h("input", { id: "link", readonly: true, value: link, "data-key": "link", focus: (/** @type {any} */ event) => event.target.select() });
  const tell = code ? [h("p", { class: "lead" }, say("web-tell-code")), h("div", { class: "bigcode", role: "img", "aria-label": [...code].join(" ") }, ...letters), h("p", { class: "hint2" }, say("web-code-until", { time: timeOfDay(state.expires ?? 0) }))] : [h("p", { class: "hint2" }, say("web-code-spent"))];
  const send = h("p", { class: "field" }, h("label", { for: "link" }, say("web-send-link")), h("span", { class: "row" }, field, copyButton("web-copy", link, "primary")));
  const scan = h("figure", {}, qrOf(link, say("web-qr")), h("figcaption", {}, say("web-scan")));
  return h("div", {}, h("div", { class: "invite" }, h("div", { class: "how" }, ...tell, send), scan), h("div", { class: "ready" }, pictureOf(state.game, state)));
}

function joining() {
  const field = h("input", { id: "name", name: "name", maxlength: 40, autocomplete: "nickname", "data-key": "name", value: kept("noughts-name") ?? "" });
  const join = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const own = /** @type {HTMLInputElement} */ (document.getElementById("name")).value.trim();
    keep("noughts-name", own);
    try {
      const entry = await ask("/api/join", { room: name, name: own || say("default-name") });
      live.open();
      await hear(entry.state);
    } catch (error) {
      message = error instanceof Refusal ? error.sentence : say("web-unreachable");
      await look();
    }
  };
  const row = h("span", { class: "row" }, field, h("button", { type: "submit", class: "primary", "data-key": "sit" }, say("web-sit-down")));
  const form = h("form", { class: "code err", submit: join }, h("label", { for: "name" }, say("web-name")), row, h("small", {}, say("web-no-account")));
  return h("div", {}, form, h("div", { class: "ready" }, pictureOf(state.game, state)));
}

function marks() {
  return h("div", { class: "acts" }, ...state.game.sides.map((/** @type {string} */ mark) => h("button", { type: "button", "data-key": `mark-${mark}`, "aria-label": mark, click: () => send({ type: "choose", mark }) }, glyph(mark))));
}

function markPicker() {
  const moves = picking?.moves ?? [];
  const buttons = moves.map(move => h("button", { type: "button", "data-key": `pick-${move.mark}`, "aria-label": move.mark, click: () => send({ type: "move", move: move.move }) }, glyph(move.mark)));
  const stop = () => ((picking = null), render());
  return h("div", { class: "acts", role: "group", "aria-label": say("which-mark") }, h("p", { class: "lead" }, say("which-mark")), ...buttons, button("web-cancel", stop));
}

// Values and hints

async function weigh() {
  render();
  if ((!wanted.values && !wanted.hint) || state.phase !== "playing" || !state.legal.length || worth?.version === state.ply) return;
  const version = state.ply;
  try {
    worth = { version, told: await ask(`/api/rooms/${name}/analyse`, { seconds: 2 }) };
  } catch (error) {
    wanted.values = wanted.hint = false;
    message = error instanceof Refusal ? error.sentence : say("web-unreachable");
  }
  render();
}

/** @param {string} move */
function cellOf(move) {
  return state.legal.find((/** @type {any} */ one) => one.move === move)?.cell ?? null;
}

function worths() {
  const found = new Map();
  if (worth?.version !== state.ply) return found;
  for (const { move, value, label } of worth?.told.moves ?? []) {
    const cell = cellOf(move);
    if (cell !== null && ["win", "draw", "loss"].includes(value)) found.set(cell, { text: label, worth: value });
  }
  return found;
}

function hinted() {
  return worth?.version === state.ply && worth?.told.best ? cellOf(worth.told.best) : null;
}

function hintSentence() {
  const best = worth?.told.moves.find((/** @type {any} */ move) => move.move === worth?.told.best);
  if (!wanted.hint || !best) return worth?.told.sentence ?? "";
  const cell = cellOf(best.move);
  const called = cell === null ? best.name : board.space?.moveName(cell, /^[A-Z]/.exec(best.move)?.[0]) ?? best.name;
  return best.reason ? say("why-move", { move: called, reason: best.reason }) : say("hint", { move: called });
}

// Time

function tickClocks() {
  if (!state) return;
  const passed = performance.now() - heardAt;
  for (const clock of document.querySelectorAll("[data-clock]")) {
    const side = clock.getAttribute("data-clock") ?? "";
    const left = state.clock?.left[side];
    if (left === null || left === undefined) continue;
    const text = clockText(state.clock.running === side && !isOffline ? left - passed : left);
    if (clock.textContent !== text) clock.textContent = text;
  }
}

async function look() {
  await hear(await ask(`/api/rooms/${name}`));
}

async function load() {
  await begin();
  tokens = JSON.parse(kept(`noughts-here-${name}`) ?? "null");
  const samples = await (await fetch("/static/samples.json")).json();
  specs = new Map(samples.map((/** @type {any} */ game) => [game.name, game.spec ?? ""]));
  try {
    await look();
  } catch (error) {
    return missing(error);
  }
  live.open();
  let isFirst = true;
  onLanguage(() => {
    if (!isFirst) {
      live.open();
      look().catch(() => render());
    }
    isFirst = false;
  });
  setInterval(tickClocks, 200);
  setInterval(() => state?.claim_at && state.phase === "playing" && render(), 1000);
}

/** @param {unknown} error */
function missing(error) {
  const isGone = error instanceof Refusal && error.status === 404;
  onLanguage(() => {
    at("page").classList.add("wait");
    writeHeading(at("status"), { side: null, title: say(isGone ? "web-no-room" : "web-offline"), about: say(isGone ? "web-no-room-about" : "web-unreachable") });
    const field = h("input", { id: "code", class: "squares", name: "code", maxlength: 6, autocomplete: "off", autocapitalize: "characters", spellcheck: "false", placeholder: LETTERS });
    const told = h("small", { id: "codeh" }, say("web-code-about"));
    const form = h("form", { class: "code err" }, h("label", { for: "code" }, say("web-code")), h("span", { class: "row" }, field, h("button", { type: "submit", class: "primary" }, say("web-join"))), told);
    listenForCode(/** @type {HTMLFormElement} */ (form), told);
    const acts = h("div", { class: "acts" }, h("a", { class: "button", href: "/" }, say("web-choose-game")), h("a", { class: "button", href: "/history" }, say("web-history")));
    fill(at("below"), isGone ? form : h("div", { class: "acts" }, button("web-try-now", () => location.reload(), "primary")), acts);
    fill(at("margin"), h("p", { class: "fact" }, say("web-nothing-lost")));
  });
}

load();
