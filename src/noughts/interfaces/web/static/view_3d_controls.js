// The 3D view: its switch, its angle and the input that turns it.

import { h, icon } from "./dom.js";
import { readStored, say, writeStored } from "./i18n.js";
import { CELL } from "./board_geometry.js";
import { held, MAX_CELLS, View3D } from "./view_3d.js";

/** @typedef {import("./board_geometry.js").Game} Game */
/** @typedef {import("./view_3d.js").Angle} Angle */

const STORAGE_KEY = "noughts-in-space";
const STEP = 15;
const SLIP = 6; // pixels that a pointer may move during a click
const PER_PIXEL = 0.5;
const [LARGEST, SMALLEST] = [88, 36]; // pixels between cells
const WAYS = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] };
/** @type {Record<string, Way>} */
const KEYS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };
/** @typedef {keyof typeof WAYS} Way */
/** @type {[Way, string, string][]} */ const BUTTONS = [
  ["left", "web-turn-left", "M21 11C18 17 9 17 4 11M4 17V11H10"],
  ["right", "web-turn-right", "M3 11C6 17 15 17 20 11M20 17V11H14"],
  ["up", "web-turn-up", "M10 21C16 18 16 9 10 4M16 4H10V10"],
  ["down", "web-turn-down", "M10 3C16 6 16 15 10 20M16 20H10V14"],
];

export class Turning {
  /**
   * @param {{toggled: () => void, turned: (isSettled: boolean) => void}} on called after a change of the
   * view or the angle
   */
  constructor(on) {
    this.on = on;
    this.isWanted = readStored(STORAGE_KEY) === "yes";
    /** @type {Angle} */ this.angle = { yaw: 332, pitch: 20 };
    this.isDragged = false;
    this.toggle = h("button", { type: "button", "data-key": "in-space", click: () => this.change() });
    this.arrows = BUTTONS.map(([way, id, d]) =>
      h("button", { type: "button", "data-key": id, click: () => this.step(way) }, icon(d))
    );
    this.ways = h("span", { class: "row" }, ...this.arrows);
    this.about = h("small");
    this.bar = h("div", { class: "views", role: "group" }, this.toggle, this.ways, this.about);
  }

  /** Return true if a board has a 3D view. @param {Game} game */
  static isFor(game) {
    return game.layout.planes > 1 && game.layout.planes * game.layout.rows * game.layout.columns <= MAX_CELLS;
  }

  /** Return true if a board is shown in the 3D view. @param {Game} game */
  shows(game) {
    return this.isWanted && Turning.isFor(game);
  }

  /**
   * Return the number of cubes in a row, and the squares of paper of a cell.
   * @param {Game} game
   * @param {number} room the available width in pixels
   * @param {number} high the available height in pixels
   * @param {number} square
   */
  sizeOf(game, room, high, square) {
    const widths = [game.shape.at(-4) ?? 1, 1].map((across) => ({
      across,
      pixels: (CELL * room) / new View3D(game, across, this.angle).width,
    }));
    const { across, pixels } = widths.find((row) => row.pixels >= SMALLEST) ?? widths[1];
    const fitting = (CELL * high) / new View3D(game, across, this.angle).height;
    return {
      only: null,
      view: 0,
      across,
      squares: Math.min(pixels, LARGEST, Math.max(SMALLEST + 8, fitting)) / square,
    };
  }

  /** Show the buttons below a board. @param {Game} game */
  show(game) {
    this.bar.hidden = !Turning.isFor(game);
    if (this.bar.hidden) return;
    this.bar.setAttribute("aria-label", say("web-view"));
    this.toggle.textContent = say("web-in-space");
    this.toggle.setAttribute("aria-pressed", String(this.isWanted));
    this.about.textContent = say("web-turn-about");
    for (const part of [this.ways, this.about]) part.hidden = !this.isWanted;
    for (const button of this.arrows) {
      button.setAttribute("aria-label", say(button.getAttribute("data-key") ?? ""));
    }
  }

  /** Switch between the views. */
  change() {
    this.isWanted = !this.isWanted;
    writeStored(STORAGE_KEY, this.isWanted ? "yes" : "no");
    this.on.toggled();
  }

  /** Turn by one step. @param {Way} way */
  step(way) {
    const [side, above] = WAYS[way];
    this.turn(side * STEP, above * STEP, true);
  }

  /** Handle a key that turns the board, and return true if it was one. @param {KeyboardEvent} event */
  press(event) {
    if (!event.shiftKey || !(event.key in KEYS)) return false;
    this.step(KEYS[event.key]);
    return true;
  }

  /** @param {number} side @param {number} above @param {boolean} isSettled */
  turn(side, above, isSettled) {
    this.angle = held({ yaw: this.angle.yaw + side, pitch: this.angle.pitch + above });
    this.on.turned(isSettled);
  }

  /** Turn a picture by dragging, at most once for each frame. @param {SVGElement} picture */
  listen(picture) {
    /** @type {{x: number, y: number} | null} */ let from = null;
    let frame = 0;
    let [side, above] = [0, 0];
    const flush = (isSettled = false) => {
      cancelAnimationFrame(frame);
      frame = 0;
      this.turn(side, above, isSettled);
      side = above = 0;
    };
    picture.addEventListener("pointerdown", (event) => {
      this.isDragged = false;
      if (event.isPrimary && event.button === 0) from = { x: event.clientX, y: event.clientY };
    });
    picture.addEventListener("pointermove", (event) => {
      if (!from || !event.isPrimary) return;
      const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
      if (!this.isDragged && Math.hypot(dx, dy) < SLIP) return;
      if (!this.isDragged) picture.setPointerCapture(event.pointerId);
      this.isDragged = true;
      picture.classList.add("held");
      from = { x: event.clientX, y: event.clientY };
      side += dx * PER_PIXEL;
      above += dy * PER_PIXEL;
      frame ||= requestAnimationFrame(() => flush());
    });
    const stop = () => {
      from = null;
      picture.classList.remove("held");
      if (this.isDragged) flush(true);
    };
    picture.addEventListener("pointerup", stop);
    picture.addEventListener("pointercancel", stop);
  }
}
