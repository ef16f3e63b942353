// The smoke suite in WebKit. To save time, WebKit paints pages without GL; canvases still have WebGL.

import { webkit } from "./drivers/webkit.mjs";
import { smoke } from "./smoke.mjs";

smoke(() => webkit({ WEBKIT_DISABLE_COMPOSITING_MODE: "1" }));
