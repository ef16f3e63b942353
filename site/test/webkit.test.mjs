// The smoke suite in WebKit.

import { webkit } from "./drivers/webkit.mjs";
import { smoke } from "./smoke.mjs";

smoke(webkit);
