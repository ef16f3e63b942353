// Where things are, as a person or a screen reader finds them: by role and name. What several files
// find has its name here, once. Hidden things are not found: what must be opened is opened first.

/**
 * A page, a frame in it or a part of either.
 * @typedef {Pick<import("playwright-core").Page, "getByRole" | "locator">} Place
 */

/** @typedef {Parameters<import("playwright-core").Page["getByRole"]>[0]} Role */

/** What has this role and just this name. @param {Role} role @param {string | RegExp} name */
const named = (role, name) => (/** @type {Place} */ place) => place.getByRole(role, { name, exact: true });

// The head of the page.

export const run = named("button", /^Run( \d+)?$/); // so many runs, once the page knows how many
export const stop = named("button", "Stop");
export const progress = named("progressbar", "Progress");
export const presets = named("combobox", "Preset");
export const share = named("button", "Share");
export const embed = named("button", "Embed");
export const notices = named("region", "Notices");

/** What the progress bar is described by; it has no role of its own. @param {Place} place */
export const status = (place) => place.locator("#status");

/** The words of a notice that says this, or of the only one. @param {Place} place @param {RegExp} [words] */
export const notice = (place, words = /./) => notices(place).getByRole("paragraph").filter({ hasText: words });

/** What such a notice says. @param {Place} place @param {RegExp} [words] */
export const noticed = async (place, words) => (await notice(place, words).textContent()) ?? "";

/** What is announced, for those who cannot see it, and says this. @param {Place} place @param {RegExp} words */
export const announced = (place, words) => place.getByRole("status").filter({ hasText: words });

/** How much of a run is done, from 0 to 1. @param {Place} place */
export const done = async (place) => Number(await progress(place).getAttribute("value"));

/** An open dialog. @param {Place} place @param {string} name */
export const dialog = (place, name) => named("dialog", name)(place);

/** A link or a code in a dialog, to be copied. @param {Place} place @param {string | RegExp} name */
export const copyable = (place, name) => named("textbox", name)(place);

// The settings.

export const settings = named("form", "Settings");
export const domain = named("combobox", "Domain");
export const episodes = named("textbox", "Episodes K");
export const runs = named("textbox", "Runs");
export const seed = named("textbox", "Seed");
export const reset = named("button", "Reset");

/** The box of an agent. @param {Place} place @param {string} name */
export const agent = (place, name) => named("group", "Agents")(place).getByRole("checkbox", { name, exact: true });

// The prior.

export const prior = named("region", "Prior: edges you know");
export const priorFrom = named("combobox", "What is known");
export const undo = named("button", "Undo");
export const clear = named("button", "Clear");
export const matrix = named("grid", /^Known edges/);

// The experiment.

export const measure = named("combobox", "Measure");
export const logScale = named("button", "Log scale");

/** What a list of terms says about one of them. @param {Place} place @param {string} term */
export const fact = (place, term) => place.getByRole("term").filter({ hasText: new RegExp(`^${term}$`) }).locator("xpath=following-sibling::dd[1]");

/** The fingerprint of the records. @param {Place} place */
export const fingerprint = (place) => fact(place, "Fingerprint");

/**
 * Waits until something is so.
 * @param {() => Promise<boolean>} so
 * @param {string} what is waited for
 */
export async function until(so, what) {
  const latest = Date.now() + Number(process.env["PATIENCE"] ?? 120_000);
  while (!(await so())) {
    if (Date.now() > latest) throw new Error(`waited in vain: ${what}`);
    await new Promise((later) => setTimeout(later, 50));
  }
}

/** Waits until a field holds this. @param {import("playwright-core").Locator} field @param {string} value */
export const holds = (field, value) => until(async () => (await field.inputValue()) === value, `${field} holds ${value}`);
