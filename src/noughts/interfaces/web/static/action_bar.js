// The action bar under a board: at most five actions, and all questions to the reader.

import { copy, keyOfLink, pathOfGame, sharedOrigin, withLanguage } from "./api.js";
import { glyph } from "./board_drawing.js";
import { fill, h, icon } from "./dom.js";
import { say } from "./i18n.js";
import {
  analysisOf,
  areSidesSettled,
  button,
  canRematch,
  isDue,
  playerOf,
  question,
} from "./status_texts.js";

/**
 * @typedef {import("./status_texts.js").Room} Room
 * @typedef {import("./panel.js").Asking} Asking
 * @typedef {import("./move_input.js").Picking} Picking
 */
/**
 * @typedef {{cell: string, isOpen: boolean, play: () => void, cancel: () => void, nudge: (key: string) =>
 * void}} Aim a move to confirm: its cell, and whether it can be played there
 */

const MAX_ACTIONS = 5;
const ICONS = {
  left: "M19 12A7 7 0 1 0 12 19M8.5 15.5L12 19L8.5 22.5",
  right: "M5 12A7 7 0 1 1 12 19M15.5 15.5L12 19L15.5 22.5",
  back: "M9 6L4 11L9 16M4 11H14C18 11 20 13 20 16V18",
  draw: "M5 9H19M5 15H19",
  resign: "M7 21V4M7 5H19L16 9L19 13H7",
  lines: "M5 19L19 5M4 12H20M12 4V20",
  hint:
    "M9 17H15M10 20.5H14M9 17C9 14.5 6 13 6 9.5C6 6 8.7 3.5 12 3.5C15.3 3.5 18 6 18 9.5C18 13 15 14.5 15 17",
  values: "M5 20V13M12 20V4M19 20V9M3 20H21",
  rematch: "M19 12A7 7 0 1 1 16.5 6.6M17 3V7H13",
  review: "M10.5 17A6.5 6.5 0 1 0 10.5 4A6.5 6.5 0 0 0 10.5 17M15.5 15.5L20.5 20.5",
  copy: "M12 15V4M8 8L12 4L16 8M6 11H5V20H19V11H18",
  picture: "M4 5H20V19H4ZM4 16L9 11L13 15L16 12L20 16",
  record: "M6 3H15L19 7V21H6ZM9 11H16M9 15H16",
  explore: "M6 4V20M6 12H11C15 12 18 10 18 5M15 7L18 4L21 7",
  delete: "M5 7H19M9 7V4H15V7M7 7L8 20H16L17 7",
  promote: "M12 20V5M6 11L12 5L18 11",
  next: "M9 5L16 12L9 19",
  say: "M4 5H20V16H11L7 20V16H4Z",
  live: "M5 12H19M13 6L19 12L13 18",
};
/** @type {[string, string, string][]} */ const NUDGES = [
  ["ArrowLeft", "web-aim-left", "M15 5L8 12L15 19"],
  ["ArrowUp", "web-aim-up", "M5 15L12 8L19 15"],
  ["ArrowDown", "web-aim-down", "M5 9L12 16L19 9"],
  ["ArrowRight", "web-aim-right", "M9 5L16 12L9 19"],
];
/** The texts on the buttons of an opening. */
const ANSWERS = { swap: "web-swap", put: "web-put" };

/**
 * Fill the bar, and return the actions that do not fit.
 * @param {HTMLElement} bar
 * @param {Room} room
 * @param {Asking} asking
 * @returns {HTMLElement[]}
 */
export function fillBar(bar, room, asking) {
  const question = questionOf(room, asking);
  const actions = question ? [] : actionsOf(room, asking);
  bar.classList.toggle("ask", Boolean(question));
  bar.classList.toggle("aiming", Boolean(asking.aim) && !room.isAsking);
  bar.hidden = !question && !actions.length;
  bar.setAttribute("aria-label", question?.label ?? say("web-bar"));
  fill(bar, ...(question?.parts ?? actions.slice(0, MAX_ACTIONS)));
  return actions.slice(MAX_ACTIONS);
}

