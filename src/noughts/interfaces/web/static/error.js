// Error pages, whose header accepts a room code too.

import { begin } from "./page.js";

await begin();
