// @ts-check
// Coming into a room by a code of six letters.

import { joinRoom, sentenceOf } from "./api.js";
import { kept, say } from "./i18n.js";

const LETTERS = 6;

/**
 * Joins by the code that is typed into a form; what is wrong with it is said where `told` is.
 * @param {HTMLFormElement} form @param {HTMLElement} told @param {() => string} name
 */
export function listenForCode(form, told, name = () => "") {
  const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("code"));
  const complain = (/** @type {string} */ sentence) => {
    told.textContent = sentence;
    told.classList.add("bad");
    told.setAttribute("role", "alert");
    field.setAttribute("aria-invalid", "true");
    field.focus();
  };
  field.addEventListener("input", () => field.removeAttribute("aria-invalid"));
  form.addEventListener("submit", async event => {
    event.preventDefault();
    const code = field.value.replace(/[\s-]/g, "").toUpperCase();
    if (!/^[A-Z]{6}$/.test(code)) return complain(code.length === LETTERS ? say("web-code-letters") : say("web-code-about"));
    try {
      const entry = await joinRoom({ code, name: name() || kept("noughts-name") || say("default-name") });
      location.assign(`/r/${entry.room}`);
    } catch (error) {
      complain(sentenceOf(error));
    }
  });
}
