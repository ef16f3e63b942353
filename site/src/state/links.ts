// The link to what is shown: encode(spec, view). It is written into the address and read
// from it. The engine writes and reads every link. This file also has the receipts: the
// one that a link came with, and the one of the last run.

import catalogue from "cpsrl:catalogue";
import { computed, effect, signal, untracked } from "@preact/signals-core";
import { learn } from "../agents";
import type { Address } from "../address";
import { sentence } from "../dom";
import * as engine from "../engine/engine";
import type { Checked, Header, Linked, Opened, PresetEntry, Receipt, Snapshot, Spec, View } from "../formats";
import { later } from "../lost";
import type { App, Left } from "./app";
import { Latest } from "./latest";
import { presetOf } from "./spec";
import type { Run } from "./verdict";
import { isPlain, linkable } from "./view";

/** Why a link is not shown: something else was asked for meanwhile. */
export const overtaken = "another experiment was asked for since";

/** The longest link that the engine reads (core/spec/link.go). */
export const longest = 65536;

/** How many milliseconds a view stays the same before the address follows it. A stage that plays changes the view all the time. */
const rest = 300;

export class Links {
  /** The link to what is shown; "" until there is one. */
  readonly link = signal("");
  readonly last = signal<Run | undefined>(undefined);
  /** What has to be awaited before anything runs by itself. */
  readonly before = new Set<() => Promise<void>>();
  /** Runs what is shown. Undefined: nothing runs by itself here. */
  run: (() => void) | undefined;

  /** Whether there is a button Run. */
  controls = true;

  // An example. Someone opens the link v=1&domain=taxi&watch=0,5&receipt=2-1d9c. Its plain link, which holds the spec alone, is
  // v=1&domain=taxi. While the engine reads the link, #opening is set, and the address stays as it is. Afterwards #opened is
  // what the link says, #shown is the link in the address, and #followed is the plain link of its spec. Now the visitor changes
  // the seed, which counts #edit up. The engine accepts the new spec, whose plain link is not #followed, so the address gets a
  // new entry, and #pushed becomes #edit. Later the visitor watches another episode: the plain link stays #followed, so the new
  // link replaces the last entry. If the engine had refused the link, #refused would be true, and the link would stay in the
  // address as long as the plain link of what is shown is #beside.
  #opening: { plain?: string } | undefined;
  #opened: (Opened & { readonly plain: string }) | undefined;
  #shown: string | undefined;
  /** The plain link of the entry in the address, or the link to which someone has gone back. */
  #followed: string | undefined;
  #edit = 0;
  #pushed = 0;
  #refused = false;
  #beside: string | undefined;
  /** Whether the link in the address still has to be opened: at the start, or after the engine has failed to answer. */
  #due: boolean;
  /** The form at that failure. If it has been edited since, the link is no longer due. */
  #unanswered: object | undefined;
  /** Resolves when the engine has read the link that was opened last, or has refused it. */
  #reading: Promise<unknown> = Promise.resolve();
  /** The pairs of the opened link that this version does not know. They stay in the link. */
  #unknown: readonly string[] = [];
  /** How many of them the notice names. */
  #named = 0;
  /** The field of the last edit, while someone is typing in it. */
  #field: EventTarget | null = null;
  /** The state in which each entry of the history was left, by its key. */
  readonly #left = new Map<string | undefined, { readonly link: string; readonly left: Left }>();
  /** The requests to open a link, and the requests to write one into the address. */
  readonly #requests = new Latest();
  readonly #writes = new Latest();

