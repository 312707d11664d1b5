// The page of a room: it shows the states from the server and sends the commands of the players.

import {
  ApiError,
  ask,
  commandRoom,
  errorSentence,
  keyOfLink,
  RoomStream,
  setServerTime,
  sharedOrigin,
  takeSeat,
} from "./api.js";
import { fillBar } from "./action_bar.js";
import { fillPanel, missing } from "./panel.js";
import { Board } from "./board.js";
import { isMyTurn, markTurn, notify, notifyHidden } from "./notifications.js";
import { clockByDays, tick } from "./clocks.js";
import { agreeingCommand, deviceSettings, seatFor, stateForMover, tapConfirms, tokensOf } from "./device.js";
import { afterPress, at, focusKey, listenForEscape, restoreFocus } from "./dom.js";
import { addToLine, linesSection } from "./conditional.js";
import { onLanguage, say } from "./i18n.js";
import { followSearch } from "./search_strip.js";
import { legendSection } from "./legend.js";
import { begin } from "./page.js";
import { MoveInput } from "./move_input.js";
import { annotationData } from "./annotations.js";
import { storePlayed, storeSeat } from "./stored_seats.js";
import { listenForFirst } from "./sound.js";
import { withBoard } from "./board_geometry.js";
import { lineTo, listenForSteps, Past, plyAfter } from "./ply_steps.js";
import {
  areSidesSettled,
  endTitle,
  fillMargin,
  fillPlayers,
  headingOf,
  isPractice,
  playerOf,
  writeHeading,
} from "./status_texts.js";
import { shareSection } from "./share.js";
import { followTournament } from "./people_room.js";
import { heardSentence, loadBlocked, newPhrase, phraseButtons, saidSection } from "./phrases.js";
import { loadOwnName } from "./identity.js";
import { Evaluator, LineFinder, SECONDS, shownHelp } from "./evaluation.js";

const name = decodeURIComponent(location.pathname.split("/")[2] ?? "");

/** @typedef {import("./status_texts.js").State} State */
/** @typedef {import("./api.js").Command} Command */

/** @type {State} Undefined before the first state. */ let state;
/** @type {string[] | null} The tokens of all seats if all players use this device. */ let tokens = null;
/** @type {number | null} */ let pointed = null;
const wanted = { lines: false, values: false, hint: false };
let isOffline = false;
let isBusy = false;
/** @type {Command | null} The command without a response yet. */ let pending = null;
/** @type {Command | null} The command that waits for that response. */ let pendingNext = null;
/** @type {number | null} The cell that was chosen last. */ let chosen = null;
/**
 * @type {{cell: number, ply: number} | null} The cell that was chosen during a request, and the ply at that
 * time.
 */
let chosenNext = null;
let isAsking = false;
/** @type {number | null} The cell of the next move, chosen while the opponent thinks. */ let ahead = null;
/** Whether the phrases to say are shown. */ let isSpeaking = false;
let message = "";
/** @type {Api.PhraseMessage | null} The newest phrase of another player. */ let heardPhrase = null;
let heardAt = 0;
/** The version in which a computer's move is overdue. */ let lateAt = -1;

const board = new Board(at("board"), {
  choose,
  move: point,
  aim: () => state && render(),
  confirms: tapConfirms,
  explores: () => wanted.lines,
}, 300);
const input = new MoveInput(board, { legal: () => state.legal, made: play, changed: showInput }, "bar");
const live = new RoomStream(name, {
  state: receive,
  spectators: count,
  late: tellLate,
  isOffline: setOffline,
});
const past = new Past(name);
const evaluator = new Evaluator((ply) =>
  ask(`/api/rooms/${name}/analyse`, { ply, seconds: SECONDS, tokens: tokens ?? [] })
);
const lines = new LineFinder(
  (cell) => ask(`/api/rooms/${name}/lines/${cell}?ply=${shown().ply}`),
  (cell) => pointed === cell && render(),
);

function mine() {
  if (tokens) return state.players.map((player) => player.place);
  return state.you === null ? [] : [state.you];
}

// Events from the server

