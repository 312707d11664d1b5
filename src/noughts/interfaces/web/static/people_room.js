// A game of a tournament of people: a note when the next round is paired.

import { ApiError, ask, followEvents } from "./api.js";
import { at } from "./dom.js";
import { say } from "./i18n.js";

/** Show a note once the player has another game. Does nothing on other pages of rooms. */
export function followTournament() {
  const box = document.getElementById("people-back");
  if (!box) return;
  const code = box.dataset.code ?? "";
  const look = async () => {
    const seat = await ask(`/api/tournaments/${code}/seat`, {}).catch((error) =>
      error instanceof ApiError && error.status === 404 ? null : undefined
    );
    if (seat === undefined) return; // the next event asks again
    const isOther = Boolean(seat?.room) && !location.pathname.endsWith(`/${seat?.room}`);
    box.classList.toggle("asked", isOther);
    at("people-news").textContent = isOther ? say("people-next-round") : "";
  };
  followEvents(
    () => `/api/tournaments/${code}/events`,
    (event) => event === "change" && look(),
    () => undefined,
  );
}
