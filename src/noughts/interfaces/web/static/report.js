// The page on which a player, or the title of a tournament, is reported.

import { ask, errorSentence } from "./api.js";
import { at, formAt, inputAt, selectAt } from "./dom.js";
import { loadAgainInLanguage, say } from "./i18n.js";
import { begin } from "./page.js";

/** Report a player, and block the player if that is ticked.
 * @param {HTMLFormElement} form
 * @param {number} identity */
async function sendPlayer(form, identity) {
  const reason = /** @type {Api.ReportRequest["reason"]} */ (new FormData(form).get("reason"));
  const game = Number(selectAt("report-game").value) || null;
  await ask("/api/reports", { identity, reason, game });
  if (inputAt("report-block").checked) await ask("/api/identities/me/block", { identity });
}

/** Send the report. */
async function send() {
  const form = formAt("report");
  const { code, identity } = form.dataset;
  at("report-error").textContent = "";
  try {
    if (code) await ask(`/api/tournaments/${code}/report`, {});
    else await sendPlayer(form, Number(identity));
    form.remove();
    at("report-about").textContent = say("report-sent");
    at("report-about").focus();
  } catch (error) {
    at("report-error").textContent = errorSentence(error);
  }
}

await begin();
document.getElementById("report")?.addEventListener("submit", (event) => {
  event.preventDefault();
  void send();
});
loadAgainInLanguage();
