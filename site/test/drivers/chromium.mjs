// Chromium by playwright-core, as in the other browser tests.

import { launch, listen } from "../browser.mjs";

/** Starts Chromium without a window, with an empty profile. @returns {Promise<import("./common.mjs").Driver>} */
export async function chromium() {
  const browser = await launch();
  const context = await browser.newContext({ serviceWorkers: "allow" });
  const page = await context.newPage();
  return {
    name: "Chromium",
    complaints: listen(page),
    async memory() {
      const session = await context.newCDPSession(page);
      await session.send("HeapProfiler.enable");
      for (let k = 0; k < 2; k++) await session.send("HeapProfiler.collectGarbage");
      const { usedSize } = await session.send("Runtime.getHeapUsage");
      const { nodes, jsEventListeners } = await session.send("Memory.getDOMCounters");
      await session.detach();
      return { heap: usedSize, nodes, listeners: jsEventListeners };
    },
    open: async (url) => void (await page.goto(url)),
    run: (body, ...args) => page.evaluate(`(async function () { ${body} })(...${JSON.stringify(args)})`),
    async press(...keys) {
      for (const key of keys) await page.keyboard.press(key);
    },
    close: () => browser.close(),
  };
}
