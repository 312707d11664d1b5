// @ts-check
// A board of one's own: what is described is drawn at once, and can be played.

import { ask, sentenceOf } from "./api.js";
import { at, fill } from "./dom.js";
import { pictureOf } from "./drawing.js";
import { onLanguage } from "./i18n.js";
import { begin } from "./page.js";
import { withBoard } from "./space.js";
import { choose, listenForStart } from "./starting.js";

const PATIENCE = 250; // milliseconds without a key before a description is looked up

let asked = 0;

/** Looks up what is described, and draws it or says what is wrong; what was drawn before stays then. */
async function describe() {
  const game = at("own").value.trim();
  const question = ++asked;
  try {
    const told = await withBoard(await ask(`/api/rules?game=${encodeURIComponent(game)}`));
    if (question !== asked) return;
    at("own").removeAttribute("aria-invalid");
    at("ownbad").textContent = "";
    show(told);
  } catch (error) {
    if (question !== asked) return;
    at("own").setAttribute("aria-invalid", "true");
    at("ownbad").textContent = sentenceOf(error);
    choose(null);
  }
}

/** @param {any} told */
function show(told) {
  at("title").textContent = told.title;
  at("about").textContent = told.about;
  fill(at("drawn"), pictureOf(told, { cells: [] }));
  choose({ name: told.name, sides: told.sides }, told);
}

await begin();
listenForStart();
/** @type {number | undefined} */ let typing;
at("own").addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(describe, PATIENCE);
});
onLanguage(describe);
