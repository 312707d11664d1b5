// Pages on which nothing happens: their header lets in by a code, too.

import { begin } from "./page.js";

await begin();
