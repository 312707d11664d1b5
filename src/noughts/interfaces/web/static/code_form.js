// Join a room by a code of six letters. Its game and clock are shown before the reader takes a seat.

import { ask, errorSentence, goToRoom } from "./api.js";
import { at, inputAt } from "./dom.js";
import { onLanguage, say } from "./i18n.js";

const LETTERS = 6;

/** Listen to the code field in the header, and go to the room or show the error. */
export function listenForCode() {
  const [form, note] = [at("join"), at("code-about")];
  const field = inputAt("code");
  const complain = (/** @type {string} */ sentence) => {
    note.textContent = sentence;
    note.classList.add("error-text");
    note.setAttribute("role", "alert");
    field.setAttribute("aria-invalid", "true");
    field.focus();
  };
  onLanguage(() => {
    note.textContent = say("web-code-about");
    note.classList.remove("error-text");
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
      await goToRoom(room);
    } catch (error) {
      complain(errorSentence(error));
    } finally {
      isJoining = false;
    }
  });
  // A press before this listener existed has sent the form to this page.
  const sent = new URLSearchParams(location.search).get("code");
  if (sent && form instanceof HTMLFormElement) {
    history.replaceState(null, "", location.pathname);
    field.value = sent;
    form.requestSubmit();
  }
}
