// Finds the elements of the page as a person or a screen reader does, by role and name. Whatever several
// test files look for has its finder here. Hidden elements are not found: a test opens their drawer first.

import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { patience } from "./patience.mjs";

/**
 * A page, a frame, or a part of either.
 * @typedef {Pick<import("playwright-core").Page, "getByRole" | "locator">} Place
 */

/** @typedef {Parameters<import("playwright-core").Page["getByRole"]>[0]} Role */

/** Finds an element by its role and exact name. @param {Role} role @param {string | RegExp} name */
const named = (role, name) => (/** @type {Place} */ place) => place.getByRole(role, { name, exact: true });

// The head of the page.

export const run = named("button", /^Run( \d+)?$/); // with the number of runs, once the page knows it
export const stop = named("button", "Stop");
export const presets = named("combobox", "Preset");

/** Puts a quick preset into the menu, which does not offer it; links lead to it. @param {Place} place @param {string} preset */
export const offer = (place, preset) =>
  presets(place).evaluate((menu, name) => {
    if (menu instanceof HTMLSelectElement && ![...menu.options].some(({ value }) => value === name)) menu.append(new Option(name, name));
  }, preset);

/** Chooses a preset, and waits until the engine has accepted it. @param {Place} place @param {string | { label: string }} preset */
export async function choose(place, preset) {
  if (typeof preset === "string") await offer(place, preset);
  await presets(place).selectOption(preset);
  await place.locator("#problem dd", { hasText: /^[\d,]+ · [\d,]+$/ }).first().waitFor({ state: "attached" });
}
export const share = named("button", "Share");
export const more = (/** @type {Place} */ place) => place.locator("#menu > summary");
export const embed = named("button", "Embed"); // in the menu
export const theme = named("button", /^Theme: /); // in the menu

/** Opens the menu of the header, and presses what it offers. @param {Place} place @param {(place: Place) => import("playwright-core").Locator} of */
export async function chooseMore(place, of) {
  if ((await more(place).count()) > 0 && !(await of(place).isVisible())) await more(place).click(); // a document has no menu
  await of(place).click();
}
export const tour = named("button", "Tour");

/** The notices: a landmark on the playground's own page, a group on any other page. @param {Place} place */
export const notices = (place) => named("region", "Notices")(place).or(named("group", "Notices")(place));

/** Finds a sentence by its id, because it has neither a role nor a name. @param {string} id */
const words = (id) => (/** @type {Place} */ place) => place.locator(`#${id}`);
export const status = words("status"); // the progress bar is described by it

/** The text of the notice that matches; without words, of the only notice. @param {Place} place @param {RegExp} [words] */
export const notice = (place, words = /./) => notices(place).getByRole("paragraph").filter({ hasText: words });

/** What that notice says. @param {Place} place @param {RegExp} [words] */
export const noticed = async (place, words) => (await notice(place, words).textContent()) ?? "";

/** The live region that tells screen readers what happens; the page has other elements with the role status. @param {Place} place */
export const announcements = (place) => place.getByRole("status").and(place.locator("#live"));

/** The live region, once it says this. @param {Place} place @param {RegExp} words */
export const announced = (place, words) => announcements(place).filter({ hasText: words });

/** The share of the experiment that is computed, from 0 to 1. @param {Place} place */
export const done = async (place) => Number(await named("progressbar", "Progress")(place).getAttribute("value"));

/** An open dialog. @param {Place} place @param {string} name */
export const dialog = (place, name) => named("dialog", name)(place);

/** A field of a dialog that holds a link or code to copy. @param {Place} place @param {string | RegExp} name */
export const copyable = (place, name) => named("textbox", name)(place);

// The settings.

export const settings = named("form", "Settings");
export const domain = named("combobox", "Domain");
export const episodes = named("textbox", "Episodes K");
export const runs = named("textbox", "Runs");
export const firstRun = named("textbox", "First run");
export const horizon = named("textbox", "Horizon H");
export const grid = named("combobox", "Grid");
export const seed = named("textbox", "Seed");
export const newSeed = named("button", "New seed");
export const reset = named("button", "Reset");

/** The checkbox of an agent. @param {Place} place @param {string} name */
export const agent = (place, name) => named("group", "Agents")(place).getByRole("checkbox", { name, exact: true });

// The prior.

export const prior = named("region", "What you know");
export const priorFrom = named("combobox", "What is known");
export const undo = named("button", "Undo");
export const redo = named("button", "Redo");
export const clear = named("button", "Clear");
export const matrix = named("grid", /^Known edges/);
export const view = (/** @type {Place} */ place, /** @type {"Matrix" | "Graph" | "Text"} */ name) => named("tab", name)(place);
export const picture = named("tabpanel", "Graph");
export const priorText = named("textbox", "The prior as text, one edge a line");
export const language = named("combobox", "Language");
export const reveal = (/** @type {Place} */ place) => named("button", "Reveal the true graph")(prior(place));
export const conceal = (/** @type {Place} */ place) => named("button", "Hide the true graph")(prior(place));
export const pen = named("combobox", "A click marks an edge as");
export const sparseness = named("textbox", "Sparseness Z");
export const trust = named("textbox", "Trust in the prior’s edges");
export const falseEdges = named("textbox", "False edges per variable");

