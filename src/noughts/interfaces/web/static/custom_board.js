// The page for custom boards: a description is drawn immediately and can be played.

import { ask, errorSentence } from "./api.js";
import { at, fill, formAt, h, icon, inputAt } from "./dom.js";
import { pictureOf } from "./board_drawing.js";
import { onLanguage, say } from "./i18n.js";
import { begin } from "./page.js";
import { withBoard } from "./board_geometry.js";
import { choose, listenForStart } from "./new_game.js";

const PATIENCE = 250; // milliseconds without a key after which a description is looked up

let requests = 0;
let isPending = false; // the last description is being looked up
let described = Promise.resolve();
/** @type {number | null} The timer that waits for the end of typing. */ let typing = null;

/** Draw the described board, or show the error and keep the drawing. */
async function describe() {
  const game = inputAt("own").value.trim();
  const question = ++requests;
  isPending = true;
  try {
    const board = await withBoard(await ask(`/api/build?game=${encodeURIComponent(game)}`));
    if (question !== requests) return;
    inputAt("own").removeAttribute("aria-invalid");
    at("spec-error").textContent = "";
    show(board);
  } catch (error) {
    if (question !== requests) return;
    inputAt("own").setAttribute("aria-invalid", "true");
    at("spec-error").textContent = errorSentence(error);
    choose(null);
  } finally {
    if (question === requests) isPending = false;
  }
}

/** @param {Api.CustomBoard & {board: Api.BoardMessage}} board */
function show(board) {
  at("title").textContent = board.title;
  at("about").textContent = board.tag;
  fill(at("drawn"), pictureOf(board, { cells: [] }));
  fill(
    at("counts"),
    ...board.counts.map(({ count, label }) => h("div", {}, h("b", {}, count), label)),
  );
  at("estimates").textContent = board.is_estimated ? say("web-estimates") : "";
  fill(at("steps"), ...board.steps.map(stepper));
  fill(at("switches"), ...board.switches.map(optionBox));
  choose({ name: board.name, sides: board.sides }, board);
}

/** Change the description of the board. @param {string | null} spec */
function change(spec) {
  if (spec === null) return;
  inputAt("own").value = spec;
  history.replaceState(history.state, "", `?game=${encodeURIComponent(spec)}`);
  described = describe();
}

/**
 * Create the buttons for a number of the board. The server has prepared the descriptions.
 * @param {Api.BoardNumber} step
 */
function stepper({ name, label, text, less, more }) {
  const button = (/** @type {string} */ id, /** @type {string | null} */ spec, /** @type {string} */ path) =>
    h(
      "button",
      {
        type: "button",
        "data-key": `${name}-${id}`,
        "aria-label": say(id, { what: label }),
        "aria-disabled": spec === null ? "true" : null,
        click: () => change(spec),
      },
      icon(path),
    );
  return h(
    "div",
    { class: "stepper" },
    h("span", {}, label),
    button("web-less", less, "M5 12H19"),
    h("output", {}, text),
    button("web-more-of", more, "M12 5V19M5 12H19"),
  );
}

/**
 * Create the checkbox of an option. An option that cannot be changed shows the reason.
 * @param {Api.BoardSwitch} option
 */
function optionBox({ name, label, about, is_on, spec }) {
  const id = `tick-${name}`;
  const box = h("input", {
    type: "checkbox",
    id,
    "data-key": id,
    checked: is_on,
    "aria-disabled": spec === null ? "true" : null,
    "aria-describedby": `${id}-about`,
  });
  box.addEventListener("click", (event) => {
    event.preventDefault(); // the response ticks it
    change(spec);
  });
  return h(
    "div",
    { class: "tick" },
    box,
    h("span", {}, h("label", { for: id }, label), h("small", { id: `${id}-about` }, about)),
  );
}

/** Look up the typed description and wait for the result. */
async function ready() {
  if (typing !== null) describeSoon(0);
  await described;
}

/** @param {number} patience */
function describeSoon(patience) {
  clearTimeout(typing ?? undefined);
  typing = null;
  if (patience) typing = setTimeout(describeSoon, patience, 0);
  else described = describe();
}

await begin();
listenForStart(ready);
inputAt("own").addEventListener("input", () => describeSoon(PATIENCE));
inputAt("own").addEventListener("keydown", async (event) => {
  if (event.key !== "Enter" || (typing === null && !isPending)) return;
  event.preventDefault(); // the buttons belong to the last description
  await ready();
  formAt("new").requestSubmit();
});
onLanguage(() => (described = describe()));