  constructor(
    private readonly app: App,
    private readonly address: Address,
  ) {
    this.#due = this.preset === undefined;
    app.settling.add(() => this.#fill());
    address.follow(() => this.#moved());
    const state = computed(() => ({ checked: app.checked.value, view: app.view.value }));
    effect(() => {
      const { checked, view } = state.value;
      if (checked) untracked(() => void this.#follow(checked, view));
    });
  }

  /** The preset that the address asks for, which needs no engine. Undefined: the address has a link to open. */
  get preset(): PresetEntry | undefined {
    const { link } = this.address;
    return link === "" ? this.app.own : presetOf(link);
  }

  /** Lets the link in the address, or the one that is being opened, fill the form before the form is checked. */
  async #fill(): Promise<void> {
    const { link, entry } = this.address;
    const form = this.app.form.value;
    if (this.#due && (this.#unanswered ?? form) === form) await this.open(link, entry === undefined);
    else await this.#reading;
  }

  /** Shows a preset. Once the engine has accepted anything, the address gets the preset's link at once, so that Back leads to what was shown before. */
  choose(preset: PresetEntry): void {
    this.drop();
    void this.app.show(preset.spec, preset);
    if (this.#followed === undefined || this.#refused) return;
    this.#writes.next();
    this.#step(preset.link, preset.link);
  }

  /** Stops opening a link, because something else is to be shown. */
  drop(): void {
    this.#requests.next();
    this.#opening = undefined;
    this.#due = false;
  }

  /** Ends the links of a playground: none is opened and nothing runs by itself any more. */
  leave(): void {
    this.drop();
    this.run = undefined;
  }

  /** Opens a link and shows it, in the state in which it was left if that is known. A fresh link, to which nobody has gone back, is also run if it is cheap. A text says why it is not shown. */
  async open(link: string, fresh: boolean, left?: Left): Promise<string | undefined> {
    const { app } = this;
    const signal = this.#requests.next();
    const opening: { plain?: string } = (this.#opening = {});
    this.#due = false;
    this.#shown = this.address.link;
    app.dismiss("link", "unknown", "cost", "receipt");
    let opened: Opened, plain: string;
    try {
      const reading = read(link, signal);
      this.#reading = reading.catch(() => {});
      ({ opened, plain } = await reading);
    } catch (error) {
      if (signal.aborted) return overtaken;
      const there = link === this.address.link; // unlike a host's link or one of the tour's
      const refused = error instanceof engine.Refused;
      const refusal = engine.detailOf(error);
      this.#due = there && !refused;
      this.#unanswered = app.form.value;
      app.opened.value ||= 1; // the form keeps the preset, so the chart shows the preset's figure
      this.#opening = undefined;
      this.#refused = there;
      this.#beside = app.checked.value?.link;
      app.notify(
        "link",
        `This link ${refused ? "cannot be" : "was not"} opened. ${sentence(refusal)}${there ? " What you see below is not from the link." : ""}`,
        "bad",
      );
      return refusal;
    }
    if (signal.aborted) return overtaken;
    opening.plain = plain;
    this.#refused = false;
    this.#opened = { ...opened, plain };
    this.#unknown = opened.unknown;
    this.#named = 0;
    this.#pushed = this.#edit;
    const entry = this.#left.get(this.address.entry);
    await app.show(opened.spec, presetOf(plain), left ?? (entry?.link === opened.link ? entry.left : undefined), opened.view);
    if (signal.aborted) return overtaken;
    this.#opening = undefined;
    const checked = app.checked.value;
    if (checked && checked.link !== plain) {
      // Someone edited the form before the engine had accepted the link. The address waited for the link, and now follows the edit.
      void this.#follow(checked, app.view.value);
    } else if (fresh) void this.#offer(opened, plain);
    return undefined;
  }

  /** Has the address follow the app after the engine has accepted a new state or the view has changed. */
  async #follow(checked: Checked, view: View): Promise<void> {
    const edit = this.#edit;
    const seen = this.#followed === checked.link;
    const signal = this.#writes.next();
    if (this.#refused) this.#beside ??= checked.link;
    const waits = (): boolean =>
      (this.#opening !== undefined && this.#opening.plain !== checked.link) ||
      (this.#refused && this.#beside === checked.link) || // so the refused link can be corrected
      this.app.spec.value !== checked.header.spec; // something else is shown that the engine has not accepted yet
    if (waits()) return;
    if (seen) await new Promise((resolve) => setTimeout(resolve, rest));
    if (signal.aborted) return;
    const link = await this.#encode(checked, view).catch((error: unknown) => {
      if (!signal.aborted) this.app.notify("link", sentence(engine.detailOf(error)));
      return undefined;
    });
    if (signal.aborted || waits() || link === undefined) return;
    if (checked.link !== this.#opened?.plain) this.app.dismiss("cost", "receipt");
    this.#refused = false;
    this.app.dismiss("link");
    this.#step(link, checked.link, edit);
    this.link.value = link;
    const unknown = this.#unknown;
    const pairs = unknown.filter((pair) => link.split("&").includes(pair));
    if (pairs.length === this.#named) return;
    this.#named = pairs.length;
    this.app.dismiss("unknown");
    if (pairs[0]) void later(() => import("./verdict")).then((made) => made && this.#unknown === unknown && this.app.notify("unknown", made.unknown(pairs)));
  }

  /** The link to what is shown. A link that was opened stays as it was until something changes. */
  async #encode(checked: Checked, view: View): Promise<string> {
    const opened = checked.link === this.#opened?.plain ? this.#opened : undefined;
    const shown = linkable(view, checked.header.spec);
    if (opened && same(shown, opened.view)) return opened.link;
    if (isPlain(shown) && this.#unknown.length === 0 && !opened?.receipt && checked.link.length <= longest) return checked.link;
    return this.of(checked.header.spec, opened?.receipt, shown);
  }

  /** The link to what is shown now. The address may lag behind it. Rejects if there is none, because a model is too large. */
  async now(): Promise<string> {
    const checked = this.app.checked.value;
    return checked ? this.#encode(checked, this.app.view.value) : "";
  }

  /** The link to a spec in the view that is shown. */
  async of(spec: Spec, receipt?: Receipt, view = linkable(this.app.view.value, spec)): Promise<string> {
    const { link } = await engine.ask<Linked>("/v1/link", { spec, view, unknown: this.#unknown, ...(receipt && { receipt }) });
    return link;
  }

  /** Whether the link came with a receipt, with which its run is to be compared. */
  expects(link: string): boolean {
    return this.#opened?.plain === link && this.#opened.receipt !== undefined;
  }

  /** Stores the receipt of a run, and compares it with the link's receipt if there is one. */
  ran(asked: string, header: Header, snapshot: Snapshot): void {
    const { spec, engine: version } = header;
    const expected = this.#opened?.plain === asked ? this.#opened.receipt : undefined;
    if (snapshot.runs === 0 || snapshot.fingerprint === undefined) return;
    const run = { asked, spec: { ...spec, runs: snapshot.runs }, receipt: { engine: version, fingerprint: snapshot.fingerprint } };
    this.last.value = run;
    if (!expected || this.app.checked.value?.link !== asked) return;
    void later(() => import("./verdict")).then((made) => made && this.app.notify("receipt", ...made.verdict(expected, run, spec.runs)));
  }

  /** Says that the experiment has not started by itself because it is too large. */
  decline(): void {
    const checked = this.app.checked.value;
    if (!checked) return;
    const opened = this.#opened?.plain === checked.link ? this.#opened : undefined;
    void later(() => import("./verdict")).then((made) => {
      if (made && this.app.checked.value === checked && !this.#runs) this.app.notify("cost", made.tooLarge(checked, opened, this.controls));
    });
  }

  /** Runs a link, or says what running it means. */
  async #offer(opened: Opened, plain: string): Promise<void> {
    const { app } = this;
    const { receipt, cost, link } = opened;
    if ((presetOf(plain) && !receipt) || !this.run) return;
    const made = receipt && (await later(() => import("./verdict")));
    const page = receipt && receipt.engine !== catalogue.engine ? await made?.pageOf(receipt.engine) : undefined;
    if (this.#opened?.link !== link) return;
    if (made && page !== undefined) {
      const there = () => this.address.leave(page, link);
      const here = () => void (cost.autorun ? this.run?.() : this.decline());
      app.notify("receipt", ...made.elsewhere(receipt.engine, there, here));
      return;
    }
    if (!cost.autorun) {
      if (!this.#runs) this.decline();
      return;
    }
    const shown = app.checked.value;
    for (const ready of this.before) await ready();
    if (app.checked.value?.link !== shown?.link || this.#runs) return;
    if (made) app.notify("receipt", made.again(opened));
    this.run?.();
  }

  /** Writes a link into the address: as a new entry if an edit has led to another plain link, or else over the last entry. */
  #step(link: string, plain: string, edit = this.#edit): void {
    const push = this.#followed !== undefined && this.#followed !== plain && edit !== this.#pushed;
    this.#followed = plain;
    if (link !== this.#shown) this.#pushed = edit; // an edit that leaves the link as it was counts for the next link
    this.#write(link, push);
  }

  get #runs(): boolean {
    return this.app.phase.value === "running";
  }

  #write(link: string, push: boolean): void {
    const again = link === this.#shown;
    this.#shown = link;
    this.address.write(link, push && !again);
    this.#left.set(this.address.entry, { link, left: this.app.left });
  }

  /** Shows what the address asks for after someone went back or forward, or edited the address. */
  #moved(): void {
    const { link, entry } = this.address;
    if (link === this.#shown) return;
    this.typed();
    if (this.#followed !== undefined) this.#followed = link;
    if (link !== "") {
      void this.open(link, entry === undefined);
      return;
    }
    this.drop();
    this.#shown = "";
    this.#pushed = this.#edit;
    this.#refused = false;
    this.#opened = undefined;
    this.#unknown = [];
    void this.app.show(this.app.own.spec, this.app.own, undefined, {});
  }

  /** Counts the edits, each of which Back undoes. Typing in a field is one edit. */
  edited(target: EventTarget | undefined): void {
    const field = target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.inputMode !== "") ? target : null;
    if (!field || field !== this.#field) this.#edit++;
    this.#field = field;
  }

  /** Ends the edit of a field: what is typed next is another edit. */
  typed(): void {
    this.#field = null;
  }
}

/** Reads a link: what it holds, and the plain link of its spec. */
async function read(link: string, signal: AbortSignal): Promise<{ opened: Opened; plain: string }> {
  const opened = await engine.ask<Opened>("/v1/open", { link: link.replace(/^(?!#)/, "#") }, signal);
  const checked = await engine.ask<Checked>("/v1/check", opened.spec, signal);
  learn(checked.agents);
  return { opened, plain: checked.link };
}

/** Whether two views are the same, in any order of their members. */
const same = (a: View, b: View): boolean => ordered(a) === ordered(b);
const ordered = ({ watched: { agent, run, episode, moment } = { run: -1, episode: 0 }, ...view }: View): string =>
  JSON.stringify([Object.entries(view).sort(([x], [y]) => (x < y ? -1 : 1)), agent, run, episode, moment]);
