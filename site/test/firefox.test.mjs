// The page in Firefox: the same records, and answers that a busy page does not lose.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { golden, start } from "./browser.mjs";
import { firefox } from "./firefox.mjs";

/** @type {Awaited<ReturnType<typeof start>>} */
let site;
/** @type {Awaited<ReturnType<typeof firefox>>} */
let browser;
before(async () => {
  site = await start();
  browser = await firefox();
});
after(async () => {
  await browser?.close();
  await site.stop();
});

/** Waits in the page until an expression holds. @param {string} condition */
const until = (condition) => browser.run(`while (!(${condition})) { if (document.documentElement.dataset.state === "failed") throw new Error(document.getElementById("failure").textContent); await new Promise((go) => setTimeout(go, 50)); }`);

/** Changes a control as a person does. @param {string} id @param {string} value */
const set = (id, value) => browser.run(`const control = document.getElementById("${id}"); control.value = arguments[0]; for (const type of ["input", "change"]) control.dispatchEvent(new Event(type, { bubbles: true }));`, value);

test("every quick preset meets its golden fingerprint", async () => {
  await browser.open(site.origin);
  await until('document.documentElement.dataset.state === "ready"');
  for (const [preset, fingerprint] of Object.entries(golden.presets)) {
    await set("preset", preset);
    await browser.run('document.getElementById("run").click();');
    await until('document.documentElement.dataset.state === "running"');
    await until('document.documentElement.dataset.state === "finished"');
    assert.equal(await browser.run('return document.getElementById("fingerprint").textContent;'), fingerprint, preset);
  }
});

test("a refusal arrives while the page is busy for longer than an ended engine is waited for", async () => {
  await browser.open("about:blank"); // another fragment is not another document
  await browser.open(`${site.origin}#v=1&domain=figure1&episodes=60&runs=4`);
  await until('["ready", "finished"].includes(document.documentElement.dataset.state)');
  // The page is busy again and again, with room between for what has come meanwhile.
  await browser.run(`
    let times = 0;
    const busy = () => { for (const end = performance.now() + 700; performance.now() < end; ); if (++times < 8) setTimeout(busy); };
    setTimeout(busy);
    const control = document.getElementById("episodes");
    control.value = "0";
    control.dispatchEvent(new Event("input", { bubbles: true }));`);
  await until('document.getElementById("episodes-error")?.hidden === false || document.getElementById("failure")?.textContent');
  assert.match(await browser.run('return document.getElementById("episodes-error").textContent;'), /out of range|at least 1/);
  assert.equal(await browser.run('return document.getElementById("failure").textContent;'), "");
});
