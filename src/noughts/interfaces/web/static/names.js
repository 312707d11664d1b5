// @ts-check
// What games and players are called, in the words of the catalogues.

import { has, say } from "./i18n.js";

/** The title of a game; one that is not of the catalogue by its description. @param {string} name */
export function titleOf(name) {
  return has(`title-${name}`) ? say(`title-${name}`) : name;
}

/** In a few words what a game of the catalogue is. @param {string} name */
export function tagOf(name) {
  return has(`tag-${name}`) ? say(`tag-${name}`) : "";
}

/** The title of a game with a few words on what it is. @param {{name: string}} game */
export function titleAndTag({ name }) {
  if (has(`tag-${name}`)) return say("web-game-is", { title: titleOf(name), tag: tagOf(name) });
  const [, board, k] = /^([\dx]+):(\d+)/.exec(name) ?? [];
  return k ? say("web-board-is", { board: board.replaceAll("x", "×"), k }) : name;
}

/** How strong a computer is: its name in the catalogue with its level. @param {string} who */
export function strengthOf(who) {
  const [kind, level = ""] = who.split(":");
  return has(`strength-${kind}`) ? say(`strength-${kind}`, { level }) : who;
}

/** @param {string} who */
export function computerNamed(who) {
  return say("computer-named", { strength: strengthOf(who) });
}

/** Whether a name is that of a computer: people may not have one. @param {string} name */
export function isComputer(name) {
  return has(`strength-${name.split(":")[0]}`) && name !== "human";
}