/** @param {Api.RoomState} heard */
async function receive(heard) {
  if (state && heard.version < state.version) return;
  const seen = tokens ? await stateForMover(heard, name, tokens) : heard;
  const newState = { ...seen, game: await withBoard(seen.game) };
  if (state && newState.version < state.version) return;
  if (state && (newState.ply !== state.ply || newState.phase !== state.phase)) {
    message = "";
    heardPhrase = null;
    isAsking = isAsking && newState.phase === "playing";
    input.said = [];
    if (!past.position) wanted.hint = false;
  } else if (isDeclined(newState)) {
    message = say(state.offer?.what === "draw" ? "web-draw-declined" : "web-back-declined");
  }
  const before = state;
  state = newState;
  heardAt = performance.now();
  setServerTime(newState.now);
  const { result, game_id: number, game_link: link } = newState;
  if (result && number && link && mine().length) storePlayed(number, keyOfLink(link));
  if (before) notify(before, room());
  if (before) notifyHidden(before, room());
  if (before && before.ply > state.ply || state.phase !== "playing") ahead = null;
  await loadBlocked(state);
  heardPhrase = (tokens ? null : newPhrase(before, state)) ?? heardPhrase;
  await past.follow(state).catch(complain);
  afterPress(render);
  if (ahead !== null && isMyTurn(room())) playAhead();
  if (canEvaluate()) evaluate();
}

/** Return true if an offer or a request of this device was declined. @param {Api.RoomState} newState */
function isDeclined(newState) {
  return state?.offer && !newState.offer && newState.phase === "playing" && !tokens &&
    mine().includes(playerOf(state, state.offer.side).place);
}

/** @param {number} spectators */
function count(spectators) {
  if (!state) return;
  state = { ...state, spectators };
  afterPress(render);
}

/** @param {number} version */
function tellLate(version) {
  lateAt = version;
  afterPress(render);
}

/** @param {boolean} is */
function setOffline(is) {
  if (is === isOffline || !state) return;
  isOffline = is;
  message = "";
  afterPress(render);
  if (is) reloadIfGone();
}

/** Load the page again if the server has no such room any more, so that the page says it. */
async function reloadIfGone() {
  const error = await ask(`/api/rooms/${name}/brief`).catch((refusal) => refusal);
  if (error instanceof ApiError && error.status === 404) location.reload();
}

/** @param {unknown} error */
function complain(error) {
  message = errorSentence(error);
}

// Commands

/** @param {Command} command */
async function send(command) {
  if (isBusy) {
    if (JSON.stringify(command) !== JSON.stringify(pending)) pendingNext = command; // unless pressed twice
    return;
  }
  isBusy = true;
  pending = command;
  message = "";
  const { ply } = state;
  try {
    const place = seatFor(state, command.type);
    await carryOut(command, place);
    if (tokens) await agree(command.type, place);
  } catch (error) {
    if (error instanceof ApiError && error.state) await receive(error.state);
    complain(error);
    render();
  }
  isBusy = false;
  const [next, early] = [pendingNext, chosenNext];
  pendingNext = chosenNext = null;
  if (next !== null) send(next);
  // Unseen moves of others cancel the command.
  else if (early && state.ply <= Math.max(early.ply, ply + 1)) choose(early.cell);
}

/**
 * Send a command. If it is stale, send it again unless another move is due.
 * @param {Command} command
 * @param {number} place
 */
async function carryOut(command, place) {
  const token = tokens?.[place] ?? null;
  const { ply, turn } = state;
  const answer = await commandRoom(name, state.version, command, token).catch((error) => {
    if (!(error instanceof ApiError) || error.code !== "stale" || !error.state) throw error;
    if (command.type === "move" && (error.state.ply !== ply || error.state.turn !== turn)) throw error;
    return commandRoom(name, error.state.version, command, token);
  });
  await receive(answer.state);
}

/**
 * Complete an agreement with one press if all players use this device.
 * @param {string} commandType
 * @param {number} first the seat of the first command
 */
async function agree(commandType, first) {
  for (const { place } of state.players) {
    const type = agreeingCommand(state, commandType, place);
    if (type && place !== first) await carryOut({ type }, place);
  }
}

/**
 * Enter the chosen cell as a move or a part of one. A second click on a cell takes it back.
 * @param {number} index
 */
function choose(index) {
  if (!state || isOffline || at("page").classList.contains("off")) return;
  point(index);
  if (past.position) return;
  if (!state.legal.length && addToLine(board.spaceIfShown?.moveName(index) ?? "")) return;
  if (isBusy && index !== chosen) chosenNext = { cell: index, ply: state.ply };
  if (isBusy) return;
  chosen = index;
  if (input.point(index)) return;
  if (state.phase !== "playing" || !mine().length) return;
  if (mayMoveAhead()) return moveAhead(index);
  const isMine = mine().includes(playerOf(state, state.turn).place);
  const reason = input.said.length ? undefined : forbidden(index);
  if (isMine && reason) return explain(`cell-forbidden-${reason}`, index);
  explain(isMine ? input.whyNot(state.cells, index) : "web-not-your-turn", index);
}

/** Return true if the player may choose the next move while the opponent thinks. Games by days have lines. */
const mayMoveAhead = () =>
  !tokens && state.phase === "playing" && mine().length === 1 && state.players.length > 1 &&
  areSidesSettled(state) && !isMyTurn(room()) && !(state.clock && clockByDays(state.clock));

