// Exports the records of fig2a from dist/ in the three browser engines, and by the command: node site/bench/export.mjs
// [ROUNDS]. They take turns, so that other work of the machine weighs on all. Prints the seconds from the choice
// of a format to its file, for each table; and the ratios of the medians to the command's, which reads the same file.
// Apart from their comments, which name the site, the tables must be the command's, byte for byte.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { serveAlone } from "../test/browser.mjs";
import { chromium } from "../test/drivers/chromium.mjs";
import { firefox } from "../test/drivers/firefox.mjs";
import { webkit } from "../test/drivers/webkit.mjs";

const rounds = Number(process.argv[2] ?? 3);

/** The tables by the page's name for them, each with the command's flags. @type {Record<string, string[]>} */
const tables = { csv: [], endings: ["-endings"], long: ["-long"] };

const folder = mkdtempSync(join(tmpdir(), "cpsrl-export-"));
const records = join(folder, "fig2a.jsonl");
const program = join(folder, "cpsrl");
/** @param {string} file @param {...string} args */
const run = (file, ...args) => execFileSync(file, args, { cwd: fileURLToPath(new URL("../..", import.meta.url)), encoding: "utf8", maxBuffer: 2 ** 28, stdio: ["ignore", "pipe", "ignore"] });
run("go", "build", "-o", program, "./core/cmd/cpsrl");
run(program, "run", "-preset", "fig2a", "-o", records);
const site = await serveAlone();

/** Chooses a format and returns the seconds until its file is there, and the file. */
const timed = `
  const [format] = arguments;
  const menu = document.getElementById("export-format");
  const [begin, words] = [performance.now(), document.querySelector("#export-dialog .words")];
  menu.value = format;
  menu.dispatchEvent(new Event("change", { bubbles: true }));
  while (!/^fig2a.*\\.csv, /.test(words.textContent)) await new Promise((go) => setTimeout(go, 10));
  const seconds = (performance.now() - begin) / 1000;
  let made;
  const make = URL.createObjectURL;
  URL.createObjectURL = (blob) => ((made = blob), make.call(URL, blob));
  document.getElementById("export-download").click();
  URL.createObjectURL = make;
  return [seconds, await made.text()];`;

/** @type {Record<string, Record<string, number[]>>} */
const all = {};
/** The tables of each program, without comments. @type {Record<string, Record<string, string>>} */
const texts = {};
/** @param {string} who @param {string} table @param {number} seconds @param {string} text */
function note(who, table, seconds, text) {
  ((all[who] ??= {})[table] ??= []).push(seconds);
  (texts[table] ??= {})[who] = text.replace(/^#.*\n/gm, "");
}
for (let round = 0; round < rounds; round++) {
  for (const [table, flags] of Object.entries(tables)) {
    const begin = performance.now();
    const text = run(program, "summary", records, ...flags);
    note("command", table, (performance.now() - begin) / 1000, text);
  }
  for (const start of [chromium, firefox, webkit]) {
    const browser = await start();
    await browser.open(`${site.origin}fig2a/`);
    await browser.run(`
      const root = document.documentElement;
      const until = async (there) => { while (!there()) await new Promise((go) => setTimeout(go, 20)); };
      await until(() => root.dataset.state === "ready");
      document.getElementById("run").click();
      await until(() => root.dataset.state === "finished");
      document.getElementById("export").click();
      await until(() => document.querySelector("#export-dialog[open] #export-format"));`);
    for (const table of Object.keys(tables)) note(browser.name, table, .../** @type {[number, string]} */ (await browser.run(timed, table)));
    await browser.close();
  }
}
site.stop();
rmSync(folder, { recursive: true });

const median = (/** @type {number[]} */ list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? NaN;
for (const [name, of] of Object.entries(all)) {
  for (const [table, list] of Object.entries(of)) console.log(`${name}, ${table}: ${list.map((s) => s.toFixed(2)).join(", ")} s; ÷ the command ${(median(list) / median(all["command"]?.[table] ?? [])).toFixed(1)}`);
}
for (const [table, of] of Object.entries(texts)) {
  for (const [name, text] of Object.entries(of)) if (text !== of["command"]) throw new Error(`${name}'s table "${table}" is not the command's`);
}
