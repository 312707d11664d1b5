// The content of a page that the server renders completely. It is read again in another chosen language.

import { at } from "./dom.js";
import { patch } from "./dom_patch.js";
import { language, onLanguage } from "./i18n.js";

let shown = document.documentElement.lang;

/** Show the page in the chosen language. While the server cannot be reached, it keeps its content. */
async function look() {
  if (language() === shown) return;
  const answer = await fetch(location.href).catch(() => null);
  if (!answer?.ok) return;
  const content = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById(
    "server-content",
  );
  if (!content) return;
  patch(at("server-content"), content);
  shown = language();
}

/** Read the content again after each choice of a language. */
export const followLanguage = () => onLanguage(look);
