// The smoke suite in WebKit. To save time, WebKit paints pages without GL; canvases still have WebGL. The visitor prefers
// reduced motion, because the film would take half a core.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { webkit } from "./drivers/webkit.mjs";
import { smoke } from "./smoke.mjs";

const settings = mkdtempSync(join(tmpdir(), "cpsrl-gtk-"));
mkdirSync(join(settings, "gtk-3.0"));
writeFileSync(join(settings, "gtk-3.0", "settings.ini"), "[Settings]\ngtk-enable-animations=0\n");

smoke(() => webkit({ WEBKIT_DISABLE_COMPOSITING_MODE: "1", XDG_CONFIG_HOME: settings }), { sandboxLoads: false });

after(() => rmSync(settings, { recursive: true }));
