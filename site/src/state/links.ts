// The link of what is shown: encode(spec, view), written into the address and read
// from it. Whatever a link says goes through the engine first. Here are also the
// receipts: the one a link came with, and the one of the last run.

import catalogue from "cpsrl:catalogue";
import { computed, effect, signal, untracked } from "@preact/signals-core";
import { learn } from "../agents";
import type { Address } from "../address";
import { sentence } from "../dom";
import * as engine from "../engine/engine";
import { workers } from "../engine/pool";
import type { Checked, Header, Linked, Opened, PresetEntry, Receipt, Snapshot, Spec, View } from "../formats";
import { later } from "../lost";
import { pageOf } from "../versions";
import type { App, Left } from "./app";
import { Latest } from "./latest";
import { presetOf } from "./spec";
import { isPlain, linkable } from "./view";

/** A finished run: the spec of its whole runs and their receipt. */
export interface Run {
  readonly spec: Spec;
  readonly receipt: Receipt;
  /** The link of what was asked for, which a stopped run has not reached. */
  readonly asked: string;
}

/** Why a link is not shown if something else was asked for before it was. */
const overtaken = "another experiment was asked for since";

/** How long a view rests before the address follows it, in milliseconds: a stage that plays changes it all the time. */
const rest = 300;

export class Links {
  /** The link of what is shown; "" until there is one. */
  readonly link = signal("");
  readonly last = signal<Run | undefined>(undefined);
  /** What must be so before anything runs by itself. */
  readonly before = new Set<() => Promise<void>>();
  /** Pairs that this version does not know, kept as they were. */
  #unknown: readonly string[] = [];
  /** What was opened, and the plain link of its spec. */
  #opened: (Opened & { readonly plain: string }) | undefined;
  /** The fragment as the address has it. */
  #shown: string | undefined;
  /** The plain link of what the address has. */
  #followed: string | undefined;
  /** A fragment that was refused stays in the address as long as this is the state. */
  #beside: string | undefined;
  #refused = false;
  /** The link that is being opened: until it is shown, what is checked is of the state before. */
  #opening: { plain?: string } | undefined;
  readonly #wishes = new Latest();
  readonly #first = this.#wishes.signal;
  readonly #writes = new Latest();
  /** How each entry of the history was left, by its key. */
  readonly #left = new Map<string | undefined, { readonly link: string; readonly left: Left }>();
  #edit = 0;
  #pushed = 0;
  #field: EventTarget | null = null;