/** @type {Record<string, string>} The names of the turns of a board's quarters. */
const TURNS = {
  "1l": "turn-1l",
  "1r": "turn-1r",
  "2l": "turn-2l",
  "2r": "turn-2r",
  "3l": "turn-3l",
  "3r": "turn-3r",
  "4l": "turn-4l",
  "4r": "turn-4r",
};

/**
 * Create an action button.
 * @param {string} key
 * @param {string} id
 * @param {keyof typeof ICONS} picture
 * @param {() => void} act
 * @param {{isOn?: boolean, kind?: string}} more
 */
export function action(key, id, picture, act, { isOn, kind = "" } = {}) {
  const pressed = isOn === undefined ? null : String(isOn);
  return h(
    "button",
    {
      type: "button",
      class: `act ${kind}`.trim(),
      "data-key": key,
      title: say(key),
      "aria-pressed": pressed,
      click: act,
    },
    icon(ICONS[picture]),
    h("span", {}, say(id)),
  );
}

/**
 * Create an action that is a link to a page or a file.
 * @param {string} key
 * @param {string} id
 * @param {keyof typeof ICONS} picture
 * @param {string} href
 * @param {boolean} isFile
 */
export function link(key, id, picture, href, isFile = false) {
  return h(
    "a",
    { class: "button act", href, "data-key": key, download: isFile },
    icon(ICONS[picture]),
    h("span", {}, say(id)),
  );
}

/** Create an action that copies a link and confirms that on the button. @param {string} address */
export function copyAction(address) {
  const copied = action("web-copy-link", "web-bar-copy", "copy", async () => {
    await copy(address);
    copied.lastChild?.replaceWith(h("span", { role: "status" }, say("web-copied")));
  });
  return copied;
}

/**
 * Return the present question with its answers, or null.
 * @param {Room} room
 * @param {Asking} asking
 * @returns {{label: string, parts: HTMLElement[]} | null}
 */
function questionOf(room, asking) {
  const { state, past, mine, send, isOffline } = room;
  if (isOffline) {
    return {
      label: say("web-bar"),
      parts: [button("web-try-now", room.retry, "primary")],
    };
  }
  if (room.isAsking) return resigning(room);
  if (asking.aim) return { label: say("web-aim"), parts: aiming(asking.aim) };
  if (!past && asking.picking?.isBegun) return picking(asking.picking);
  const text = question(room);
  if (text) {
    // Only one button is filled: a reader who looks back needs the way to the game.
    const kind = past ? "" : "primary";
    return {
      label: text,
      parts: [
        h("p", {}, text),
        button("web-accept", () => send({ type: "accept" }), kind),
        button("web-decline", () => send({ type: "decline" })),
      ],
    };
  }
  if (!past && isDue(room)) {
    return {
      label: say("web-may-claim"),
      parts: [
        h("p", {}, say("web-may-claim")),
        button("web-claim", () => send({ type: "claim" }), "primary"),
      ],
    };
  }
  if (!past && state.phase === "choosing" && mine.includes(state.chooser ?? -1)) {
    return {
      label: say("which-mark"),
      parts: markButtons(state.game.sides, "mark", (mark) => send({ type: "choose", mark })),
    };
  }
  return null;
}

/** @param {Room} room */
function resigning({ send, ask }) {
  const sure = () => {
    ask(false);
    send({ type: "resign" });
  };
  const question = say("web-resign-sure");
  return {
    label: question,
    parts: [
      h("p", {}, question),
      button("web-resign-yes", sure),
      button("web-resign-no", () => ask(false)),
    ],
  };
}

/**
 * Ask to confirm the move that is aimed at, and return true if there is one.
 * @param {HTMLElement} bar
 * @param {Aim | null} aim
 */
export function confirmAim(bar, aim) {
  for (const kind of ["ask", "aiming"]) bar.classList.toggle(kind, aim !== null);
  if (aim) fill(bar, ...aiming(aim));
  return aim !== null;
}