/** The matrix cells of the edges that start at a variable. @param {Place} place @param {string} x */
export const cellsFrom = (place, x) => matrix(place).getByRole("row", { name: new RegExp(`^${x} `) }).getByRole("gridcell");

/** The matrix cells whose name matches. @param {Place} place @param {RegExp} name */
export const cells = (place, name) => matrix(place).getByRole("gridcell", { name });

// The experiment.

export const measure = named("combobox", "Measure");
export const logScale = named("button", "Log scale");
export const logEpisodes = named("button", "Log episodes");
export const difference = (/** @type {Place} */ place) => named("group", "View")(place).getByRole("button", { name: /−/ });
export const shows = (/** @type {Place} */ place) => named("combobox", "Show")(named("group", "View")(place));
export const keep = (/** @type {Place} */ place) => named("group", "Results")(place).getByRole("button", { name: /^(Keep as [A-D]|Drop [A-D]|4 kept at most)$/ });
export const kept = named("list", "Kept results");
export const readout = (/** @type {Place} */ place) => named("region", "Values at an episode")(place).getByRole("table");
export const data = (/** @type {Place} */ place) => named("region", "Data behind the chart")(place).getByRole("table");
export const source = words("source");
export const caption = words("caption");
export const conclusion = words("conclusion");
export const shownInstead = words("band-words"); // says why the chart shows means although the visitor chose something else
export const unplotted = words("empty"); // stands in place of the chart

/** @param {Place} place @param {string | RegExp} name */
export const heading = (place, name) => named("heading", name)(place);

/** The description of a term in a list of terms. @param {Place} place @param {string} term */
export const fact = (place, term) => place.getByRole("term").filter({ hasText: new RegExp(`^${term}$`) }).locator("xpath=following-sibling::dd[1]");

/** The fingerprint of the records. @param {Place} place */
export const fingerprint = (place) => fact(place, "Fingerprint");
/** The same in an embed, whose words about the numbers are folded. @param {Place} place */
export const foldedFingerprint = (place) => place.locator("#fingerprint-row:not([hidden]) dd");

export const exporting = named("button", "Export…");
export const exportFormat = (/** @type {Place} */ place) => named("combobox", "Format")(dialog(place, "Export"));

/** The alert that says what failed. @param {Place} place */
export const failure = (place) => place.getByRole("alert");

/** A drawer (an element details), found by its heading. @param {Place} place @param {string} name */
export const fold = (place, name) => place.getByRole("group").filter({ hasText: new RegExp(`^\\s*${name}`) });

/** Opens a drawer, unless it is open. @param {Place} place @param {string} name */
export async function unfold(place, name) {
  const drawer = fold(place, name);
  if (!(await drawer.evaluate((details) => /** @type {HTMLDetailsElement} */ (details).open))) await drawer.getByText(name, { exact: true }).click();
}

/** The heading of the prior's drawer. */
export const moreOfPrior = "Likely edges, trust, worth";

/** The heading of the figure's drawer. */
export const moreOfFigure = "Axes, bands, data";

/** The body rows of a table. @param {Place} table */
export const rows = (table) => table.getByRole("rowgroup").last().getByRole("row");

// The chart, its input, which reads out an episode, the button that watches the chosen episode, and its mark at the episode that the stage shows.

export const chart = named("group", / by episode(, by agent)?$/);
export const reading = (/** @type {Place} */ place) => named("slider", "Episode")(chart(place));
export const watchChosen = (/** @type {Place} */ place) => chart(place).getByRole("button", { name: /^Watch episode \d+/ });
export const cursor = (/** @type {Place} */ place) => place.locator("#chart-cursor:not([hidden])");

// The stage.

export const stage = named("region", "What it does");
export const watch = named("button", "Watch this run step by step");
export const transport = named("group", "Transport");
export const play = (/** @type {Place} */ place) => named("button", "Play")(place.locator("#watch-body"));
export const pause = (/** @type {Place} */ place) => named("button", "Pause")(place.locator("#watch-body"));
export const step = (/** @type {Place} */ place) => named("button", "Next moment")(transport(place));
export const back = (/** @type {Place} */ place) => named("button", "One moment back")(transport(place));
export const nextEpisode = (/** @type {Place} */ place) => named("button", "Next episode")(transport(place));
export const speed = named("combobox", "Speed");
export const watchedAgent = (/** @type {Place} */ place) => named("combobox", "Agent")(stage(place));
export const watchedRun = named("combobox", "Run");
export const hide = named("button", "Hide");
export const episode = (/** @type {Place} */ place) => named("slider", "Episode")(place.locator("#watch-body"));

