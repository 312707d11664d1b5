// The page for playing without a network.

import { at, fill, h } from "./dom.js";
import { onLanguage, say } from "./i18n.js";
import { button } from "./status_texts.js";
import { begin } from "./page.js";

const PAGE = "/offline";

/** Show whether there is a network. A page of the server that was asked for can be opened again. */
function showNetwork() {
  const isAsked = location.pathname !== PAGE;
  const act = !navigator.onLine
    ? null
    : isAsked
    ? button("offline-open", () => location.reload())
    : h("a", { class: "button", href: "/" }, say("web-choose-game"));
  fill(at("network"), say(navigator.onLine ? "offline-network" : "offline-no-network"), " ", act);
}

await begin();
onLanguage(showNetwork);
addEventListener("online", showNetwork);
addEventListener("offline", showNetwork);
