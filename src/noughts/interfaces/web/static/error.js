// @ts-check
// The page for what is not there: its header lets in by a code, too.

import { begin } from "./page.js";

await begin();
