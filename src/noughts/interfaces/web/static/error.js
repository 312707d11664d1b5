// @ts-check
// The page for what is not there: a code may lead on.

import { begin } from "./i18n.js";
import { listenForCode } from "./joining.js";

await begin();
listenForCode();
