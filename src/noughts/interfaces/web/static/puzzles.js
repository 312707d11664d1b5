// The list of puzzles: the puzzle of the day, and the games with puzzles.

import { ask } from "./api.js";
import { at, fill, h } from "./dom.js";
import { onLanguage, say } from "./i18n.js";
import { begin } from "./page.js";
import { rowsOf, solved } from "./solved_puzzles.js";
import { writeMissing } from "./status_texts.js";

/** @param {Api.PuzzleList} all */
function show(all) {
  const isDone = solved().has(all.daily);
  const daily = h("a", {
    class: isDone ? "button" : "button primary",
    href: `/puzzle/${all.daily}`,
    "data-key": "daily",
  }, say("web-puzzle-daily"));
  fill(
    at("list"),
    h("p", { class: "acts" }, daily, isDone ? h("span", { class: "fact" }, say("puzzle-solved")) : null),
    rowsOf(all),
  );
}

async function load() {
  await begin();
  onLanguage(async () => {
    try {
      show(await ask("/api/puzzles"));
    } catch (error) {
      writeMissing(error, "web-no-puzzle", "web-no-puzzle-about");
    }
  });
}

load();
