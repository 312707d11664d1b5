// The review of a finished game: the chart, the turning points, and the better lines.

import { readEvents } from "./api.js";
import { glyph } from "./board_drawing.js";
import { h, s } from "./dom.js";
import { say } from "./i18n.js";

/** @typedef {{side: string, ply: number, name: string}} Move */

const [LEFT, TOP, HIGH, LETTER] = [104, 14, 24, 14];
const [NARROWEST, WIDEST, BESIDES] = [352, 880, 22]; // pixels of a chart, and of the space beside it
const EVERY = [1, 2, 5, 10, 20, 50, 100, 200, 500]; // distances between the move numbers
const ROOM = 44; // pixels of a move number

export class Review {
  /** @type {AbortController | null} */ stop = null;
  /** @type {Map<number, Api.ReviewedMoveMessage>} */ moves = new Map();
  /** @type {(number | null)[]} */ values = [];
  /** @type {Set<number>} */ guessed = new Set();
  /** @type {Record<string, number | null>} */ accuracy = {};
  /** @type {string[]} */ remarks = [];
  /** @type {number | null} The number of positions still to judge; null before the request. */ waiting =
    null;
  failure = "";

  /**
   * @param {string} game its path in the API
   * @param {() => void} changed called after each part of the review
   */
  constructor(game, changed) {
    this.game = game;
    this.changed = changed;
  }

  /** Clear the review, since its sentences are in one language. */
  forget() {
    this.stop?.abort();
    this.stop = null;
    this.moves = new Map();
    this.values = [];
    this.guessed = new Set();
    this.accuracy = {};
    this.remarks = [];
    this.waiting = null;
    this.failure = "";
  }

  get isGoingOn() {
    return this.stop !== null;
  }

  get isDone() {
    return this.waiting === 0;
  }

  /** Request the whole review. Throws ApiError or TypeError. */
  async begin() {
    if (this.isGoingOn || this.isDone) return;
    this.forget();
    const stop = (this.stop = new AbortController());
    try {
      await readEvents(this.game, (event, data) => this.take(event, data), stop.signal);
    } finally {
      if (this.stop === stop) this.stop = null;
    }
  }

  /** @param {string} event @param {string} data */
  take(event, data) {
    if (event === "failed") this.failure = JSON.parse(data);
    else {
      /** @type {Api.ReviewMessage} */ const part = JSON.parse(data);
      for (const move of part.moves) this.moves.set(move.ply, move);
      this.values = part.values ?? [];
      this.guessed = new Set(part.guessed);
      this.accuracy = part.accuracy;
      this.remarks = part.remarks;
      this.waiting = part.waiting;
    }
    this.changed();
  }

  /** The turning points in order: mistakes and missed quicker wins. */
  get points() {
    return [...this.moves.values()].filter((move) => move.changed || move.missed).sort((one, two) =>
      one.ply - two.ply
    );
  }

  /** The last turning point, or null if there is none. */
  get deciding() {
    return this.points.filter((move) => move.changed).at(-1) ?? this.points.at(-1) ?? null;
  }

  /** The signs beside moves. */
  get signs() {
    return new Map(this.points.map((move) => [move.ply, move.changed ? "?" : "?!"]));
  }
}

/**
 * Create the chart: three levels and the values as a line, in pencil for estimates, with rings at turning
 * points. It is shown empty before the first values, so that the page does not move.
 * @param {Review} review
 * @param {string[]} sides
 * @param {number} plies the number of moves of the game
 * @param {number} ply the shown ply
 * @param {number} room the available width
 */