/** @param {Aim} aim */
function aiming({ cell, isOpen, play, cancel, nudge }) {
  const square = (/** @type {string} */ id, /** @type {string} */ d, /** @type {() => void} */ act) =>
    h(
      "button",
      { type: "button", class: "square-button", "data-key": id, "aria-label": say(id), click: act },
      icon(d),
    );
  const nudges = NUDGES.map(([key, id, d]) => square(id, d, () => nudge(key)));
  const go = h("button", {
    type: "button",
    class: "primary",
    "data-key": "web-aim-play",
    disabled: !isOpen,
    click: play,
  }, say("web-aim-play", { cell }));
  return [
    square("web-aim-cancel", "M6 6L18 18M18 6L6 18", cancel),
    h("span", { class: "nudge" }, ...nudges),
    go,
  ];
}

/** Return the question about the next part of a move: a choice or another cell. @param {Picking} picking */
export function picking(picking) {
  const { choices, areMarks, said, stop } = picking;
  const label = choices.length
    ? (areMarks ? say("which-mark") : say("choose-next", { said }))
    : say("point-next", { said });
  return {
    label,
    parts: [
      h("p", { role: "status" }, label),
      ...choiceButtons(picking),
      button("web-cancel", stop),
    ],
  };
}

/**
 * Create a button for each choice.
 * @param {Pick<Picking, "choices" | "areMarks" | "choose">} picking
 * @param {string} kind
 */
export function choiceButtons({ choices, areMarks, choose }, kind = "") {
  if (areMarks) return markButtons(choices, "pick", choose);
  return choices.map((choice) => {
    if (choice === "pass") return button("web-pass", () => choose(choice), kind);
    if (choice in TURNS) return turnButton(choice, () => choose(choice));
    return button(`pick-${choice}`, () => choose(choice), kind, choice);
  });
}

/**
 * Create a button with a picture of the quarter of the board and its direction.
 * @param {string} choice
 * @param {() => void} act
 */
function turnButton(choice, act) {
  const [across, down] = [choice[0] === "2" || choice[0] === "4" ? 12 : 4, choice[0] > "2" ? 12 : 4];
  const hatched = `M${across} ${down + 4}l4-4M${across} ${down + 8}l8-8M${across + 4} ${down + 8}l4-4`;
  return h(
    "button",
    {
      type: "button",
      class: "act turn",
      "data-key": `pick-${choice}`,
      "aria-label": say(TURNS[choice]),
      title: say(TURNS[choice]),
      click: act,
    },
    h(
      "span",
      {},
      icon(`M4 4h16v16H4ZM12 4v16M4 12h16${hatched}`),
      icon(ICONS[choice[1] === "l" ? "left" : "right"]),
    ),
    h("span", {}, choice),
  );
}

/**
 * Create a button for each mark.
 * @param {string[]} marks
 * @param {string} key
 * @param {(mark: string) => void} choose
 */
function markButtons(marks, key, choose) {
  return marks.map((mark) =>
    h("button", {
      type: "button",
      "data-key": `${key}-${mark}`,
      "aria-label": mark,
      click: () => choose(mark),
    }, glyph(mark))
  );
}

/**
 * Return the present actions, the most important first.
 * @param {Room} room
 * @param {Asking} asking
 * @returns {HTMLElement[]}
 */
function actionsOf(room, asking) {
  const { state, past, mine, open } = room;
  if (state.phase === "waiting" || state.phase === "closed") return [];
  if (past) {
    return [
      action("web-past-live", "web-bar-live", "live", () => open(state.moves.length), { kind: "primary" }),
      ...helps(room, asking),
    ];
  }
  if (state.result) return afterwards(room);
  if (state.phase !== "playing") return [];
  const first = mine.length ? answersOf(room, asking) : [];
  return [...first, ...commands(room, helps(room, asking))];
}

/**
 * Return the answers to an opening, and the choices without a cell.
 * @param {Room} room
 * @param {Asking} asking
 */
