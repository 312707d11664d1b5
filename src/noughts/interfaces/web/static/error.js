// @ts-check
// The page for what is not there: a code may lead on.

import { at } from "./dom.js";
import { begin, onLanguage } from "./i18n.js";
import { listenForCode } from "./joining.js";

await begin();
listenForCode(at("join"), at("trouble"));
onLanguage(() => at("trouble").replaceChildren());
