// @ts-check
// The list of puzzles: the one of the day, and games to choose from.

import { ask } from "./api.js";
import { at, fill, h } from "./dom.js";
import { begin, language, onLanguage, say } from "./i18n.js";
import { rowsOf, solved } from "./solved.js";
import { writeMissing } from "./telling.js";

/** @param {import("./solved.js").Puzzles} all @param {Map<string, any>} samples */
function show(all, samples) {
  const isDone = solved().has(all.daily);
  const daily = h("a", { class: isDone ? "button" : "button primary", href: `/puzzle/${all.daily}`, "data-key": "daily" }, say("web-puzzle-daily"));
  fill(at("list"), h("p", { class: "acts" }, daily, isDone ? h("span", { class: "fact" }, say("puzzle-solved")) : null), rowsOf(all, samples));
}

async function load() {
  await begin();
  onLanguage(async () => {
    try {
      const [all, told] = await Promise.all([ask("/api/puzzles"), fetch(`/samples.json?lang=${language()}`).then(answer => answer.json())]);
      show(all, new Map(told.map((/** @type {any} */ game) => [game.name, game])));
    } catch (error) {
      writeMissing(error, "web-no-puzzle", "web-no-puzzle-about");
    }
  });
}

load();
