// The smoke suite in Firefox.

import { firefox } from "./drivers/firefox.mjs";
import { smoke } from "./smoke.mjs";

smoke(firefox);
