// The smoke suite in Chromium.

import { chromium } from "./drivers/chromium.mjs";
import { smoke } from "./smoke.mjs";

smoke(chromium);
