// The page in a frame of another page: which parts it shows, when it may
// compute, and what it says to its host (site/host-api.schema.json).

import type { Cost, Snapshot } from "./formats";
import { byId } from "./dom";
import { linkOf, root, type Address } from "./link";

const query = new URLSearchParams(location.search);

/** A page of a frame, asked to be small. */
export const embedded = query.get("embed") === "1";

/** A sandboxed frame of no origin: it has no storage, and no offline copy. */
export const sandboxed = self.origin === "null";

/** The parts of the page, and those an embed shows if it is not told. */
export const parts = ["problem", "prior", "agents", "stage", "experiment", "controls"] as const;
export const usualParts: readonly string[] = ["experiment", "controls"];

export const themes = ["auto", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** Hides what an embed does not show, and makes up for what a sandbox does not let a page do. */
export function arrange(): void {
  byId("sandboxed", HTMLElement).hidden = !sandboxed;
  if (sandboxed) submitByHand(byId("settings", HTMLFormElement), byId("run", HTMLButtonElement));
  if (!embedded) return;
  const asked = (query.get("ui") ?? "").split(",").filter((part) => (parts as readonly string[]).includes(part));
  document.documentElement.dataset["embed"] = (asked.length > 0 ? asked : usualParts).join(" ");
  document.querySelector("main")?.setAttribute("aria-labelledby", "experiment-title"); // tells the embeds of one page apart
}

/** A sandboxed frame submits no form: the events that would are taken in its place. */
function submitByHand(form: HTMLFormElement, button: HTMLButtonElement): void {
  const submit = (event: Event): void => {
    event.preventDefault();
    form.dispatchEvent(new SubmitEvent("submit", { cancelable: true }));
  };
  button.addEventListener("click", submit);
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target instanceof HTMLInputElement) submit(event);
  });
}

/** What a host may steer. */
export interface Controls {
  run(): void;
  pause(paused: boolean): void;
  /** Resolves when nothing runs any more. */
  stop(): Promise<void>;
  running(): boolean;
  /** Whether what runs waits for its reader. */
  asking(): boolean;
  theme(theme: Theme): void;
}

/** The longest link that is read, as in host-api.schema.json. */
const longest = 65536;

type Command =
  | { readonly type: "state"; readonly link: string }
  | { readonly type: "run" }
  | { readonly type: "pause" }
  | { readonly type: "theme"; readonly theme: Theme };

/** The members of each command beside cpsrl, type and id. */
const members: Readonly<Record<Command["type"], readonly string[]>> = { state: ["link"], run: [], pause: [], theme: ["theme"] };

export class Embed {
  /** Resolves once the embed has been on screen. */
  readonly #seen: Promise<void>;
  /** Resolves when the experiment that the host asked for last is shown, or was refused. */
  #shown: Promise<boolean> = Promise.resolve(true);
  #visible = false;
  #held = false;
  /** The heights last told, at the widths of then. */
  #sizes: readonly { readonly width: number; readonly height: number }[] = [];
  #settling: ReturnType<typeof setTimeout> | undefined;
  #told = -Infinity;

