// Measures fast forward on the stage of dist/: node site/bench/forward.mjs [PRESET]. Prints the seconds
// from Play to the last episode, with the map of beliefs open; by how many episodes the chart's cursor
// was behind the stage's slider; and the tasks of the page's thread over 50 ms.

import { open, start } from "../test/browser.mjs";

const site = await start([]);
const preset = process.argv[2] ?? "fig2d";
const { page, close } = await open(site.browser, `${site.origin}${preset}/`, { fresh: true });
await page.getByRole("button", { name: "Watch one run" }).click();
await page.getByText("Belief about each edge").click();
await page.waitForFunction(() => document.querySelector("iframe")?.contentDocument?.documentElement?.dataset["painted"] === "");
await page.getByLabel("Speed").selectOption("One picture an episode");
const { seconds, last, pictures, behind, tasks } = await page.evaluate(async () => {
  const tasks = /** @type {number[]} */ ([]);
  new PerformanceObserver((list) => void tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ entryTypes: ["longtask"] });
  const slider = /** @type {HTMLInputElement} */ (document.getElementById("watch-episode"));
  const begin = performance.now();
  document.getElementById("watch-play")?.click();
  const seen = new Set();
  let behind = 0;
  do {
    await new Promise(requestAnimationFrame);
    seen.add(slider.value);
    behind = Math.max(behind, Math.abs(Number(document.getElementById("chart-cursor")?.textContent) - Number(slider.value)));
  } while (slider.value !== slider.max);
  return { seconds: (performance.now() - begin) / 1000, last: slider.max, pictures: seen.size, behind, tasks };
});
console.log(`${preset}: ${last} episodes in ${seconds.toFixed(1)} s, the slider at ${pictures} of them; the cursor at most ${behind} behind; ` +
  `tasks over 50 ms: ${tasks.length}${tasks.length > 0 ? `, the longest ${Math.max(...tasks).toFixed(0)} ms` : ""}`);
await close();
await site.stop();
