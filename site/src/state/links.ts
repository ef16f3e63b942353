// The link to what is shown: encode(spec, view). It is written into the address and read
// from it. The engine writes and reads every link; entries.ts says when the address follows.

import catalogue from "cpsrl:catalogue";
import { effect, signal, untracked } from "@preact/signals-core";
import type { Address } from "../address";
import { sentence } from "../dom";
import * as engine from "../engine/engine";
import type { Checked, Linked, Opened, PresetEntry, Receipt, Spec, SweepLink, View } from "../formats";
import { later } from "../lost";
import type { App, Left } from "./app";
import { Autorun } from "./autorun";
import { type Entries, type Event, step, waits } from "./entries";
import { isLine, isSpec } from "./history";
import { Latest } from "./latest";
import { presetOf } from "./spec";
import { isPlain, linkable } from "./view";

/** Why a link is not shown: something else was asked for meanwhile. */
export const overtaken = "another experiment was asked for since";

/** The longest link that the engine reads (core/spec/link.go). */
export const longest = 65536;

/** How many milliseconds a view stays the same before the address follows it. A stage that plays changes the view all the time. */
const rest = 300;

/** How many characters of its history an entry keeps. */
const mostKept = 1 << 20;

const none: readonly string[] = [];

export class Links {
  /** The link to what is shown; "" until there is one. */
  readonly link = signal("");
  /** What is shown if no link can hold it, and why. */
  readonly homeless = signal<{ readonly spec: Spec; readonly why: string } | undefined>(undefined);
  /** The spec of the link in the address, if that cannot be shown because the page does not have the transitions that the spec names. */
  readonly awaiting = signal<Spec | undefined>(undefined);
  /** Whether a link of a sweep opens that. Elsewhere it opens the experiment without what varies. */
  sweeps = false;
  /** The sweep that is to be shown, because its link was opened. */
  readonly swept = signal<SweepLink | undefined>(undefined);
  readonly auto: Autorun;
  /** Resolves when the link has followed what is shown. */
  following: Promise<void> = Promise.resolve();
  #entries: Entries;
  /** What the engine accepted last, and the edit that led there. */
  #accepted: { readonly checked: Checked; readonly edit: number } | undefined;
  /** Resolves when the engine has read the link that was opened last, or has refused it. */
  #reading: Promise<unknown> = Promise.resolve();
  /** How many of the link's unknown pairs the notice names. */
  #named = 0;
  /** The requests to open a link, and the requests to write one into the address. */
  readonly #requests = new Latest();
  readonly #writes = new Latest();

