// The editions of a release, in Chromium and Firefox: the tarball's element in a page that Vite
// builds and in a bare page of another origin, the single file from file://, and the zip.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, relative } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { strToU8, zipSync } from "fflate";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { golden, launch, linger, listen } from "./browser.mjs";
import { firefox } from "./drivers/firefox.mjs";
import * as find from "./finds.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const release = process.env["RELEASE"] ?? join(root, "release");
const single = pathToFileURL(join(release, "cpsrl-playground.html")).href;
const tarball = join(release, /** @type {string} */ (readdirSync(release).find((name) => name.endsWith(".tgz"))));
const fingerprint = golden.presets["fig2c-quick"];

/** @type {string} */
let folder;
/** The folder of the installed tarball. @type {string} */
let installed;
/** @type {(() => void)[]} */
const ends = [];
/** @type {import("playwright-core").Browser} */
let chromium;
/** @type {Awaited<ReturnType<typeof firefox>>} */
let fox;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "cpsrl-package-"));
  cpSync(join(root, "site/test/vite"), folder, { recursive: true });
  execFileSync("npm", ["install", "--offline", "--ignore-scripts", "--no-package-lock", "--no-audit", "--no-fund", "--silent", tarball], { cwd: folder });
  installed = join(folder, "node_modules/cpsrl-playground");
  [chromium, fox] = await Promise.all([launch(), firefox()]);
});
after(async () => {
  for (const end of ends) end();
  await chromium?.close();
  await fox?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** @type {Record<string, string>} */
const types = { ".css": "text/css", ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".json": "application/json", ".svg": "image/svg+xml", ".ttf": "font/ttf", ".wasm": "application/wasm" };

/** Serves a folder to any origin, as a CDN does, and returns the address. @param {string} files */
async function host(files) {
  const server = createServer(({ url = "" }, answer) => {
    const path = join(files, decodeURI(new URL(url, "http://host").pathname).replace(/\/$/, "/index.html"));
    if (!existsSync(path)) return void answer.writeHead(404).end();
    answer.writeHead(200, { "Content-Type": types[extname(path)] ?? "text/plain", "Access-Control-Allow-Origin": "*" }).end(readFileSync(path));
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", () => listening(undefined)));
  ends.push(() => void server.close().closeAllConnections());
  const address = /** @type {import("node:net").AddressInfo} */ (server.address());
  return `http://127.0.0.1:${address.port}/`;
}

/** Serves a bare page with the element from an origin of its own, with the policy that the documents recommend. @param {string} cdn */
async function barePage(cdn) {
  const { origin } = new URL(cdn);
  const policy = `default-src 'none'; script-src ${origin} 'wasm-unsafe-eval'; worker-src blob:; connect-src ${origin}; style-src ${origin}; img-src ${origin} data: blob:; font-src ${origin} data:`;
  const bare = mkdtempSync(join(folder, "bare-"));
  writeFileSync(join(bare, "index.html"), `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>A bare page</title>
<link rel="icon" href="data:,">
<script type="module" src="${cdn}dist/playground.js"></script>
<cpsrl-playground preset="fig2c-quick" ui="stage,experiment,controls">Regret on the taxi</cpsrl-playground>`);
  return host(bare);
}

/** The body of an async function that runs the element to its end. Returns its last event. */
const runElement = `
  await customElements.whenDefined("cpsrl-playground");
  const element = document.querySelector("cpsrl-playground");
  const ended = new Promise((resolve, reject) => {
    element.addEventListener("finished", ({ detail }) => resolve(detail));
    element.addEventListener("refused", ({ detail }) => reject(new Error(detail.detail)));
  });
  element.shadowRoot.querySelector("button").click();
  return ended;`;

/** Opens a page in Chromium and runs its element. @param {string} address */
async function inChromium(address) {
  const page = await (await chromium.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  const complaints = listen(page);
  page.on("requestfailed", (request) => complaints.push(`failed: ${request.url()}`));
  await page.addInitScript(linger);
  await page.goto(address);
  const { stopped, ...finished } = await page.evaluate(`(async () => {${runElement}})()`);
  assert.deepEqual([stopped, finished.engine, finished.fingerprint], [false, golden.engine, fingerprint]);
  return { page, complaints, close: () => page.context().close() };
}

test("the tarball is well formed and complete", async () => {
  const { messages, pkg } = await publint({ pkgDir: installed, strict: true, pack: false });
  assert.deepEqual(messages.map((message) => formatMessage(message, pkg, { color: false })), []);
  assert.equal(pkg["version"]?.split(".")[0], String(golden.engine), "the version begins with the engine's");
  for (const name of ["README.md", "LICENSE", "licences.txt", "dist/playground.js", "dist/playground.d.ts", "dist/engine.wasm", "dist/kernel.wasm", "dist/stage.wasm", "dist/print.wasm"]) {
    assert.ok(existsSync(join(installed, name)), name);
  }
});

test("the widget keeps the traits of a notebook in step with the playground, and ends with its cell", async () => {
  const cdn = await host(installed);
  const page = await (await chromium.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  const complaints = listen(page);
  await page.goto(await barePage(cdn));
  const seen = await page.evaluate(async (module) => {
    const { default: widget } = await import(module);
    /** @type {Record<string, any>} */
    const traits = { preset: "fig1-quick", link: "", parts: "prior,experiment,controls", conclusion: "", fingerprint: "", refused: "", summary: {}, belief: null };
    /** A model of anywidget's protocol: a trait that changes on either side is told to the other, and twice the same is no change. */
    const hearers = /** @type {Map<string, Set<(message?: unknown) => void>>} */ (new Map());
    const told = (/** @type {string} */ event, /** @type {unknown} */ message = undefined) => hearers.get(event)?.forEach((hear) => void hear(message));
    let saved = () => {};
    const model = {
      get: (/** @type {string} */ name) => traits[name],
      set: (/** @type {string} */ name, /** @type {unknown} */ value) => {
        if (traits[name] === value) return;
        traits[name] = value;
        told(`change:${name}`);
      },
      save_changes: () => saved(),
      on: (/** @type {string} */ event, /** @type {() => void} */ hear) => void hearers.set(event, (hearers.get(event) ?? new Set()).add(hear)),
      off: (/** @type {string} */ event, /** @type {() => void} */ hear) => void hearers.get(event)?.delete(hear),
    };
    const until = (/** @type {() => boolean} */ so) => new Promise((done) => {
      saved = () => so() && done(undefined);
      saved();
    });
    const cell = document.body.appendChild(document.createElement("div"));
    const end = await widget.render({ model, el: cell });
    await until(() => traits["link"].includes("runs=4"));
    told("msg:custom", "run");
    await until(() => traits["summary"].episodes !== undefined);
    await until(() => traits["belief"] !== null);
    const { conclusion, fingerprint, summary, belief } = traits;
    model.set("link", "v=1&domain=figure1&runs=2&episodes=30"); // as Python does
    await until(() => traits["link"] === "v=1&domain=figure1&episodes=30&runs=2"); // as the playground writes it
    model.set("link", "v=1&domain=figure1&episodes=0");
    await until(() => traits["refused"] !== "");
    const { refused } = traits;
    end();
    return { conclusion, fingerprint, belief, agents: [...new Set(summary.series.map((/** @type {{agent: string}} */ { agent }) => agent))], refused, left: cell.querySelectorAll("cpsrl-playground").length, hearers: [...hearers.values()].map(({ size }) => size) };
  }, `${cdn}dist/widget.js`);
  assert.equal(seen.fingerprint, golden.presets["fig1-quick"]);
  assert.match(seen.conclusion, /^Cumulative regret after 60 episodes/);
  assert.match(seen.refused, /episodes/i);
  // The last record of cpsrl run -preset fig1-quick -agents c-psrl -runs 1.
  const [names, sampled, probable] = [["X1", "X2", "X3", "X4"], [[0, 1, 2], [1, 3]], [[1, 1, 1, 0], [0.01, 1, 0.023, 1]]];
  assert.deepEqual(seen.belief, {
    agent: "c-psrl", run: 0, episode: 60,
    graph: sampled.flatMap((parents, j) => parents.map((i) => [names[i], names[j]])),
    edges: probable.flatMap((row, j) => row.map((p, i) => ({ from: names[i], to: names[j], p }))),
  });
  assert.deepEqual([seen.agents, seen.left, seen.hearers], [["psrl", "f-psrl", "c-psrl"], 0, [0, 0]]);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test("the tarball's types know the element's methods, commands and events", () => {
  writeFileSync(join(folder, "typed.ts"), `import { embed, PlaygroundElement, type Figure } from "cpsrl-playground";
const element: PlaygroundElement = document.createElement("cpsrl-playground");
element.addEventListener("finished", ({ detail }) => { const print: string | undefined = detail.fingerprint; console.log(print); });
element.setTheme("dark");
element.tell({ type: "episode", episode: 40, moment: "plan" });
element.addEventListener("moment", ({ detail }) => console.log(detail.text));
const ended = ({ detail }: CustomEvent<{ readonly runs: number }>): void => console.log(detail.runs);
element.addEventListener("finished", ended);
element.removeEventListener("finished", ended);
const clicked = (event: MouseEvent): void => console.log(event.clientX);
element.addEventListener("click", clicked);
element.removeEventListener("click", clicked);
element.heading = "Our taxi";
element.inline = true;
element.addEventListener("error", ({ detail }) => console.log(detail.detail.length));
export async function figure(place: Element): Promise<Figure> {
  const p = await embed(place, { preset: "fig2c-quick", parts: ["experiment"], theme: "dark" });
  const remove: () => void = p.on("progress", ({ done, total }) => console.log(done / total));
  await p.show({ spec: { format: "cpsrl/spec" } });
  const { fingerprint = "" } = await p.run();
  console.log(fingerprint, p.state?.link, (await p.svg()).length);
  console.log((await p.belief({ episode: 3 }))?.edges?.[0]?.from);
  await p.tell({ type: "episode", episode: 40 });
  // @ts-expect-error
  await p.tell({ type: "episode" });
  // @ts-expect-error
  await p.show({ link: "", model: {} });
  remove();
  return p.summary();
}
// @ts-expect-error
element.tell({ type: "speed", speed: 3 });
// @ts-expect-error
element.setTheme("green");
new PlaygroundElement().run();
`);
  execFileSync(process.execPath, [join(root, "site/node_modules/typescript/bin/tsc"), "--noEmit", "--strict", "--ignoreConfig", "--types", "", "--module", "esnext", "--moduleResolution", "bundler", "--target", "es2022", "typed.ts"], { cwd: folder });
});

test("a server may import the package, and gets the client and a class", () => {
  const words = execFileSync(process.execPath, ["--input-type=module", "-e", 'import { embed, PlaygroundElement } from "cpsrl-playground"; console.log(typeof embed, typeof PlaygroundElement)'], { cwd: folder, encoding: "utf8" });
  assert.equal(words, "function function\n");
});

test("the element meets its golden fingerprint in a page that Vite builds", async () => {
  execFileSync(process.execPath, [join(root, "site/node_modules/vite/bin/vite.js"), "build", "--logLevel", "warn"], { cwd: folder });
  const { complaints, close } = await inChromium(await host(join(folder, "dist")));
  assert.deepEqual(complaints, []);
  await close();
});

test("the element meets its golden fingerprint in a bare page of another origin with a policy, opens its stage and exports a PDF", async () => {
  const { page, complaints, close } = await inChromium(await barePage(await host(installed)));
  await find.watch(page).click();
  await find.showing(page).waitFor();
  assert.equal(await page.isVisible("cpsrl-playground #whole"), false, "there is no link to a site");
  const given = await page.evaluate(`(async () => {
    const { embed } = await import(document.querySelector("script").src);
    const p = await embed(document.body.appendChild(document.createElement("div")), { link: "v=1&agents=psrl,c-psrl&domain=figure1&episodes=20&runs=2" });
    p.element.scrollIntoView(); // off screen, nothing runs
    const { fingerprint } = await p.run();
    const { runs, ...summary } = await p.summary();
    const svg = await p.svg();
    p.stop();
    return { runs, same: summary.fingerprint === fingerprint, svg: svg.startsWith("<svg"), left: document.querySelectorAll("cpsrl-playground").length };
  })()`);
  assert.deepEqual(given, { runs: 2, same: true, svg: true, left: 1 }, "the client works here, too");
  await find.exporting(page).click();
  await find.exportFormat(page).selectOption("pdf");
  await find.dialog(page, "Export").getByText(/\.pdf, \d+ kB/).waitFor();
  await page.keyboard.press("Escape");
  assert.deepEqual(complaints, []);
  await close();
});

test("the element opens in a page without an address of its own: a srcdoc frame, and a page of a blob", async () => {
  const cdn = await host(installed);
  const within = `<!doctype html><html lang="en"><title>A notebook</title><script type="module" src="${cdn}dist/playground.js"></script><cpsrl-playground preset="fig1-quick">Figure</cpsrl-playground>`;
  const folderOf = mkdtempSync(join(folder, "notebook-"));
  writeFileSync(join(folderOf, "index.html"), '<!doctype html><html lang="en"><title>Frames</title><link rel="icon" href="data:,"><iframe title="srcdoc" width="900" height="700"></iframe><iframe title="blob" width="900" height="700"></iframe>');
  const page = await (await chromium.newContext()).newPage();
  await page.goto(await host(folderOf));
  await page.evaluate((within) => {
    const [srcdoc, blob] = document.querySelectorAll("iframe");
    if (!srcdoc || !blob) return;
    srcdoc.srcdoc = within;
    blob.src = URL.createObjectURL(new Blob([within], { type: "text/html" }));
  }, within);
  for (const title of ["srcdoc", "blob"]) {
    const figure = page.frameLocator(`iframe[title=${title}]`);
    await figure.getByRole("button").first().click();
    await figure.getByRole("button", { name: /^Run/ }).waitFor();
    await figure.locator(".playground #chart path.curve").first().waitFor();
  }
  await page.context().close();
});

test("in Firefox, the element meets its golden fingerprint in a bare page", async () => {
  await fox.open(await barePage(await host(installed)));
  assert.equal((await fox.run(runElement)).fingerprint, fingerprint);
});

test("in Chromium, the single file meets its golden fingerprint from file://, requests nothing and opens its stage", async () => {
  const page = await (await chromium.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  const complaints = listen(page);
  page.on("request", (request) => request.url() === single || /^(data|blob|about):/.test(request.url()) || complaints.push(`request to ${request.url()}`));
  await page.goto(single);
  assert.match((await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute("content")) ?? "", /^default-src 'none';.* form-action 'none';/);
  await page.waitForSelector("html[data-state=ready]");
  await find.choose(page, "fig2c-quick");
  await find.run(page).click();
  await page.waitForSelector("html[data-state=finished]");
  await find.unfold(page, "About these numbers");
  assert.equal(await find.fingerprint(page).textContent(), fingerprint);
  await find.watch(page).click();
  await find.showing(page).waitFor();
  await find.exporting(page).click();
  const formats = find.exportFormat(page);
  await formats.waitFor();
  assert.deepEqual(await formats.locator("optgroup[label=Figure] option").evaluateAll((options) => options.map((option) => /** @type {HTMLOptionElement} */ (option).value)), ["svg", "png", "tex", "figure"]);
  await page.keyboard.press("Escape");
  await find.share(page).click();
  assert.match(await find.copyable(page, "Link with receipt").inputValue(), new RegExp(`^${single}#.*receipt=${golden.engine}-${fingerprint}`));
  const [licences] = await Promise.all([page.waitForEvent("download"), page.locator("a[download]").evaluate((link) => /** @type {HTMLAnchorElement} */ (link).click())]);
  assert.match(readFileSync(await licences.path(), "utf8"), /^C-PSRL playground\n=+\n\nMIT License/);
  assert.equal(await page.isVisible("#sandboxed"), false, "the page does not mistake its file for a sandboxed frame");
  await page.keyboard.press("Escape");
  await find.more(page).click();
  await find.theme(page).waitFor();
  assert.equal(await page.locator('[href*="docs/"], [href*="gallery/"], [href*="source.zip"], #embed:visible').count(), 0, "no link leads to an unknown site");
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test("in Firefox, the single file meets its golden fingerprint from file:// and opens its stage", async () => {
  await fox.open(single);
  const until = (/** @type {string} */ condition) => fox.run(`while (!(${condition})) { if (document.documentElement.dataset.state === "failed") throw new Error(document.getElementById("failure").textContent); await new Promise((go) => setTimeout(go, 50)); }`);
  await until('document.documentElement.dataset.state === "ready"');
  await fox.run('const menu = document.getElementById("preset"); menu.append(new Option("quick", "fig2c-quick")); menu.value = "fig2c-quick"; menu.dispatchEvent(new Event("change", { bubbles: true })); document.getElementById("run").click();');
  await until('document.documentElement.dataset.state === "finished"');
  assert.equal(await fox.run('return document.getElementById("fingerprint").textContent;'), fingerprint);
  await fox.run('document.getElementById("watch-open").click();');
  await until('document.getElementById("watch").dataset.watch === "showing"');
});

test("the zip holds the files of the site in order", () => {
  const zip = join(release, "dist.zip");
  const names = execFileSync("unzip", ["-Z1", zip], { encoding: "utf8" }).trim().split("\n");
  const dist = join(root, "dist");
  const files = readdirSync(dist, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  assert.deepEqual(names, files.map((entry) => relative(dist, join(entry.parentPath, entry.name))).sort());
  execFileSync("unzip", ["-q", zip, "-d", join(folder, "unzipped")]);
  execFileSync("diff", ["-r", dist, join(folder, "unzipped")]);
});

test("the snippets of the documents name files of the package, presets and the element", () => {
  const text = ["site/docs/embed.md", "site/npm/README.md"].map((file) => readFileSync(join(root, file), "utf8")).join("\n");
  const { exports } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  assert.ok(existsSync(join(installed, exports["."].default)), "the name of the package leads to a module");
  const paths = [...text.matchAll(/cpsrl-playground(?:@\d+\/dist)?\/(\w[\w.]*)/g)].map(([, path = ""]) => path);
  assert.ok(paths.length >= 4);
  for (const path of paths) assert.ok(existsSync(join(installed, "dist", path)), path);
  assert.deepEqual([...new Set([...text.matchAll(/cpsrl-playground@(\d+)/g)].map(([, version]) => Number(version)))], [golden.engine]);
  const presets = [...text.matchAll(/ preset="(\w[\w-]*)"/g)].map(([, preset = ""]) => preset);
  assert.ok(presets.length >= 5);
  for (const preset of presets) assert.ok(existsSync(join(root, "dist", preset, "index.html")), preset);
});

test("a deploy takes the site of each earlier engine from its newest release", () => {
  const releases = join(folder, "releases");
  for (const [tag, engine] of /** @type {const} */ ([["v1.9.0", 1], ["v1.10.0", 1], ["v2.0.0", 2], ["v3.1.0", 3]])) {
    mkdirSync(join(releases, tag), { recursive: true });
    const pages = Object.fromEntries(Array.from({ length: engine }, (_, k) => [k + 1, `v${k + 1}/`]));
    writeFileSync(join(releases, tag, "dist.zip"), zipSync({ "index.html": strToU8(tag), "versions.json": strToU8(JSON.stringify({ pages })) }));
  }
  const take = (/** @type {string} */ engine) => execFileSync(process.execPath, [join(root, "site/earlier.mjs"), releases, join(folder, `before${engine}`), engine]);
  take("3");
  assert.deepEqual(readdirSync(join(folder, "before3")), ["v1", "v2"]);
  assert.equal(readFileSync(join(folder, "before3/v1/index.html"), "utf8"), "v1.10.0");
  take("1");
  assert.deepEqual(readdirSync(join(folder, "before1")), []);
});