  constructor(
    private readonly app: App,
    private readonly address: Address,
  ) {
    address.follow(() => this.#moved());
    const state = computed(() => ({ checked: app.checked.value, view: app.view.value }));
    effect(() => {
      const { checked, view } = state.value;
      if (checked) untracked(() => void this.#follow(checked, view));
    });
  }

  /** What the address asks for and needs no engine: a preset. Undefined: a link to open. */
  get preset(): PresetEntry | undefined {
    const { link } = this.address;
    return link === "" ? this.app.own : presetOf(link);
  }

  /** Opens the link that the address has. False: there is none, or it was refused. */
  async start(): Promise<boolean> {
    const { link, entry } = this.address;
    return !this.preset && !this.#first.aborted && (await this.open(link, entry === undefined)) === undefined;
  }

  /** Something else is to be shown: a link that is being opened is not. */
  drop(): void {
    this.#wishes.next();
    this.#opening = undefined;
  }

  /** Nothing is shown any more, and nothing runs by itself. */
  leave(): void {
    this.drop();
    this.offers.clear();
  }

  /** Opens a link: shows it, as it was left if that is given, and if it is fresh, not one gone back to, runs it if it is cheap. A text says why it is not shown. */
  async open(link: string, fresh: boolean, left?: Left): Promise<string | undefined> {
    const { app } = this;
    const signal = this.#wishes.next();
    const opening: { plain?: string } = (this.#opening = {});
    this.#shown = this.address.link;
    app.dismiss("link", "unknown", "cost", "receipt");
    let opened: Opened, plain: string;
    try {
      opened = await engine.ask<Opened>("POST", "/v1/open", { link: link.replace(/^(?!#)/, "#") }, signal);
      const checked = await engine.ask<Checked>("POST", "/v1/check", opened.spec, signal);
      learn(checked.agents);
      plain = checked.link;
    } catch (error) {
      if (signal.aborted) return overtaken;
      this.#opening = undefined;
      this.#refused = true;
      this.#beside = app.checked.value?.link;
      const refusal = engine.detailOf(error);
      app.notify("link", `This link cannot be opened. ${sentence(refusal)} What you see below is not from the link.`, "bad");
      return refusal;
    }
    if (signal.aborted) return overtaken;
    opening.plain = plain;
    this.#refused = false;
    this.#opened = { ...opened, plain };
    this.#unknown = opened.unknown;
    if (opened.unknown.length > 0) {
      app.notify(
        "unknown",
        `This link holds what this version does not know: ${clip(opened.unknown.join(", "))}. It is kept in the link and has no effect here.`,
      );
    }
    this.#pushed = this.#edit;
    const entry = this.#left.get(this.address.entry);
    await app.show(opened.spec, presetOf(plain), left ?? (entry?.link === opened.link ? entry.left : undefined), opened.view);
    if (signal.aborted) return overtaken;
    this.#opening = undefined;
    const checked = app.checked.value;
    if (checked && checked.link !== plain) {
      // It was edited before it was accepted: the address waited for the link, and follows the edit now.
      void this.#follow(checked, app.view.value);
    } else if (fresh) void this.#offer(opened, plain);
    return undefined;
  }

  /** Follows the app: the engine has accepted a new state, or the view has changed. */
  async #follow(checked: Checked, view: View): Promise<void> {
    const edit = this.#edit;
    const seen = this.#followed === checked.link;
    const signal = this.#writes.next();
    const waits = (): boolean => this.#opening !== undefined && this.#opening.plain !== checked.link;
    if (this.#refused && (this.#beside ??= checked.link) === checked.link) return; // nothing is lost: the link may be mended
    if (waits()) return;
    if (seen) await new Promise((resolve) => setTimeout(resolve, rest));
    if (signal.aborted) return;
    const link = await this.#encode(checked, view).catch((error: unknown) => {
      if (!signal.aborted) throw error;
      return "";
    });
    if (signal.aborted || waits()) return;
    if (checked.link !== this.#opened?.plain) this.app.dismiss("cost", "receipt");
    if (this.#refused) {
      this.#refused = false;
      this.app.dismiss("link");
    }
    const first = this.#followed === undefined;
    this.#followed = checked.link;
    const push = !first && !seen && edit !== this.#pushed;
    if (link !== this.#shown) this.#pushed = edit; // else the edit is of what is shown next
    this.#write(link, push);
    this.link.value = link;
  }

  /** The link of what is shown: as it was opened, for as long as it is that. */
  async #encode(checked: Checked, view: View): Promise<string> {
    const opened = checked.link === this.#opened?.plain ? this.#opened : undefined;
    const shown = linkable(view, checked.header.spec);
    if (opened && same(shown, opened.view)) return opened.link;
    if (isPlain(shown) && this.#unknown.length === 0 && !opened?.receipt) return checked.link;
    return this.of(checked.header.spec, opened?.receipt, shown);
  }

  /** The link of what is shown now, which the address may lag behind. */
  async now(): Promise<string> {
    const checked = this.app.checked.value;
    return checked ? this.#encode(checked, this.app.view.value) : "";
  }

  /** The link of a spec in the view that is shown. */
  async of(spec: Spec, receipt?: Receipt, view = linkable(this.app.view.value, spec)): Promise<string> {
    const { link } = await engine.ask<Linked>("POST", "/v1/link", { spec, view, unknown: this.#unknown, ...(receipt && { receipt }) });
    return link;
  }

  /** Whether the run of a link is to be compared with the receipt that came with it. */
  expects(link: string): boolean {
    return this.#opened?.plain === link && this.#opened.receipt !== undefined;
  }

  /** Takes the receipt of a run and compares it with the one of the link. */
  ran(asked: string, header: Header, snapshot: Snapshot): void {
    const { spec, engine: version } = header;
    if (snapshot.runs === 0 || snapshot.fingerprint === undefined) return;
    const run = { asked, spec: { ...spec, runs: snapshot.runs }, receipt: { engine: version, fingerprint: snapshot.fingerprint } };
    this.last.value = run;
    const expected = this.#opened?.plain === asked ? this.#opened.receipt : undefined;
    if (!expected) return;
    this.app.dismiss("receipt");
    void later(() => import("./verdict")).then((made) => made && this.app.notify("receipt", ...made.verdict(expected, run, spec.runs)));
  }

  /** Says what the state asks for, which is more than may start by itself. */
  decline(): void {
    const checked = this.app.checked.value;
    if (!checked) return;
    const { cost, header, link } = checked;
    const opened = this.#opened?.plain === link ? this.#opened : undefined;
    const why = opened?.receipt ? "Run it to see whether its receipt is met" : "Press Run to start";
    const time = duration(cost.seconds / workers(header.spec));
    this.app.notify("cost", `This ${opened ? "link" : "figure"} asks for about ${time} of computing in this tab, so it has not started by itself. ${why}.`);
  }

  /** Told of a link that may run by itself. */
  readonly offers = new Set<() => void>();

  /** Says what running a link means, or runs it. */
  async #offer(opened: Opened, plain: string): Promise<void> {
    const { app } = this;
    const { receipt, cost, spec, link } = opened;
    if (presetOf(plain) && !receipt) return;
    if (receipt && receipt.engine !== catalogue.engine) {
      const page = await pageOf(receipt.engine);
      if (this.#opened?.link !== link) return;
      if (page !== undefined) {
        const [theirs, ours] = [receipt.engine, catalogue.engine];
        const there = { label: `Open engine ${theirs}`, act: () => this.address.leave(page, link) };
        const here = { label: "Run here", act: () => void (cost.autorun ? this.#run() : this.decline()) };
        app.notify(
          "receipt",
          `This link carries a receipt of engine ${theirs}. This is engine ${ours}, whose records may differ; the page of engine ${theirs} is kept here, too.`,
          "plain",
          there,
          here,
        );
        return;
      }
    }
    if (!cost.autorun) {
      this.decline();
      return;
    }
    const time = duration(cost.seconds / workers(spec));
    const shown = app.checked.value;
    for (const ready of this.before) await ready();
    if (app.checked.value?.link !== shown?.link || app.phase.value === "running") return;
    if (receipt) app.notify("receipt", `This link carries a receipt. It is being run again to compare, which takes about ${time}.`);
    this.#run();
  }

  #run(): void {
    for (const offer of this.offers) offer();
  }

  #write(link: string, push: boolean): void {
    const again = link === this.#shown;
    this.#shown = link;
    this.address.write(link, push && !again);
    this.#left.set(this.address.entry, { link, left: this.app.left });
  }

  /** Someone went back or forward, or edited the address. */
  #moved(): void {
    const { link, entry } = this.address;
    if (link === this.#shown) return;
    if (link !== "") {
      void this.open(link, entry === undefined);
      return;
    }
    this.drop();
    this.#shown = "";
    this.#pushed = this.#edit;
    void this.app.show(this.app.own.spec, this.app.own);
  }

  /** Tells one edit from the next: each is one step back. Typing in a field is one edit. */
  edited(target: EventTarget | undefined): void {
    const field = target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.inputMode !== "") ? target : null;
    if (!field || field !== this.#field) this.#edit++;
    this.#field = field;
  }

  /** What was typed in a field is one edit, and it is over. */
  typed(): void {
    this.#field = null;
  }
}

/** Whether two views are the same, whatever the order of their members. */
const same = (a: View, b: View): boolean => ordered(a) === ordered(b);
const ordered = ({ watched: { agent, run, episode, moment } = { run: -1, episode: 0 }, ...view }: View): string =>
  JSON.stringify([Object.entries(view).sort(([x], [y]) => (x < y ? -1 : 1)), agent, run, episode, moment]);

export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 129600) return `${Math.round(seconds / 3600)} hours`;
  return `${Math.round(seconds / 86400)} days`;
}

function clip(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