  constructor(
    private readonly app: App,
    private readonly address: Address,
  ) {
    this.auto = new Autorun(app, address, () => this.#entries.opened);
    const { preset } = this;
    this.#entries = { link: address.link, edit: 0, plain: preset?.link, waits: preset ? undefined : { for: "due" } };
    app.settling.add(() => this.#fill());
    address.follow(() => this.#moved());
    effect(() => {
      const [checked, view] = [app.checked.value, app.view.value];
      if (checked) untracked(() => void (this.following = this.#follow(checked, view)));
    });
  }

  /** The preset that the address asks for, which needs no engine. Undefined: the address has a link to open. */
  get preset(): PresetEntry | undefined {
    const { link } = this.address;
    return link === "" ? this.app.own : presetOf(link);
  }

  /** The state in which the entry in the address was left. */
  get left(): Left | undefined {
    return leftIn(this.address.entry);
  }

  /** The pairs of the opened link that this version does not know. They stay in the link. */
  get #unknown(): readonly string[] {
    return this.#entries.opened?.unknown ?? none;
  }

  #step(event: Event): void {
    const { state, write, notice } = step(this.#entries, event);
    this.#entries = state;
    if (write) this.address.write(write.link, write.push, kept(this.app.left));
    if (notice !== undefined) notice === "" ? this.app.dismiss("link") : this.app.notify("link", notice, "bad");
  }

  /** Lets the link in the address, or the one that is being opened, fill the form before the form is checked. */
  async #fill(): Promise<void> {
    const { link, entry } = this.address;
    const { waits } = this.#entries;
    const form = this.app.form.value;
    if (waits?.for === "due" && (waits.form ?? form) === form) await this.open(link, entry === undefined);
    else await this.#reading;
  }

  /** Shows a preset, as an edit. The address gets its link at once, so that Back leads to what was shown before. */
  choose(preset: PresetEntry): void {
    const { app } = this;
    this.drop();
    app.begin();
    void app.show(preset.spec, { preset });
    this.#writes.next();
    this.#step({ type: "accepted", link: preset.link, plain: preset.link, edit: app.edits });
  }

  /** Stops opening a link, because something else is to be shown. */
  drop(): void {
    this.#requests.next();
    this.#step({ type: "dropped" });
  }

  /** Ends the links of a playground: none is opened and nothing runs by itself any more. */
  leave(): void {
    this.drop();
    this.auto.run = undefined;
  }

  /** Opens a link and shows it, in the state in which it was left if that is known. A fresh link, to which nobody has gone back, is also run if it is cheap. A text says why it is not shown. */
  async open(link: string, fresh: boolean, left?: Left): Promise<string | undefined> {
    const { app } = this;
    const signal = this.#requests.next();
    const there = link === this.address.link; // unlike a host's link or one of the tour's
    this.#step({ type: "reading" });
    this.awaiting.value = undefined;
    app.dismiss("unknown", "cost", "receipt", "repaired", "sweep");
    let opened: Opened, checked: Checked;
    try {
      const reading = read(link, signal, (spec) => (this.awaiting.value = there ? spec : undefined));
      this.#reading = reading.catch(() => {});
      ({ opened, checked } = await reading);
    } catch (error) {
      if (signal.aborted) return overtaken;
      const why = engine.detailOf(error);
      app.opened.value ||= 1; // the form keeps the preset, so the chart shows the preset's figure
      const beside = app.checked.value?.link ?? app.preset.value.link;
      this.#step({ type: "refused", why, answered: error instanceof engine.Refused, there, beside, form: app.form.value });
      return why;
    }
    if (signal.aborted) return overtaken;
    const { link: plain } = checked;
    this.#step({ type: "opened", read: { ...opened, plain }, edit: app.edits });
    if (opened.repaired) app.notify("repaired", opened.repaired);
    this.#named = 0;
    await app.show(opened.spec, { preset: presetOf(plain), left: left ?? (there ? this.left : undefined), view: opened.view, checked });
    if (signal.aborted) return overtaken;
    this.#sweep(opened, plain, fresh);
    return undefined;
  }

  /** Has the sweep of a link shown, or asks first whether it is wanted if someone has gone back to it. Any other fresh link is run if it is cheap. */
  #sweep(opened: Opened, plain: string, fresh: boolean): void {
    const { sweep } = opened;
    const swept = this.sweeps ? sweep : undefined;
    if (fresh && !swept) void this.auto.offer(opened, plain);
    if (fresh && swept) this.swept.value = swept;
    else if (swept)
      this.app.notify("sweep", "This link is of a sweep.", "plain", { label: "Show the sweep", act: () => void (this.swept.value = { ...swept }) });
    else if (sweep) this.app.notify("sweep", "This link is of a sweep, which the C-PSRL playground runs. Here is its experiment, without what varies.");
  }

  /** Opens the link in the address again, now that the page has its transitions. */
  async again(): Promise<void> {
    await this.open(this.address.link, true);
  }

  /** Has the address follow the app after the engine has accepted a new state or the view has changed. */
  async #follow(checked: Checked, view: View): Promise<void> {
    const { app } = this;
    const type = checked === this.#accepted?.checked ? "looked" : "accepted";
    const { edit } = (this.#accepted = type === "looked" ? this.#accepted! : { checked, edit: app.edited });
    const signal = this.#writes.next();
    const stays = (): boolean => waits(this.#entries, checked.link) || app.spec.value !== checked.header.spec; // or something else is shown that the engine has not accepted yet
    if (stays()) return;
    if (type === "looked") await new Promise((resolve) => setTimeout(resolve, rest));
    if (signal.aborted) return;
    const link = await this.#encode(checked, view).catch((error: unknown) => {
      if (signal.aborted) return undefined;
      const why = sentence(engine.detailOf(error));
      app.notify("link", why);
      if (error instanceof engine.Refused) this.homeless.value = { spec: checked.header.spec, why };
      return undefined;
    });
    if (signal.aborted || stays() || link === undefined) return;
    const plain = checked.link;
    if (plain !== this.#entries.opened?.plain) app.dismiss("cost", "receipt", "sweep");
    this.#step({ type, link, plain, edit });
    this.link.value = link;
    const unknown = this.#unknown;
    const pairs = unknown.filter((pair) => link.split("&").includes(pair));
    if (pairs.length === this.#named) return;
    this.#named = pairs.length;
    app.dismiss("unknown");
    if (pairs[0]) void later(() => import("./verdict")).then((made) => made && this.#unknown === unknown && app.notify("unknown", made.unknown(pairs)));
  }

  /** The link to what is shown. A link that was opened stays as it was until something changes. */
  async #encode(checked: Checked, view: View): Promise<string> {
    const opened = this.auto.openedAs(checked.link);
    const shown = linkable(view, checked.header.spec);
    if (opened && same(shown, opened.view)) return opened.link;
    const { receipt, sweep } = opened ?? {};
    if (isPlain(shown) && this.#unknown.length === 0 && !receipt && !sweep && checked.link.length <= longest) return checked.link;
    return this.of(checked.header.spec, receipt, shown, sweep?.pairs);
  }

  /** The link to what is shown now. The address may lag behind it. Rejects if there is none, because a model is too large. */
  async now(): Promise<string> {
    const checked = this.app.checked.value;
    return checked ? this.#encode(checked, this.app.view.value) : "";
  }

  /** The link to a spec in the view that is shown. */
  async of(spec: Spec, receipt?: Receipt, view = linkable(this.app.view.value, spec), pairs = none): Promise<string> {
    const { link } = await engine.ask<Linked>("/v1/link", { spec, view, unknown: [...this.#unknown, ...pairs], ...(receipt && { receipt }) });
    return link;
  }

  /** Shows what the address asks for after someone went back or forward, or edited the address. */
  #moved(): void {
    const { app } = this;
    const { link, entry } = this.address;
    if (link === this.#entries.link) return;
    app.typed();
    this.#step({ type: "moved", link, edit: app.edits });
    if (link !== "") {
      void this.open(link, entry === undefined);
      return;
    }
    this.drop();
    void app.show(app.own.spec, { preset: app.own, left: this.left, view: {} });
  }
}

/** Reads a link: what it holds, and what the engine says about its spec. Lacks is told the spec whose transitions the page does not have. */
async function read(link: string, signal: AbortSignal, lacks: (spec: Spec) => void): Promise<{ opened: Opened; checked: Checked }> {
  const opened = await engine.ask<Opened>("/v1/open", { link: link.replace(/^(?![#?])/, "#") }, signal);
  try {
    return { opened, checked: opened.checked ?? (await engine.ask<Checked>("/v1/check", opened.spec, signal)) }; // which says why the spec is refused
  } catch (error) {
    if (!signal.aborted && error instanceof engine.Refused && error.problem.pointer === "/prior/data") lacks(opened.spec);
    throw error;
  }
}

/** What an entry of the browser's history keeps: the state in which it was left, unless that is very large. */
function kept({ preset: { name }, base, line }: Left): object {
  const left = { preset: name, base, line };
  return JSON.stringify(left).length > mostKept ? {} : left;
}

/** The state that an entry has kept. Undefined: there is none, or another version of the page has written it, or something else has. */
function leftIn(entry: unknown): Left | undefined {
  const { preset: name, base, line } = (entry ?? {}) as { readonly [member in keyof Left]?: unknown };
  const preset = catalogue.presets.find((other) => other.name === name);
  return preset && isSpec(base) && isLine(line) ? { preset, base, line } : undefined;
}

/** Whether two views are the same, in any order of their members. */
const same = (a: View, b: View): boolean => ordered(a) === ordered(b);
const ordered = ({ watched: { agent, run, episode, moment } = { run: -1, episode: 0 }, ...view }: View): string =>
  JSON.stringify([Object.entries(view).sort(([x], [y]) => (x < y ? -1 : 1)), agent, run, episode, moment]);