/** Choose the next move in advance, or cancel it by a second click. @param {number} index */
function moveAhead(index) {
  const drops = state.game.board.drops > 0;
  const space = board.spaceIfShown;
  const free = state.cells.flatMap((mark, cell) => (mark === null ? [cell] : []));
  const column = drops ? free.filter((cell) => space?.columnOf(cell) === space?.columnOf(index)) : [];
  const cell = drops ? column.at(-1) : index;
  if (cell === undefined || state.cells[cell] !== null) return explain("web-taken", index);
  ahead = ahead === cell ? null : cell;
  message = ahead === null ? "" : say("web-ahead", { cell: space?.moveName(cell) ?? "" });
  render();
}

/** Make the move that was chosen in advance, if it is possible. */
function playAhead() {
  const cell = ahead ?? -1;
  ahead = null;
  if (!input.point(cell)) explain("web-ahead-gone", cell);
}

/** @param {string} move */
function play(move) {
  send({ type: "move", move });
}

/** Clear the message and show the entered part of a move. */
function showInput() {
  message = "";
  render();
}

/** Return the reason why a cell is forbidden. @param {number} index */
const forbidden = (index) => annotationData(shown().annotations.cells, "no").get(index);

/** Show why a cell cannot be chosen. @param {string} id @param {number | null} index */
function explain(id, index = null) {
  message = say(id, {
    cell: index === null ? "" : (board.spaceIfShown?.board.names[index] ?? ""),
    said: input.name,
  });
  render();
}

/**
 * Update the lines through the cell with the focus and the reason why it is forbidden.
 * @param {number} index
 */
function point(index) {
  const before = pointed;
  pointed = index;
  const isTold = wanted.lines || [before, index].some((cell) => cell !== null && state && forbidden(cell));
  if (before !== index && isTold) render();
}

/** Show the position at a ply. At the last ply, follow the game again. @param {number} ply */
async function open(ply) {
  message = "";
  input.said = [];
  wanted.hint = false;
  await past.open(state, ply).catch(complain);
  render();
  if (canEvaluate()) evaluate();
}

// Display

/** Return the shown position. */
const shown = () => past.position ?? state;

function room() {
  const isMine = mine().includes(playerOf(state, state.turn).place);
  const looked = past.position && { position: past.position, news: past.news(state, isMine) };
  return {
    state,
    isLocal: tokens !== null,
    isOffline,
    isLate: lateAt === state.version,
    message,
    heard: heardSentence(state, heardPhrase),
    mine: mine(),
    send,
    isAsking,
    isAiming: board.aiming.at !== null,
    past: looked,
    open,
    retry: () => live.open(),
    leave: () => send({ type: "leave" }),
    ask: askToResign,
    speak,
  };
}

function asking() {
  const picking = past.position ? null : input.picking;
  const reason = pointed === null || !shown().turn ? undefined : forbidden(pointed);
  const warning = reason
    ? say(`cell-forbidden-${reason}`, { cell: board.spaceIfShown?.board.names[Number(pointed)] ?? "" })
    : "";
  return {
    wanted,
    toggle,
    aim: board.aiming.asked,
    worth: evaluated(),
    isEvaluating: canEvaluate(),
    through: through(),
    space: board.spaceIfShown,
    picking,
    warning,
    enter,
    refuse,
  };
}

/** @param {boolean} is */
function askToResign(is) {
  isAsking = is;
  render();
  focusKey(is ? "web-resign-no" : "web-resign", at("bar"));
}

/** Show or hide the phrases to say. @param {boolean} is */
function speak(is) {
  isSpeaking = is;
  render();
  focusKey(is ? `phrase-${state.phrases[0]}` : "web-say");
}

function render() {
  if (!state) return;
  const held = document.activeElement;
  const isWaiting = state.phase === "waiting";
  at("page").classList.toggle("wait", isWaiting || state.phase === "closed");
  at("board").classList.toggle("still", past.position !== null);
  writeHeading(at("status"), headingOf(room()));
  markTurn(tokens === null && isMyTurn(room()));
  fillPlayers(room(), at("players"));
  at("board").hidden = isWaiting;
  if (!isWaiting) showBoard();
  at("board").querySelector("[role=grid]")?.setAttribute("aria-readonly", String(past.position !== null));
  const others = fillBar(at("bar"), room(), asking());
  const isChoosing = isSpeaking && state.phrases.length > 0 && !past.position;
  fillPanel(room(), asking(), at("panel"), isChoosing ? phraseButtons(room(), () => speak(false)) : null);
  fillMargin(room(), at("margin"), {
    key: isWaiting ? null : legendSection(board),
    others,
    said: saidSection(room(), render),
    lines: linesSection(room()),
    share: sharing(),
    device: deviceSettings(Boolean(board.spaceIfShown && board.aiming.isUsual)),
  });
  tickClocks();
  restoreFocus(held);
}

