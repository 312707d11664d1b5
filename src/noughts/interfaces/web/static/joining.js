// Join a room by a code of six letters. Its game and clock are shown before the reader takes a seat.

import { ask, goInto, sentenceOf } from "./api.js";
import { at, inputAt } from "./dom.js";
import { onLanguage, say } from "./i18n.js";

const LETTERS = 6;

/** Listen to the code field in the header, and go to the room or show the error. */
export function listenForCode() {
  const [form, told] = [at("join"), at("codeh")];
  const field = inputAt("code");
  const complain = (/** @type {string} */ sentence) => {
    told.textContent = sentence;
    told.classList.add("bad");
    told.setAttribute("role", "alert");
    field.setAttribute("aria-invalid", "true");
    field.focus();
  };
  onLanguage(() => {
    told.textContent = say("web-code-about");
    told.classList.remove("bad");
    field.removeAttribute("aria-invalid");
  });
  field.addEventListener("input", () => field.removeAttribute("aria-invalid"));
  let isJoining = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isJoining) return;
    const code = field.value.replace(/[\s-]/g, "").toUpperCase();
    if (!/^[A-Z]{6}$/.test(code)) {
      return complain(code.length === LETTERS ? say("web-code-letters") : say("web-code-about"));
    }
    isJoining = true;
    try {
      const { room } = await ask(`/api/join/${code}`);
      await goInto(room);
    } catch (error) {
      complain(sentenceOf(error));
    } finally {
      isJoining = false;
    }
  });
}
