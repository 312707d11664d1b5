/** The games that the browser plays by data, which the server writes. */

import type { Rules } from "../../src/noughts/interfaces/web/static/rules.js";

export interface OfflineGame {
  name: string;
  sides: string[];
  shape: number[];
  layout: Api.Layout;
  /** The number of the board. */
  board: number;
  rules: Rules;
  /** The sentences of the rules. */
  sentences: { id: string; data: Record<string, string | number | string[]> }[];
}

export const BOARDS: Api.BoardMessage[];

export const GAMES: OfflineGame[];

/** The names of all other games. */
export const OTHERS: string[];
