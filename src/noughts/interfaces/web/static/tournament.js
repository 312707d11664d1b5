// @ts-check
// Pages of tournaments: what the server has written is shown again as it changes, and in another language.

import { at, fill } from "./dom.js";
import { onLanguage } from "./i18n.js";
import { begin } from "./page.js";

const EVERY = 5000;

/** Shows what the page tells now; while the server cannot be reached, what it told last. */
async function look() {
  const answer = await fetch(location.href).catch(() => null);
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const told = page.getElementById("told");
  if (told && !told.isEqualNode(at("told")) && !at("told").contains(document.activeElement)) fill(at("told"), ...told.children);
}

await begin();
onLanguage(look);
setInterval(() => document.hidden || look(), EVERY);
