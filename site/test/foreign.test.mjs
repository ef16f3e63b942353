// Results of other programs over the chart, and the methods text, in Chromium.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { unzipSync } from "fflate";
import { count, open, start } from "./browser.mjs";
import * as find from "./finds.mjs";
import { seemly } from "./looks.mjs";

/** @typedef {import("playwright-core").Page} Page */

/** @type {Awaited<ReturnType<typeof start>>} */
let site;
const work = mkdtempSync(join(tmpdir(), "cpsrl-foreign-"));
const command = join(work, "cpsrl");

before(async () => {
  site = await start();
  execFileSync("go", ["build", "-o", command, "./core/cmd/cpsrl"], { cwd: fileURLToPath(new URL("../..", import.meta.url)) });
});
after(async () => {
  await site.stop();
  rmSync(work, { recursive: true, force: true });
});

/** @param {string[]} args */
const cpsrl = (...args) => execFileSync(command, args).toString();

/** @param {import("playwright-core").Locator} of */
const textOf = async (of) => ((await of.textContent()) ?? "").replaceAll("‑", "-").replaceAll("\u00a0", " ");

// The means of ucrl are 2, 4, … , so that its cumulative regret after the 40 episodes is 2·40 = 80.
const episodes = Array.from({ length: 40 }, (_, k) => k + 1);
const ucrl = [1, 3].flatMap((regret, run) => episodes.map((episode) => `${JSON.stringify({ label: "ucrl", run, episode, regret })}\n`)).join("");
const returns = `label,run,episode,return\n${episodes.map((episode) => `"q, ""slow""",0,${episode},1\n`).join("")}`;

/** @param {Page} page @param {string} format */
async function take(page, format) {
  await find.exportFormat(page).selectOption(format);
  const coming = page.waitForEvent("download");
  const button = find.dialog(page, "Export").getByRole("button", { name: "Download", exact: true });
  await find.until(() => button.isEnabled(), `${format} is made`);
  await button.click();
  const file = await coming;
  const path = join(work, file.suggestedFilename());
  await file.saveAs(path);
  return { name: file.suggestedFilename(), bytes: readFileSync(path) };
}

/** @param {Page} page @param {string} name @param {string} text */
async function drop(page, name, text) {
  const dataTransfer = await page.evaluateHandle(([name, text]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text ?? ""], name ?? ""));
    return transfer;
  }, [name, text]);
  await page.locator("#chart").dispatchEvent("drop", { dataTransfer });
}

