// The address bar. Its fragment is the experiment and always what Share would
// give; whatever it says goes through the engine first. It also keeps the
// receipts: the one a link came with, and the one of the last run.

import catalogue from "cpsrl:catalogue";
import { learn } from "./agents";
import * as engine from "./engine";
import { sentence } from "./dom";
import type { Checked, Cost, Header, Linked, Opened, PresetEntry, Receipt, Snapshot, Spec } from "./formats";
import { workers } from "./experiment";
import { Latest } from "./latest";
import { dismiss, notify } from "./notice";
import type { Origin } from "./settings";

/** The playground's own address: links are of it, never of a preset's page. */
export const root = new URL("../", import.meta.url).href;

/** What a history keeps of the page beside the link: what Reset returns to, and what Undo and Redo go to. */
export interface Left extends Origin {
  readonly preset: PresetEntry;
}

/** What the address needs of the page. */
export interface Page {
  /** Shows a spec and has it checked. One that has been shown before comes as it was left. */
  show(spec: Spec, preset: PresetEntry | undefined, left?: Left): Promise<unknown>;
  /** What it shows, as a history keeps it. */
  leave(): Left;
  /** Runs what is shown, without moving the focus. */
  run(): void;
  running(): boolean;
}

/** A finished run: the spec of its whole runs and their receipt. */
export interface Run {
  readonly spec: Spec;
  readonly receipt: Receipt;
  /** The link of what was asked for, which a stopped run has not reached. */
  readonly asked: string;
}

/** The preset that has this link. */
export function presetOf(link: string): PresetEntry | undefined {
  return catalogue.presets.find((preset) => preset.link === link);
}

/** The link of a spec with a receipt and keys that this version does not know. */
export async function linkOf(spec: Spec, unknown: readonly string[], receipt?: Receipt): Promise<string> {
  const { link } = await engine.ask<Linked>("POST", "/v1/link", { spec, unknown, ...(receipt && { receipt }) });
  return link;
}

export class Address {
  /** Told of each new state. */
  onstate: (link: string, cost: Cost) => void = () => {};
  /** What must be so before anything runs by itself. */
  ready: () => Promise<void> = () => Promise.resolve();
  /** The engine's opinion of what is shown. */
  checked: Checked | undefined;
  last: Run | undefined;
  /** Keys of a later version, kept as they were. */
  unknown: readonly string[] = [];
  /** Why the last link was refused. */
  refusal = "";
  /** What was opened, and the plain link of its spec. */
  #opened: (Opened & { readonly plain: string }) | undefined;
  /** The fragment as the address bar has it. */
  #shown: string | undefined;
  /** A fragment that was refused stays in the address bar as long as this is the state. */
  #beside: string | undefined;
  #refused = false;
  /** The link that is being opened: until it is shown, what is checked is of the state before. */
  #opening: { plain?: string } | undefined;
  readonly #wishes = new Latest();
  readonly #first = this.#wishes.signal;
  /** How each entry of this page in the browser's history was left, by its key. */
  readonly #left = new Map<string, { readonly link: string; readonly left: Left }>();
  #edit = 0;
  #pushed = 0;
  #field: EventTarget | null = null;

