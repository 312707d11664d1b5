// The page on which a player is reported.

import { ask, errorSentence } from "./api.js";
import { at, formAt, inputAt, selectAt } from "./dom.js";
import { loadAgainInLanguage, say } from "./i18n.js";
import { begin } from "./page.js";

/** Send the report, and block the player if that is ticked. */
async function send() {
  const form = formAt("report");
  const identity = Number(form.dataset.identity);
  const reason = /** @type {Api.ReportRequest["reason"]} */ (new FormData(form).get("reason"));
  const game = Number(selectAt("report-game").value) || null;
  at("report-error").textContent = "";
  try {
    await ask("/api/reports", { identity, reason, game });
    if (inputAt("report-block").checked) await ask("/api/identities/me/block", { identity });
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