test("results of another program lie over the chart, marked in words, and change no receipt", async () => {
  const spec = "domain=taxi&grid=3x3&agents=psrl,c-psrl&episodes=40&runs=2";
  const { page, complaints, close } = await open(site.browser, `${site.origin}#v=1&${spec}`, { until: ["finished"] });
  const print = await textOf(find.fingerprint(page));
  const lines = await count(page, "curve");
  writeFileSync(join(work, "ucrl.jsonl"), ucrl);
  await find.openFile(page, "Open results…", join(work, "ucrl.jsonl"));
  await find.status(page).filter({ hasText: /^Read ucrl\.jsonl\.$/ }).waitFor();
  await find.until(async () => (await count(page, "foreign")) === 1, "the line is drawn");
  assert.equal(await count(page, "curve"), lines, "ours stay");
  assert.match(await textOf(page.locator("#chart")), /ucrl \(other( program)?\)/);

  // The legend is the read-out. By hand: 80 after the last episode.
  const row = find.readout(page).getByRole("row", { name: /ucrl \(other program\)/ });
  assert.match(await textOf(row), /ucrl \(other program\)not computed here, 2 runs.*80\.0/s);
  assert.match(await textOf(find.kept(page)), /ucrl\.jsonl: another program \(ucrl, 2 runs\), not computed here\./);
  assert.match(await textOf(find.caption(page)), /Of other programs and not computed here: ucrl \(2 runs\)\. Lower is better/);
  await find.unfold(page, "Data behind the chart");
  await find.data(page).getByRole("columnheader", { name: "ucrl (other program)", exact: true }).waitFor();
  await row.getByRole("checkbox").uncheck();
  await find.until(async () => (await count(page, "foreign")) === 0, "its box hides it");
  assert.ok(!page.url().includes("ucrl"), "no link holds it");
  await row.getByRole("checkbox").check();

  // A second file, by drop; returns become regrets by V*. A wrong file is one sentence, and nothing is lost.
  await drop(page, "q.csv", returns);
  await find.until(async () => (await count(page, "foreign")) === 2, "the second line is drawn");
  assert.match(await textOf(find.readout(page)), /q, "slow" \(other program\)/);
  await drop(page, "bad.jsonl", ucrl.replace('"episode":3', '"episode":4'));
  await find.until(async () => /^bad\.jsonl cannot be shown: line 3: episode 4 of "ucrl" in run 0 is out of order; episode 3 is next\.$/.test(await textOf(find.failure(page))), "bad.jsonl is refused");
  await drop(page, "twice.jsonl", ucrl);
  await find.until(async () => /^twice\.jsonl cannot be shown: another open file has results of “ucrl”, too\. Forget that file first\.$/.test(await textOf(find.failure(page))), "a label is in one file");
  assert.equal(await count(page, "foreign"), 2);
  assert.equal(await textOf(find.fingerprint(page)), print);
  await seemly(page, "results of other programs");

  // The export has them in figure and caption, and in a table of their own. Receipt and records are ours.
  await find.exporting(page).click();
  const svg = (await take(page, "svg")).bytes.toString();
  assert.match(svg, /ucrl \(other program\)/);
  assert.match(svg.replaceAll(/<[^>]*>\s*/g, " "), /not computed here/);
  assert.match(svg, /#707070/);
  const records = (await take(page, "jsonl")).bytes;
  const files = unzipSync((await take(page, "bundle")).bytes);
  const text = (/** @type {string} */ name) => new TextDecoder().decode(files[name]);
  assert.match(text("other-programs.csv"), /^# .*\nagent,episode,mean,lo,hi,n\n.*\nucrl \(other program\),40,80,/s);
  assert.match(text("other-programs-2.csv"), /"q, ""slow"" \(other program\)",40,/);
  assert.doesNotMatch(text("summary.csv"), /ucrl/);
  assert.match(text("figure.tex"), /ucrl \(other program\)/);
  assert.match(text("link.txt"), new RegExp(print));
  writeFileSync(join(work, "records.jsonl"), records);
  assert.match(cpsrl("verify", join(work, "records.jsonl")), new RegExp(`^reproduced bit for bit: 160 records, fingerprint ${print}`));
  assert.equal(text("methods.txt"), cpsrl("cite", "-methods", join(work, "records.jsonl")));
  await page.keyboard.press("Escape");

  // They belong to this problem, and Forget takes them away.
  await find.choose(page, { label: "Figure 2 (c): taxi 3×3" });
  await find.heading(page, "Figure 2 (c): taxi 3×3").waitFor();
  await find.until(async () => (await count(page, "foreign")) === 2, "the taxi is the same");
  await find.choose(page, { label: "Figure 2 (d): taxi 5×5" });
  await find.until(async () => (await count(page, "foreign")) === 0, "another problem does not show them");
  await find.until(async () => /ucrl\.jsonl: .* They are of another problem and not drawn here\./.test(await textOf(find.kept(page))), "the page says why");
  for (const name of ["ucrl.jsonl", "q.csv"]) await find.kept(page).getByRole("button", { name: `Forget ${name}`, exact: true }).click();
  await find.until(async () => !/another program/.test(await textOf(page.locator("#kept"))), "they are forgotten");
  assert.deepEqual(complaints, []);
  await close();
});

test("returns are refused where each run has a true model of its own", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}#v=1&domain=figure1&episodes=3&runs=2`, { until: ["finished"] });
  await drop(page, "q.csv", returns);
  await find.until(async () => /^q\.csv cannot be shown: The regret of a return is V\* less the return, but here each run has a true model and a V\* of its own/.test(await textOf(find.failure(page))), "returns are refused");
  await drop(page, "ucrl.jsonl", ucrl);
  await find.until(async () => (await count(page, "foreign")) === 1, "regrets are drawn");
  assert.deepEqual(complaints, []);
  await close();
});

test("one press copies the methods text of the spec with its receipt", async () => {
  const { page, complaints, close } = await open(site.browser, `${site.origin}#v=1&domain=taxi&grid=3x3&agents=c-psrl&episodes=5&runs=2`, {
    until: ["finished"],
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const print = await textOf(find.fingerprint(page));
  await find.exporting(page).click();
  await find.dialog(page, "Export").getByRole("button", { name: "Copy methods text", exact: true }).click();
  await find.dialog(page, "Export").getByRole("status").filter({ hasText: /^Copied\.$/ }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const link = `v=1&receipt=2-${print}&domain=taxi&grid=3x3&agents=c-psrl&episodes=5&runs=2`;
  assert.equal(copied, cpsrl("cite", "-methods", "-link", link).trim());
  assert.match(copied, new RegExp(print));
  assert.deepEqual(complaints, []);
  await close();
});