  constructor(
    private readonly address: Address,
    private readonly controls: Controls,
  ) {
    let see!: () => void;
    this.#seen = new Promise((resolve) => (see = resolve));
    let inView = false;
    const look = (): void => {
      this.#visible = inView && document.visibilityState === "visible";
      // A frame of another site may be told that it is in view until its host has
      // been laid out; after that, only one that is in view draws frames.
      if (this.#visible) setTimeout(() => requestAnimationFrame(() => this.#visible && see()), 200);
      this.#pace();
    };
    new IntersectionObserver((entries) => {
      inView = entries.at(-1)!.isIntersecting;
      look();
    }).observe(document.body);
    document.addEventListener("visibilitychange", look);
    new ResizeObserver(() => this.#measure()).observe(document.body);
    address.ready = () => this.#seen;
    address.onstate = (link, cost) => {
      byId("whole", HTMLAnchorElement).href = `${root}#${link}`;
      this.#say({ type: "state", link, seconds: cost.seconds, autorun: cost.autorun });
    };
    if (parent !== window) addEventListener("message", this.#hear);
  }

  /** Tells the host that commands are heard now. */
  ready(engine: number): void {
    this.#say({ type: "ready", engine });
    this.#measure();
  }

  progress(done: number, total: number): void {
    const now = performance.now();
    if (now - this.#told < 250 && done < total) return;
    this.#told = now;
    this.#say({ type: "progress", done, total });
  }

  finished(snapshot: Snapshot, stopped: boolean): void {
    setTimeout(() => this.#measure());
    const { runs, conclusion } = snapshot;
    const run = runs > 0 ? this.address.last : undefined;
    if (!run) {
      this.#say({ type: "finished", runs, stopped, conclusion });
      return;
    }
    void linkOf(run.spec, this.address.unknown, run.receipt).then((link) => this.#say({ type: "finished", runs, stopped, conclusion, link, ...run.receipt }));
  }

  /** Nothing is computed off screen, nor while the host has paused it. */
  #pace(): void {
    this.controls.pause(this.#held || !this.#visible);
  }

  /** Tells the host a greater height at once, and a smaller one when it has stood still for a moment. */
  #measure(settled = false): void {
    clearTimeout(this.#settling);
    const now = { width: innerWidth, height: Math.ceil(document.documentElement.getBoundingClientRect().height) };
    const { width, height } = this.#sizes.at(-1) ?? { width: 0, height: 0 };
    if (now.height === height) return;
    if (now.height < height) {
      if (this.controls.running()) return; // a host's text stands still
      if (!settled) {
        this.#settling = setTimeout(() => this.#measure(true), 250);
        return;
      }
      // The height may bring the host a scroll bar, which makes the frame narrower and so, at times, less
      // high, which takes the scroll bar away. The second time round the frame stays as high as it is.
      const bar = now.width !== width && Math.abs(now.width - width) <= 20;
      if (bar && this.#sizes.some((told) => told.width === now.width && told.height === now.height)) return;
    }
    this.#sizes = [...this.#sizes.slice(-5), now];
    this.#say({ type: "height", height: now.height });
  }

  #say(message: { readonly type: string; readonly [member: string]: unknown }): void {
    // Nothing of it is secret: any page may frame this one.
    if (parent !== window) parent.postMessage({ cpsrl: 1, ...message }, "*");
  }

  readonly #hear = ({ source, data }: MessageEvent<unknown>): void => {
    if (source !== parent || typeof data !== "object" || data === null || !("cpsrl" in data)) return;
    const id = "id" in data && (typeof data.id === "string" || typeof data.id === "number") ? { id: data.id } : {};
    const refuse = (detail: string): void => this.#say({ type: "refused", detail, ...id });
    const command = read(data);
    if (typeof command === "string") {
      refuse(command);
      return;
    }
    this.#obey(command).then(
      (refusal) => (refusal === undefined ? this.#say({ type: "done", command: command.type, ...id }) : refuse(refusal)),
      (error: unknown) => refuse(error instanceof Error ? error.message : String(error)),
    );
  };

  /** Does as it is told. A text says why not. */
  async #obey(command: Command): Promise<string | undefined> {
    switch (command.type) {
      case "theme":
        this.controls.theme(command.theme);
        return undefined;
      case "pause":
        this.#held = true;
        this.#pace();
        return undefined;
      case "state":
        this.#shown = this.controls.stop().then(() => this.address.open(command.link, false));
        return (await this.#shown) ? undefined : this.address.refusal;
      case "run":
        await this.#shown;
        if (this.controls.asking()) return "this has taken more than a page may let pass by itself; its reader is asked whether it goes on";
        if (this.#held) {
          this.#held = false;
          this.#pace();
        }
        return this.controls.running() ? undefined : this.#run();
    }
  }

  async #run(): Promise<string | undefined> {
    let refusal = tooMuch(this.address.checked?.cost);
    if (refusal === undefined) {
      await this.#seen;
      refusal = tooMuch(this.address.checked?.cost); // of what is shown by now
    }
    if (refusal === undefined) this.controls.run();
    else this.address.decline();
    return refusal;
  }
}

/** Why a host may not start what is shown. */
function tooMuch(cost: Cost | undefined): string | undefined {
  if (!cost) return "there is nothing to run yet";
  if (cost.autorun) return undefined;
  return `this takes about ${Math.round(cost.seconds)} s of one worker, more than a page may start by itself; press Run in the frame`;
}

/** Reads a command; a text says what is wrong with it. */
function read(data: object): Command | string {
  const { cpsrl, type, id, ...rest } = data as Record<string, unknown>;
  if (cpsrl !== 1) return "the version is not 1";
  if (typeof type !== "string" || !Object.hasOwn(members, type)) return `the type is none of ${Object.keys(members).join(", ")}`;
  if (id !== undefined && typeof id !== "string" && typeof id !== "number") return "the id is neither a text nor a number";
  const known = members[type as Command["type"]];
  const extra = Object.keys(rest).find((name) => !known.includes(name));
  if (extra !== undefined) return `${type} has no member ${JSON.stringify(extra.slice(0, 40))}`;
  const { link, theme } = rest;
  if (type === "state" && (typeof link !== "string" || link.length > longest)) return `the link is not a text of at most ${longest} characters`;
  if (type === "theme" && !themes.some((name) => name === theme)) return `the theme is none of ${themes.join(", ")}`;
  return { type, ...rest } as Command;
}
