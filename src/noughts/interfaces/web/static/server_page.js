// Pages that the server renders completely.

import { begin } from "./page.js";
import { followLanguage } from "./server_content.js";

await begin();
followLanguage();
