// A playground as the guest of another page: when it may compute, what it is told and
// what it says (site/host-api.schema.json). In a frame these are messages, in an
// element of the same document calls and events.

import catalogue from "cpsrl:catalogue";
import { effect } from "@preact/signals-core";
import { byId } from "./dom";
import { detailOf } from "./engine/engine";
import type { Cost } from "./formats";
import type { Playground } from "./mount";
import type { Outcome } from "./engine/experiment";
import { site } from "./site";
import { type Theme, themes } from "./theme";

/** The longest link that is read, as in host-api.schema.json. */
const longest = 65536;

type Command =
  | { readonly type: "state"; readonly link: string }
  | { readonly type: "run" }
  | { readonly type: "pause" }
  | { readonly type: "theme"; readonly theme: Theme };

/** The members of each command beside cpsrl, type and id. */
const members: Readonly<Record<Command["type"], readonly string[]>> = { state: ["link"], run: [], pause: [], theme: ["theme"] };

/** What a guest says. */
export interface Message {
  readonly type: string;
  readonly [member: string]: unknown;
}

export class Guest {
  /** Resolves once the playground has been on screen. */
  readonly #seen: Promise<void>;
  /** Resolves when the experiment that the host asked for last is shown, or was refused. */
  #shown: Promise<boolean> = Promise.resolve(true);
  #visible = false;
  #held = false;
  #told = -Infinity;
  readonly #ended: (() => void)[] = [];
  #gone = false;
  private readonly say: (message: Message) => void;

  constructor(
    private readonly playground: Playground,
    /** What has to be on screen. */
    place: Element,
    tell: (message: Message) => void,
  ) {
    const { app, links, hearers, ready } = playground;
    const say = (this.say = (message) => {
      if (!this.#gone) tell(message);
    });
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
    const observer = new IntersectionObserver((entries) => {
      inView = entries.at(-1)!.isIntersecting;
      look();
    });
    observer.observe(place);
    document.addEventListener("visibilitychange", look);
    this.#ended.push(() => {
      observer.disconnect();
      document.removeEventListener("visibilitychange", look);
    });
    links.before.add(() => this.#seen);
    const whole = byId(playground.root, "whole", HTMLAnchorElement);
    whole.hidden = site === "";
    effect(() => {
      const link = links.link.value;
      whole.href = `${site}#${link}`;
      const cost = app.checked.peek()?.cost;
      if (link !== "" && cost) say({ type: "state", link, seconds: cost.seconds, autorun: cost.autorun });
    });
    hearers.add({ progress: (done, total) => this.#progress(done, total), finished: (outcome) => this.#finished(outcome) });
    void ready.then(() => say({ type: "ready", engine: catalogue.engine }));
  }

  /** The guest is gone: it says nothing more. */
  leave(): void {
    for (const end of this.#ended) end();
    this.#gone = true;
  }

  #progress(done: number, total: number): void {
    const now = performance.now();
    if (now - this.#told < 250 && done < total) return;
    this.#told = now;
    this.say({ type: "progress", done, total });
  }

  #finished({ snapshot: { runs, conclusion }, stopped }: Outcome): void {
    const { links } = this.playground;
    const run = runs > 0 ? links.last.value : undefined;
    const ended = { type: "finished", runs, stopped, conclusion };
    if (!run) this.say(ended);
    else void links.of(run.spec, run.receipt).then((link) => this.say({ ...ended, link, ...run.receipt }));
  }

  /** Nothing is computed off screen, nor while the host has paused it. */
  #pace(): void {
    const held = this.#held || !this.#visible;
    this.playground.runner.pause(held);
    for (const hold of this.playground.holds) hold(held);
  }

  /** Takes a command of the host, and says that it was obeyed or why not. */
  hear(data: object): void {
    const id = "id" in data && (typeof data.id === "string" || typeof data.id === "number") ? { id: data.id } : {};
    const refuse = (detail: string): void => this.say({ type: "refused", detail, ...id });
    const command = read(data);
    if (typeof command === "string") {
      refuse(command);
      return;
    }
    this.#obey(command).then(
      (refusal) => (refusal === undefined ? this.say({ type: "done", command: command.type, ...id }) : refuse(refusal)),
      (error: unknown) => refuse(detailOf(error)),
    );
  }

  /** Does as it is told. A text says why not. */
  async #obey(command: Command): Promise<string | undefined> {
    const { app, links, runner } = this.playground;
    switch (command.type) {
      case "theme":
        app.theme.value = command.theme;
        return undefined;
      case "pause":
        this.#held = true;
        this.#pace();
        return undefined;
      case "state":
        this.#shown = runner.stop().then(() => links.open(command.link, false));
        return (await this.#shown) ? undefined : links.refusal;
      case "run":
        await this.#shown;
        if (runner.asking) return "this has taken more than a page may let pass by itself; its reader is asked whether it goes on";
        if (this.#held) {
          this.#held = false;
          this.#pace();
        }
        return runner.experiment ? undefined : this.#run();
    }
  }

  async #run(): Promise<string | undefined> {
    const { app, links, runner } = this.playground;
    let refusal = tooMuch(app.checked.value?.cost);
    if (refusal === undefined) {
      await this.#seen;
      refusal = tooMuch(app.checked.value?.cost); // of what is shown by now
    }
    if (refusal === undefined) void runner.begin(false);
    else links.decline();
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