  constructor(
    private readonly page: Page,
    /** An embed leaves its reader's Back button alone. */
    private readonly quiet: boolean,
  ) {
    for (const type of ["input", "click", "keydown", "drop"]) addEventListener(type, this.#edited, true);
    addEventListener("change", () => (this.#field = null), true);
    for (const type of ["popstate", "hashchange"]) addEventListener(type, this.#moved);
  }

  /** What the address asks for and needs no engine: a preset. Undefined: a link to open. */
  get preset(): PresetEntry | undefined {
    const fragment = location.hash.slice(1);
    return fragment === "" ? this.own : presetOf(fragment);
  }

  /** The preset of this page. */
  get own(): PresetEntry {
    const own = document.documentElement.dataset["preset"] ?? "fig2c";
    return catalogue.presets.find(({ name }) => name === own)!;
  }

  /** Opens the link that the page was loaded with. False: there is none, or it was refused. */
  async start(): Promise<boolean> {
    return !this.preset && !this.#first.aborted && this.open(location.hash, history.state === null);
  }

  /** Something else is to be shown: a link that is being opened is not. */
  drop(): void {
    this.#wishes.next();
    this.#opening = undefined;
  }

  /** Opens a link: shows it, and if it is fresh, not one gone back to, runs it if it is cheap. False: it was refused. */
  async open(link: string, fresh: boolean): Promise<boolean> {
    const signal = this.#wishes.next();
    const opening: { plain?: string } = (this.#opening = {});
    this.#shown = location.hash.slice(1);
    dismiss("link", "unknown", "cost", "receipt");
    let opened: Opened, plain: string;
    try {
      opened = await engine.ask<Opened>("POST", "/v1/open", { link }, signal);
      const checked = await engine.ask<Checked>("POST", "/v1/check", opened.spec, signal);
      learn(checked.agents);
      plain = checked.link;
    } catch (error) {
      if (signal.aborted) return false;
      this.#opening = undefined;
      this.#refused = true;
      this.#beside = this.checked?.link;
      this.refusal = error instanceof Error ? error.message : String(error);
      notify("link", `This link cannot be opened. ${sentence(this.refusal)} What you see below is not from the link.`, "bad");
      return false;
    }
    if (signal.aborted) return false;
    opening.plain = plain;
    this.#refused = false;
    this.#opened = { ...opened, plain };
    this.unknown = opened.unknown;
    if (opened.unknown.length > 0) {
      const keys = opened.unknown.map((pair) => pair.slice(0, pair.indexOf("="))).join(", ");
      notify("unknown", `This link holds what this version does not know: ${clip(keys)}. It is kept in the link and has no effect here.`);
    }
    this.#pushed = this.#edit;
    const entry = this.#left.get(history.state?.key);
    await this.page.show(opened.spec, presetOf(plain), entry?.link === opened.link ? entry.left : undefined);
    if (signal.aborted) return false;
    this.#opening = undefined;
    if (fresh) void this.#offer(opened, plain);
    return true;
  }

  /** Follows the page: the engine has accepted a new state. */
  async follow(checked: Checked): Promise<void> {
    const edit = this.#edit;
    const first = this.checked === undefined;
    this.checked = checked;
    if (this.#refused && (this.#beside ??= checked.link) === checked.link) return; // nothing is lost: the link may be mended
    if (this.#opening && this.#opening.plain !== checked.link) return;
    const link = await this.link(checked);
    if (checked !== this.checked || (this.#opening && this.#opening.plain !== checked.link)) return;
    if (checked.link !== this.#opened?.plain) dismiss("cost", "receipt");
    if (this.#refused) {
      this.#refused = false;
      dismiss("link");
    }
    this.#write(link, !first && edit !== this.#pushed);
    this.#pushed = edit;
    this.onstate(link, checked.cost);
  }

  /** The link of a state: as it was opened, for as long as it is that. */
  async link(checked: Checked): Promise<string> {
    if (checked.link === this.#opened?.plain) return this.#opened.link;
    return this.unknown.length > 0 ? linkOf(checked.header.spec, this.unknown) : checked.link;
  }

  /** Takes the receipt of a run and compares it with the one of the link. Returns its sentence, if there is one. */
  ran(asked: string, header: Header, snapshot: Snapshot): string {
    const { spec, engine: version } = header;
    if (snapshot.runs === 0 || snapshot.fingerprint === undefined) return "";
    this.last = { asked, spec: { ...spec, runs: snapshot.runs }, receipt: { engine: version, fingerprint: snapshot.fingerprint } };
    const expected = this.#opened?.plain === asked ? this.#opened.receipt : undefined;
    if (!expected) return "";
    const [verdict, tone] = compare(expected, this.last, spec.runs);
    notify("receipt", verdict, tone);
    return verdict;
  }

  /** Says what the state asks for, which is more than may start by itself. */
  decline(): void {
    if (!this.checked) return;
    const { cost, header, link } = this.checked;
    const opened = this.#opened?.plain === link ? this.#opened : undefined;
    const why = opened?.receipt ? "Run it to see whether its receipt is met" : "Press Run to start";
    const time = duration(cost.seconds / workers(header.spec));
    notify("cost", `This ${opened ? "link" : "figure"} asks for about ${time} of computing in this tab, so it has not started by itself. ${why}.`);
  }

  /** Says what running a link means, or runs it. */
  async #offer({ receipt, cost, spec }: Opened, plain: string): Promise<void> {
    if (presetOf(plain) && !receipt) return;
    if (!cost.autorun) {
      this.decline();
      return;
    }
    const time = duration(cost.seconds / workers(spec));
    const shown = this.checked;
    await this.ready();
    if (this.checked !== shown || this.page.running()) return;
    if (receipt) notify("receipt", `This link carries a receipt. It is being run again to compare, which takes about ${time}.`);
    this.page.run();
  }

  #write(link: string, push: boolean): void {
    const same = link === this.#shown;
    this.#shown = link;
    try {
      // The state tells this entry from one that a person typed or pasted.
      const state = { cpsrl: 1, key: `${performance.timeOrigin} ${this.#left.size}` };
      if (push && !same && !this.quiet) history.pushState(state, "", `#${link}`);
      else if (!same || !history.state?.key) history.replaceState({ ...state, ...history.state }, "", `#${link}`);
    } catch {
      // A browser that counts: it lets the address lag behind for some seconds.
    }
    this.#left.set(history.state?.key, { link, left: this.page.leave() });
  }

  /** Someone went back or forward, or edited the address. */
  readonly #moved = (): void => {
    const fragment = location.hash.slice(1);
    if (fragment === this.#shown) return;
    if (fragment !== "") {
      void this.open(location.hash, history.state === null);
      return;
    }
    this.drop();
    this.#shown = "";
    this.#pushed = this.#edit;
    const { preset } = this;
    if (preset) void this.page.show(preset.spec, preset);
  };

  /** Tells one edit from the next: each is one step back. Typing in a field is one edit. */
  readonly #edited = ({ target }: Event): void => {
    const field = target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.inputMode !== "") ? target : null;
    if (!field || field !== this.#field) this.#edit++;
    this.#field = field;
  };
}

function compare(expected: Receipt, { receipt, spec }: Run, asked: number): [string, "good" | "bad" | "plain"] {
  if (spec.runs < asked) return [`The receipt was not compared: it is of ${asked} runs, and ${spec.runs} were completed.`, "plain"];
  const same = expected.fingerprint === receipt.fingerprint;
  if (same && expected.engine === receipt.engine) {
    return [`Reproduced bit for bit: engine ${receipt.engine} gave records with the fingerprint of the link’s receipt.`, "good"];
  }
  if (same)
    return [
      `Reproduced bit for bit: the fingerprint is the receipt’s, although that is of engine ${expected.engine} and this is engine ${receipt.engine}.`,
      "good",
    ];
  const prints = `The fingerprint is ${receipt.fingerprint.slice(0, 12)}… here and ${expected.fingerprint.slice(0, 12)}… in the receipt.`;
  const where = "With the records file that it was taken of, cpsrl verify names the first record that differs.";
  if (expected.engine !== receipt.engine) {
    return [
      `Not reproduced, and not to be expected: the receipt is of engine ${expected.engine}, this is engine ${receipt.engine}, and versions differ in their arithmetic. ${prints} ${where}`,
      "bad",
    ];
  }
  return [
    `Not reproduced: both are of engine ${receipt.engine}, but the records differ. ${prints} The receipt is of another experiment, or the link was changed on its way. ${where}`,
    "bad",
  ];
}

export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 129600) return `${Math.round(seconds / 3600)} hours`;
  return `${Math.round(seconds / 86400)} days`;
}

function clip(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
