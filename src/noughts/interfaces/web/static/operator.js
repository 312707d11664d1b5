// The page of the operators: each decision is signed with the key of the device.

import { ask, errorSentence } from "./api.js";
import { at, formAt, inputAt } from "./dom.js";
import { loadAgainInLanguage, say } from "./i18n.js";
import { signed } from "./identity.js";
import { deviceKey } from "./keys.js";
import { begin } from "./page.js";

/** Sign and send the decision, and show the next case. */
async function decide() {
  const form = formAt("decide");
  const { code, identity = "" } = form.dataset;
  const chosen = new FormData(form).get("decision");
  const note = inputAt("note").value.trim();
  at("decide-error").textContent = "";
  try {
    const own = await deviceKey();
    if (!own) throw new Error(say("operator-no-device"));
    if (code) {
      const decision = /** @type {Api.TitleDecisionRequest["decision"]} */ (chosen);
      const title = inputAt("title").value.trim();
      const proof = await signed(own, "decide-title", code, decision, title, note);
      await ask(`/api/reports/titles/${code}/decision`, { decision, title, note, ...proof });
    } else {
      const decision = /** @type {Api.DecisionRequest["decision"]} */ (chosen);
      const proof = await signed(own, "decide", identity, decision, note);
      await ask(`/api/reports/cases/${identity}/decision`, { decision, note, ...proof });
    }
    location.assign(form.dataset.next || location.pathname);
  } catch (error) {
    at("decide-error").textContent = errorSentence(error);
  }
}

await begin();
document.getElementById("decide")?.addEventListener("submit", (event) => {
  event.preventDefault();
  void decide();
});
loadAgainInLanguage();