function answersOf({ state, mine, send }, { picking }) {
  if (!picking) return [];
  const { turn, opening } = state;
  const answers = opening && turn && mine.includes(opening.place ?? -1) ? opening.answers : [];
  const buttons = answers.map((type) => button(ANSWERS[type], () => send({ type }), "primary"));
  return [...buttons, ...choiceButtons(picking, "primary")];
}

/**
 * Return the help about the position. Hints and values need the end of the game, or no other player.
 * @param {Room} room
 * @param {Asking} asking
 */
function helps({ state, past, mine }, { wanted, toggle }) {
  const isAlone = state.players.every((player) => player.kind !== "human" || mine.includes(player.place));
  const isRunning = state.unaided && !state.result;
  const canAsk = !isRunning && (past ? isAlone || state.result : isAlone && state.legal.length);
  const turn = (past?.position ?? state).turn;
  const lines = turn && state.game.has_lines
    ? [action("web-lines", "web-bar-lines", "lines", () => toggle("lines"), { isOn: wanted.lines })]
    : [];
  if (!canAsk) return lines;
  const isSettled = past || areSidesSettled(state);
  // The opponent would take the better side.
  const hint = isSettled
    ? [action("web-hint", "web-hint", "hint", () => toggle("hint"), { isOn: wanted.hint })]
    : [];
  return [
    ...hint,
    action("web-values", "web-bar-values", "values", () => toggle("values"), { isOn: wanted.values }),
    ...lines,
  ];
}

/** Return the action that shows the phrases to say, if there are any. @param {Room} room */
function speaking({ state, isLocal, speak }) {
  if (isLocal || !state.phrases.length) return [];
  return [action("web-say", "web-bar-say", "say", () => speak(true))];
}

/** Return the commands of a player besides moves. @param {Room} room @param {HTMLElement[]} helps */
function commands(room, helps) {
  const { state, mine, isLocal, send, ask } = room;
  if (!mine.length) return helps;
  const others = state.players.some((player) => !mine.includes(player.place) && player.kind === "human");
  const canTakeBack = !state.unaided &&
    state.moves.some((move) => mine.includes(playerOf(state, move.side).place)) &&
    !state.offer;
  const back = canTakeBack
    ? [
      action(others ? "web-take-back-ask" : "web-take-back", "web-bar-back", "back", () =>
        send({ type: "take-back" })),
    ]
    : [];
  const draw = state.players.length > 1 && !state.offer && (others || isLocal)
    ? [action("web-offer-draw", "web-bar-draw", "draw", () => send({ type: "offer-draw" }))]
    : [];
  const resign = action("web-resign", "web-resign", "resign", () => ask(true));
  if (state.may_abort && !isLocal) {
    return [
      action("web-abort", "web-bar-abort", "delete", () => send({ type: "abort" })),
      ...draw,
      resign,
      ...speaking(room),
    ];
  }
  return draw.length
    ? [...back, ...draw, resign, ...speaking(room), ...helps]
    : [...back, ...helps, resign, ...speaking(room)];
}

/** Return the actions after the end of a game. @param {Room} room */
function afterwards(room) {
  const { state, send } = room;
  const again = canRematch(room)
    ? [action("web-rematch", "web-rematch", "rematch", () => send({ type: "rematch" }), { kind: "primary" })]
    : [];
  const first = [...again, ...speaking(room)];
  const { game_id: number, game_link: address } = state;
  if (!number || !address) return first;
  const file = (/** @type {string} */ what) => pathOfGame(number, keyOfLink(address), what);
  const files = [
    link("web-save-picture", "web-bar-picture", "picture", withLanguage(file("picture")), true),
    link("web-save-record", "web-bar-record", "record", file("record"), true),
  ];
  const explore = link(
    "web-explore",
    "web-analysis",
    "explore",
    analysisOf(state.game, state.start, state.moves),
  );
  return [
    ...first,
    link("web-replay", "web-review", "review", `${address}&review`),
    explore,
    copyAction(sharedOrigin + address),
    ...files,
  ];
}
