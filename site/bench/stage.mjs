// Measures the stage of dist/: node site/bench/stage.mjs. Prints the seconds from Watch to the first
// picture, the frames a second while the taxi drives beside the browser's own, and the work at rest.

import { open, start } from "../test/browser.mjs";

const site = await start([]);

/** Counts the frames that a document asks for. */
function countFrames() {
  const all = /** @type {any} */ (window);
  const ask = requestAnimationFrame.bind(window);
  all.frames_ = 0;
  window.requestAnimationFrame = (frame) => ask((now) => {
    all.frames_++;
    frame(now);
  });
}

for (const preset of ["fig2d", "fig2a"]) {
  const { page, close } = await open(site.browser, `${site.origin}${preset}/`, { fresh: true, before: countFrames });
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable");
  const busy = async () => (await client.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration")?.value ?? NaN;
  const frames = () => page.evaluate(() => /** @type {any} */ (document.querySelector("iframe")?.contentWindow)?.frames_);
  const wait = (/** @type {number} */ ms) => new Promise((done) => setTimeout(done, ms));

  const first = await page.evaluate(async () => {
    const begin = performance.now();
    document.getElementById("watch-open")?.click();
    while (document.querySelector("iframe")?.contentDocument?.documentElement?.dataset["painted"] !== "") await new Promise((done) => setTimeout(done, 5));
    return performance.now() - begin;
  });
  await page.click('#watch-moments [value="plan"]');
  await wait(2000);
  await page.click("#watch-step"); // the taxi drives
  await wait(500);
  await page.evaluate(() => {
    const all = /** @type {any} */ (window);
    const count = () => {
      all.own_ = (all.own_ ?? 0) + 1;
      requestAnimationFrame(count);
    };
    all.stop_ = requestAnimationFrame(count);
  });
  const from = [await frames(), await page.evaluate(() => /** @type {any} */ (window).own_ ?? 0)];
  await wait(4000);
  const to = [await frames(), await page.evaluate(() => /** @type {any} */ (window).own_)];
  await page.evaluate(() => { window.requestAnimationFrame = () => 0; });
  await page.waitForFunction(() => document.getElementById("watch-play")?.textContent === "Play");
  await wait(2000);
  const still = [await frames(), await busy()];
  await wait(5000);
  const rest = [await frames() - still[0], await busy() - still[1]];
  console.log(`${preset}: first picture ${(first / 1000).toFixed(2)} s; driving ${(to[0] - from[0]) / 4} frames a second, the browser ${(to[1] - from[1]) / 4}; ` +
    `at rest, in 5 s: ${rest[0]} frames, ${(1000 * rest[1]).toFixed(0)} ms of work`);
  await close();
}
await site.stop();