export function chartOf(review, sides, plies, ply, room) {
  const { guessed, isGoingOn } = review;
  const values = review.values.length ? review.values : Array(plies + 1).fill(null);
  if (values.filter((value) => value !== null).length < 2 && !(isGoingOn && plies && sides.length === 2)) {
    return null;
  }
  const wide = Math.max(NARROWEST, Math.min(WIDEST, room - BESIDES));
  const [last, end] = [values.length - 1, wide - 12];
  const x = (/** @type {number} */ at) => LEFT + (at / last) * (end - LEFT);
  const y = (/** @type {number} */ at) => TOP + (1 - (values[at] ?? 0)) * HIGH;
  const named = [
    say("web-chart-wins", { side: sides[0] }),
    say("web-chart-draw"),
    say("web-chart-wins", { side: sides[1] }),
  ];
  const labels = named.map((text, row) =>
    s("text", {
      class: "axis",
      x: LEFT - 8,
      y: TOP + 4 + row * HIGH,
      "text-anchor": "end",
      "font-size": LETTER,
    }, text)
  );
  const every = EVERY.find((some) => x(some) - LEFT >= ROOM) ?? last;
  const numbers = [...Array(last + 1).keys()].filter((at) =>
    at === ply || (at && at % every === 0 && Math.abs(x(at) - x(ply)) >= ROOM / 2)
  );
  const below = numbers.map((at) =>
    s("text", {
      class: at === ply ? "axis current" : "axis",
      x: x(at),
      y: 88,
      "text-anchor": "middle",
      "font-size": LETTER,
    }, at)
  );
  const rules = s("path", {
    class: "thin",
    d: named.map((_, row) => `M${LEFT} ${TOP + row * HIGH}H${end}`).join(""),
  });
  /** @type {Record<"through" | "guess", string>} */ const drawn = { through: "", guess: "" };
  for (let at = 1; at < values.length; at++) {
    if (values[at - 1] === null || values[at] === null) continue;
    drawn[guessed.has(at - 1) || guessed.has(at) ? "guess" : "through"] += `M${x(at - 1)} ${y(at - 1)}L${
      x(at)
    } ${y(at)}`;
  }
  const waiting = review.waiting ?? last;
  const unknown = waiting ? s("path", { class: "guess", d: `M${LEFT} ${TOP + HIGH}H${x(waiting)}` }) : null;
  const turns = review.points.filter(({ changed, ply: at }) => changed && values[at] !== null);
  const rings = turns.map(({ ply: at }) =>
    s("circle", { class: "turning-point", cx: x(at), cy: y(at), r: 6 })
  );
  const now = s("path", { class: "current-line", d: `M${x(ply)} 4V72` });
  const lines = [
    s("path", { class: "guess", d: drawn.guess }),
    s("path", { class: "through", d: drawn.through }),
  ];
  return h(
    "figure",
    { class: "chartbox" },
    s(
      "svg",
      {
        class: "chart",
        viewBox: `0 0 ${wide} 94`,
        width: wide,
        height: 94,
        role: "img",
        "aria-label": say("web-chart"),
      },
      rules,
      ...labels,
      ...below,
      now,
      unknown,
      ...lines,
      ...rings,
    ),
  );
}

/**
 * Create the better line with a link for each move.
 * @param {Api.ReviewLineMove[]} line
 * @param {string} key
 * @param {number} step
 * @param {(step: number) => void} open
 */
export function lineOf(line, key, step, open) {
  const steps = line.map((move, index) =>
    h(
      "button",
      {
        type: "button",
        "data-key": `${key}-${index + 1}`,
        "aria-pressed": String(index + 1 === step),
        click: () => open(index + 1),
      },
      glyph(move.side),
      move.name,
    )
  );
  return h("div", {
    class: "line",
    role: "group",
    "aria-label": say("web-better-move", { move: line[0].name }),
  }, ...steps);
}

/**
 * Create the list of turning points. The shown one has its consequences and the better line.
 * @param {Review} review
 * @param {Move[]} moves
 * @param {{tell: (move: {name: string}) => string, point: number | null, step: number, open: (ply: number,
 * step: number) => void}} shown
 */
export function pointsSection(review, moves, { tell, point, step, open }) {
  const items = review.points.map(({ ply, line, changed, leads_to, better_leads_to }) => {
    const { side } = moves[ply - 1];
    const [name, better] = [tell(moves[ply - 1]), tell(line[0])];
    const head = h(
      "button",
      {
        type: "button",
        class: "point",
        "data-key": `turn-${ply}`,
        "aria-expanded": String(ply === point),
        click: () => open(ply, 0),
      },
      glyph(side),
      h("b", {}, say("web-point", { number: ply, move: name, better })),
      h(
        "span",
        { class: "flag", role: "img", "aria-label": say(changed ? "web-mistake" : "web-missed") },
        changed ? "?" : "?!",
      ),
    );
    if (ply !== point) return h("li", {}, head);
    const facts = [["web-played-move", name, leads_to ?? ""], [
      "web-better-move",
      better,
      better_leads_to ?? "",
    ]];
    const details = h(
      "dl",
      {},
      ...facts.flatMap(([id, move, leads]) => [h("dt", {}, say(id, { move })), h("dd", {}, leads)]),
    );
    return h("li", { class: "open" }, head, details, lineOf(line, "line", step, (along) => open(ply, along)));
  });
  return items.length
    ? h("section", { class: "points" }, h("h2", {}, say("web-turning-points")), h("ol", {}, ...items))
    : null;
}

/**
 * Create the section with the accuracy of each side and the note about proved values.
 * @param {Review} review
 * @param {{side: string, name: string}[]} players
 */
export function accuracySection(review, players) {
  const known = players.filter(({ side }) => typeof review.accuracy[side] === "number");
  const rows = known.map(({ side, name }) =>
    h(
      "li",
      {},
      glyph(side),
      h("span", { class: "name" }, name),
      h("b", {}, `${Math.round(100 * Number(review.accuracy[side]))} %`),
    )
  );
  const about = h("p", { class: "fact" }, say("web-accuracy-about"));
  return rows.length
    ? h("section", { class: "accuracy" }, h("h2", {}, say("web-accuracy")), h("ul", {}, ...rows), about)
    : null;
}
