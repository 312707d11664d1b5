// The page of a player: blocking asks in place.

import { ask, errorSentence } from "./api.js";
import { at } from "./dom.js";
import { begin } from "./page.js";
import { followLanguage } from "./server_content.js";

/** Show or hide the question. @param {boolean} isAsked */
function showQuestion(isAsked) {
  at("block").setAttribute("aria-expanded", String(isAsked));
  at("block-question").hidden = !isAsked;
}

/** Block the player, or end that. @param {boolean} is_blocked */
async function block(is_blocked) {
  const identity = Number(at("block").dataset.identity);
  at("block-error").textContent = "";
  try {
    await ask("/api/identities/me/block", { identity, is_blocked });
    showQuestion(false);
    at("block").hidden = is_blocked;
    at("blocked").hidden = !is_blocked;
    at(is_blocked ? "unblock" : "block").focus();
  } catch (error) {
    at("block-error").textContent = errorSentence(error);
  }
}

await begin();
followLanguage();
if (document.getElementById("block")) {
  at("block").addEventListener(
    "click",
    () => showQuestion(at("block").getAttribute("aria-expanded") !== "true"),
  );
  at("block-yes").addEventListener("click", () => block(true));
  at("block-no").addEventListener("click", () => {
    showQuestion(false);
    at("block").focus();
  });
  at("unblock").addEventListener("click", () => block(false));
}