/** The button that takes the stage to a moment of its episode. @param {Place} place @param {"Sample" | "Plan" | "Act" | "Update"} name */
export const moment = (place, name) => named("button", name)(named("group", "Moment")(place));

/** The button of the moment that the stage shows. @param {Place} place */
export const now = (place) => named("group", "Moment")(place).getByRole("button").and(place.locator("[aria-current]"));

export const sentence = words("watch-text"); // describes the moment that the stage shows
export const stageNote = words("watch-note"); // for example, that there is no WebGL 2

/** The stage's sentence, once it begins with these words or matches. @param {Place} place @param {string | RegExp} words */
export const said = (place, words) => stage(place).getByRole("paragraph").filter({ hasText: typeof words === "string" ? new RegExp(`^${words}`) : words });

export const film = named("figure", "A recorded run");
export const stepOf = named("slider", "Step");
export const parentsOf = named("combobox", "Parents of");
export const parentSets = (/** @type {Place} */ place) => named("region", "Parent sets")(place).getByRole("table");
export const planned = (/** @type {Place} */ place) => named("region", "Values and policy")(place).getByRole("table");
export const sampledGraph = named("table", "The sampled graph");
export const drawnModel = named("combobox", "Model");
export const drawnPassenger = named("combobox", "Passenger");
export const edgeWidth = named("combobox", "An edge’s width tells");

/** The stage once it shows something. @param {Place} place */
export const showing = (place) => stage(place).and(place.locator("[data-watch=showing]"));

// The element <cpsrl-playground> on other pages.

export const runHere = named("button", /▶ Try it here$/);

/**
 * Waits until a condition holds.
 * @param {() => Promise<boolean>} so the condition
 * @param {string} what the condition in words, for the message of a failure
 */
export async function until(so, what) {
  const latest = Date.now() + patience;
  while (!(await so())) {
    if (Date.now() > latest) throw new Error(`waited in vain: ${what}`);
    await new Promise((later) => setTimeout(later, 50));
  }
}

/**
 * Waits until a look at the page gives what is wanted. A failure shows both.
 * @template T
 * @param {() => Promise<T>} look
 * @param {T} want
 * @param {string} what
 */
export async function becomes(look, want, what) {
  const latest = Date.now() + patience;
  let seen = await look();
  for (; !isDeepStrictEqual(seen, want) && Date.now() < latest; seen = await look()) await new Promise((later) => setTimeout(later, 50));
  assert.deepEqual(seen, want, what);
}

/** The visible descriptions of a field: help, range, error, or those that a selector finds. @param {import("playwright-core").Locator} of @param {string} [selector] */
export const described = (of, selector = "*") =>
  of.evaluate((field, selector) => {
    const root = /** @type {Document | ShadowRoot} */ (field.getRootNode());
    const parts = (field.getAttribute("aria-describedby") ?? "").split(" ").map((id) => root.getElementById(id));
    return parts.flatMap((part) => (part && !part.hidden && part.matches(selector) ? [part.textContent ?? ""] : []));
  }, selector);

/** Waits until a field's error matches. Its range, which also describes it, may have the same words. @param {import("playwright-core").Locator} of @param {RegExp} words */
export const refused = (of, words) => until(async () => words.test((await described(of, ".error")).at(-1) ?? ""), `${of} is refused: ${words}`);

/** Waits until a field is accepted. @param {import("playwright-core").Locator} of */
export const accepted = (of) => until(async () => (await of.getAttribute("aria-invalid")) === null, `${of} is accepted`);

/** Whether an element has the focus. @param {import("playwright-core").Locator} of */
export const focused = (of) => of.evaluate((element) => /** @type {Document | ShadowRoot} */ (element.getRootNode()).activeElement === element);

/**
 * Presses a button that asks for a file, and chooses this file.
 * @param {import("playwright-core").Page} page
 * @param {"Open a file…" | "Open results…" | "Choose transitions…" | "Choose a prior or a model…"} name the button
 * @param {Parameters<import("playwright-core").FileChooser["setFiles"]>[0]} file
 */
export async function openFile(page, name, file) {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name, exact: true }).click()]);
  await chooser.setFiles(file);
}

/** Waits until an element's text matches, even if only for one frame. @param {import("playwright-core").Locator} of @param {RegExp} words */
export const passes = (of, words) =>
  of.evaluate(
    (place, { source, patience }) =>
      new Promise((done, fail) => {
        const latest = Date.now() + patience;
        const look = () => {
          if (new RegExp(source).test(place.textContent ?? "")) done(undefined);
          else if (Date.now() > latest) fail(new Error(`waited in vain: ${source}; it says ${place.textContent}`));
          else requestAnimationFrame(look);
        };
        look();
      }),
    { source: words.source, patience },
  );

/** Waits until a field holds this value. @param {import("playwright-core").Locator} field @param {string} value */
export const holds = (field, value) => until(async () => (await field.inputValue()) === value, `${field} holds ${value}`);
