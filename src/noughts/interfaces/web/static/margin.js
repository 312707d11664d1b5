// The margin of a game: players with their clocks and scores, and the moves.

import { glyph } from "./board_drawing.js";
import { h, picture, s } from "./dom.js";
import { language, say } from "./i18n.js";
import { PEN } from "./pen.js";
import { plyLink } from "./ply_steps.js";

const MAX_STROKES = 15;

/** Create tally marks for a number. @param {number} count */
export function tally(count) {
  if (!count || count > MAX_STROKES) return null;
  const strokes = language().startsWith("zh") ? PEN.zheng : PEN.five;
  const fives = Array.from(
    { length: Math.ceil(count / 5) },
    (_, five) =>
      s("path", { d: strokes.slice(0, count - 5 * five).join(""), transform: `translate(${120 * five})` }),
  );
  const width = 120 * fives.length;
  const size = { width: width * 0.26, height: 26 };
  return picture({ class: "tally", viewBox: `0 0 ${width} 100`, ...size }, ...fives);
}

function underline() {
  const box = { viewBox: "0 0 100 8", preserveAspectRatio: "none" };
  return picture({ class: "underline", ...box }, s("path", { d: PEN.underline }));
}

/**
 * Create the rating of a player of a rated game.
 * @param {Rated} player
 */
function ratingOf({ rating, deviation, is_provisional: isProvisional }) {
  if (rating === null || rating === undefined) return null;
  const spoken = say("web-rating", { rating, deviation: deviation ?? 0 });
  return h(
    "small",
    { class: "rating", role: "img", "aria-label": spoken, title: spoken },
    ` ${rating}${isProvisional ? "?" : ""}`,
  );
}

/**
 * Create the change of a rating by the game. It stands beside the presence, so that no line is added.
 * @param {Rated} player
 */
function changeOf({ rating_change: change }) {
  if (change === null || change === undefined) return null;
  return h("b", { class: "change" }, ` ${change > 0 ? "+" : ""}${change}`.replace("-", "\u2212"));
}

const LONG = 12; // letters of a name that may need two lines on a phone

/**
 * @typedef {{rating?: number | null, deviation?: number | null, is_provisional?: boolean, rating_change?:
 * number | null}} Rated
 */
/**
 * Create the list item of a player.
 * @param {{name: string | null, side: string | null, kind?: string | null, you?: boolean, identity?: number | null} &
 * Rated} player
 * @param {{isToMove?: boolean, presence?: string, isAway?: boolean, score?: number, left?: string, lead?:
 * string, isByDays?: boolean}} facts
 */
export function playerItem(
  player,
  { isToMove = false, presence = "", isAway = false, score, left, lead, isByDays = false },
) {
  const isComputer = (player.kind ?? "human") !== "human";
  // The number of a level stays visible.
  const called = (isComputer ? player.name?.replace(/ (?=\d)/g, "\u00a0") : player.name) ??
    say("web-empty-seat");
  const linked = player.identity
    ? h("a", { href: `/person/${player.identity}`, "data-key": `person-${player.identity}` }, called)
    : null;
  const name = h(
    "span",
    { class: "name-text" },
    h(
      "span",
      { class: isComputer || called.length > LONG ? "called long" : "called", dir: "auto" },
      linked ?? called,
    ),
    ratingOf(player),
    player.you && h("em", {}, " ", say("seat-you")),
    isToMove && underline(),
  );
  const seat = s("circle", { class: "seat", cx: 50, cy: 50, r: 33 });
  const mark = player.side ? glyph(player.side) : picture({ class: "glyph" }, seat);
  const here = presence &&
    h(
      "span",
      { class: isAway ? "presence away" : "presence" },
      h("i", { "aria-hidden": "true" }),
      presence,
      changeOf(player),
    );
  const won = score === undefined
    ? null
    : h("b", { class: "num", role: "img", "aria-label": say("web-games-won", { count: score }) }, score);
  // A second number beside the count of marks would be confusing, so only tally marks show the series.
  const right = h(
    "span",
    { class: isByDays ? "right by-days" : "right" },
    score === undefined ? null : tally(score),
    lead === undefined ? won : null,
    lead === undefined ? null : h(
      "b",
      { class: "count", role: "img", "aria-label": say("web-marks", { count: Number(lead) }) },
      lead,
    ),
    left === undefined ? null : h("b", { class: "clock", "data-clock": player.side ?? "" }, left),
  );
  return h(
    "li",
    { class: isToMove ? "player turn" : "player" },
    mark,
    h("span", { class: "player-name" }, name, here),
    right,
  );
}

/** @param {HTMLElement[]} items */
export function playersSection(items) {
  return h(
    "section",
    {},
    h("h2", { class: "visually-hidden" }, say("column-players")),
    h("ul", { class: "players" }, ...items),
  );
}

/** Return the name of a move. @param {{name: string}} move */
export const nameOfMove = ({ name }) => (name === "pass" ? say("web-pass") : name);

/**
 * Return the name of a move in a sentence, in which a column is called one.
 * @param {{board: {drops: number}}} game
 * @param {{name: string}} move
 */
export function moveInSentence(game, move) {
  const isColumn = game.board.drops && move.name !== "pass";
  return isColumn ? say("web-told-column", { column: move.name }) : nameOfMove(move);
}

/**
 * Create the list of moves.
 * @param {{side: string, ply: number, name: string}[]} moves
 * @param {{current: number, open: (ply: number) => void, flags?: Map<number, string>}} how
 */
export function movesSection(moves, { current, open, flags }) {
  const items = moves.map((move) => {
    const parts = [
      h("span", { class: "n" }, move.ply),
      glyph(move.side),
      h("span", { class: "t" }, nameOfMove(move)),
      flags?.has(move.ply) &&
      h("span", {
        class: "flag",
        "aria-label": say(flags.get(move.ply) === "?" ? "web-mistake" : "web-missed"),
        role: "img",
      }, flags.get(move.ply)),
    ];
    return h(
      "li",
      {},
      plyLink(move.ply, open, {
        "aria-current": move.ply === current && "step",
        "data-key": `ply-${move.ply}`,
      }, ...parts),
    );
  });
  const list = h("ol", { "aria-label": say("web-moves") }, ...items);
  requestAnimationFrame(() => {
    const now = list.querySelector("[aria-current]");
    if (now instanceof HTMLElement) list.scrollTop = now.offsetTop - list.offsetTop - list.clientHeight / 2;
  });
  return h(
    "section",
    { class: "moves" },
    h("h2", {}, say("web-moves")),
    moves.length ? list : h("p", { class: "fact" }, say("web-no-moves")),
  );
}