/** Return the strip for sharing the game once it has ended. Only the link of a private game needs its key. */
function sharing() {
  const { game_id: number, game_link: link, visibility, result, moves, game } = state;
  if (!result || result.termination === "aborted" || !number || !link) return null;
  const { ply } = shown();
  const key = visibility === "public" ? "" : keyOfLink(link);
  const query = [key && `key=${key}`, ply < moves.length && `ply=${ply}`].filter(Boolean).join("&");
  return shareSection({
    number,
    key,
    ply,
    last: moves.length,
    title: `${endTitle(state, result.winner, result.termination)}: ${game.title}`,
    address: `${sharedOrigin}/g/${number}${query && `?${query}`}`,
  });
}

function showBoard() {
  const { cells, last, lines: won, turn, annotations } = shown();
  const placed = turn && !past.position ? (state.opening?.mark ?? turn) : turn;
  const isAhead = ahead !== null && !past.position;
  const open = new Set(isOffline || past.position ? [] : input.step.cells);
  board.show(state.game, {
    cells,
    last,
    lines: won,
    turn: isAhead ? playerOfSeat() : placed,
    mark: state.mark,
    open,
    annotations,
    said: isAhead ? [ahead ?? -1] : input.cells,
    through: through(),
    ...shownHelp(wanted, evaluated()),
    isOff: isOffline,
    isLive: mine().length > 0 && state.phase === "playing" && !past.position,
  });
}

/** Return the mark of the player at this device. */
const playerOfSeat = () => state.players[state.you ?? 0].side;

/** Return the lines through the cell with the pointer, or null until they are known. */
function through() {
  if (!wanted.lines || pointed === null || !shown().turn) return null;
  return lines.through(line(), pointed);
}

/** @param {Api.RoomState} newState */
async function enter(newState) {
  live.open();
  await receive(newState);
}

/** @param {string} sentence */
async function refuse(sentence) {
  await look().catch(() => undefined);
  message = sentence;
  render();
}

// Values and hints

/** @param {"lines" | "values" | "hint"} key */
function toggle(key) {
  wanted[key] = !wanted[key];
  render();
  if (canEvaluate()) evaluate();
}

const line = () => lineTo(state, shown().ply);

const evaluated = () => evaluator.found.get(line()) ?? null;

function canEvaluate() {
  return (wanted.values || wanted.hint) && shown().turn !== null &&
    (past.position !== null || state.legal.length > 0);
}

async function evaluate() {
  const key = line();
  try {
    await evaluator.evaluate(key, shown().ply, () => canEvaluate() && key === line());
  } catch (error) {
    wanted.values = wanted.hint = false;
    complain(error);
  }
  afterPress(render);
}

// Time

function tickClocks() {
  if (!state) return;
  const own = state.players.filter(({ place }) => mine().includes(place)).map(({ side }) => side);
  tick(state.clock, heardAt, isOffline, own);
}

/** Return the token in the link of a seat, and remove it from the address; null if there is none. */
function tokenOfLink() {
  const token = /^#seat=([\w-]{20,128})$/.exec(location.hash)?.[1] ?? null;
  if (token) history.replaceState(history.state, "", location.pathname + location.search);
  return token;
}

const look = async () => receive(await ask(`/api/rooms/${name}`));

async function load() {
  await begin();
  followSearch(name, () => Boolean(state) && isPractice(state));
  followTournament();
  tokens = tokensOf(name);
  const token = tokenOfLink();
  try {
    if (token) await takeSeat(name, token);
    await loadOwnName();
    await look();
  } catch (error) {
    return missing(error);
  }
  if (mine().length) storeSeat({ room: name, game: state.game.name });
  live.open();
  let isFirst = true;
  onLanguage(() => {
    if (!isFirst) {
      evaluator.forget();
      live.open();
      look().catch(render);
    }
    isFirst = false;
  });
  listenForFirst();
  listenForEscape(() => {
    if (ahead !== null) {
      ahead = null;
      showInput();
    } else if (board.aiming.at === null) input.takeBack();
    else board.aiming.aim(null);
  });
  listenForSteps((step) => state.moves.length && open(plyAfter(step, shown().ply, state.moves.length)));
  setInterval(tickClocks, 100);
  const isCounting = () =>
    state?.phase === "playing" && (state.claim_at ?? state.first_move_at) && !clockByDays(state.clock ?? {});
  setInterval(() => isCounting() && afterPress(render), 1000);
}

load();
