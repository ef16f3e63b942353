// A playground as the guest of another page: when it may compute, which commands it obeys
// and what it reports (site/host-api.schema.json). Commands and reports are messages in a
// frame, and calls and events for an element of the same document.

import catalogue from "cpsrl:catalogue";
import { batch, effect } from "@preact/signals-core";
import type { Command, Look } from "../npm/messages";
import { read } from "./commands";
import { byId } from "./dom";
import { ask, detailOf, Refused } from "./engine/engine";
import type { Cost, Linked } from "./formats";
import type { Playground } from "./state/playground";
import { details, parts } from "./parts/index";
import { site } from "./site";
import { beliefOf, missing } from "./state/belief";
import { Latest } from "./state/latest";
import { overtaken } from "./state/links";
import { measures } from "./state/measures";
import type { Ended } from "./state/run";
import type { Speed } from "./state/watching";

/** After so many milliseconds off screen, a playground frees its workers. */
const soon = 60_000;

type State = Extract<Command, { readonly type: "state" }>;

export interface Message {
  readonly type: string;
  readonly [member: string]: unknown;
}

export class Guest {
  /** Resolves once the playground has been on screen. */
  readonly #seen: Promise<void>;
  /** Resolves when the experiment is shown that the host asked for last. A text says why it is not shown. */
  #shown: Promise<string | undefined> = Promise.resolve(undefined);
  /** The commands to show another experiment. */
  readonly #states = new Latest();
  #visible = false;
  #held = false;
  /** The number of commands that have asked for an episode. */
  #asked = 0;
  #told = -Infinity;
  #leaving: ReturnType<typeof setTimeout> | undefined;
  readonly #gone = new AbortController();
  private readonly say: (message: Message) => void;

  constructor(
    private readonly playground: Playground,
    /** The element that has to be on screen. */
    place: Element,
    tell: (message: Message) => void,
  ) {
    const { app, links, hearers, ready } = playground;
    const say = (this.say = (message) => {
      if (!this.#gone.signal.aborted) tell(message);
    });
    let see!: () => void;
    this.#seen = new Promise((resolve) => (see = resolve));
    let inView = false;
    const look = (): void => {
      this.#visible = inView && document.visibilityState === "visible";
      // A frame of another site may be told that it is in view while its host has no
      // layout yet. Afterwards, animation frames come only to a frame that is in view.
      if (this.#visible) setTimeout(() => requestAnimationFrame(() => this.#visible && see()), 200);
      this.#pace();
    };
    const observer = new IntersectionObserver((entries) => {
      inView = entries.at(-1)!.isIntersecting;
      look();
    });
    observer.observe(place);
    const { signal } = this.#gone;
    signal.addEventListener("abort", () => observer.disconnect());
    document.addEventListener("visibilitychange", look, { signal });
    links.auto.before.add(() => this.#seen);
    const whole = byId(playground.root, "whole", HTMLAnchorElement);
    whole.hidden = site === "";
    effect(() => {
      const link = links.link.value;
      whole.href = `${site}#${link}`;
      const cost = app.checked.peek()?.cost;
      if (link !== "" && cost) say({ type: "state", link, seconds: cost.seconds, autorun: cost.autorun });
    });
    this.#tellStage();
    if (playground.strange.length > 0) {
      const words = strangeWords(playground.strange);
      console.warn(`C-PSRL playground: ${words}`);
      app.notify("ui", words);
    }
    hearers.add({ progress: (done, total) => this.#progress(done, total), finished: (ended) => this.#finished(ended) });
    void ready.then(() => links.following).then(() => say({ type: "ready", engine: catalogue.engine }));
  }

  /** Reports every change on the stage, whether the visitor or the host made it. */
  #tellStage(): void {
    const { app, watching } = this.playground;
    /** Reports changes. The state at the start is reported for the episode and the moment only. */
    const follow = (type: string, read: () => object | undefined): void => {
      let last: string | undefined;
      effect(() => {
        const now = read();
        const text = JSON.stringify(now);
        const first = last === undefined;
        if (text === last) return;
        last = text ?? "";
        if (now && !(first && type !== "episode" && type !== "moment")) this.say({ type, ...now });
      });
    };
    follow("episode", () => {
      const { agent, run, episode } = watching.painted.value ?? {};
      return episode === undefined ? undefined : { agent, run, episode };
    });
    follow("moment", () => {
      const { episode, moment, step, text } = watching.painted.value ?? {};
      return episode === undefined ? undefined : { episode, moment, step, text };
    });
    follow("play", () => ({ playing: watching.playing.value !== undefined }));
    follow("speed", () => ({ speed: watching.speed.value === Infinity ? "fast" : watching.speed.value }));
    follow("reveal", () => ({ revealed: app.revealed.value }));
    follow("highlight", () => {
      void watching.focus.value;
      const { stage } = watching;
      return typeof stage.value === "object" ? stage.value.highlighted() : {};
    });
    follow("view", () => {
      const { watched: _watched, ...view } = app.view.value;
      return { view };
    });
  }

  /** Ends the guest: it reports nothing more. */
  leave(): void {
    clearTimeout(this.#leaving);
    this.#gone.abort();
  }

  #progress(done: number, total: number): void {
    const now = performance.now();
    if (now - this.#told < 250 && done < total) return;
    this.#told = now;
    this.say({ type: "progress", done, total });
  }

  #finished(how: Ended): void {
    const { links } = this.playground;
    const run = how.runs > 0 ? links.auto.last.value : undefined;
    const ended = { type: "finished", ...how };
    if (!run) this.say(ended);
    else
      void links.of(run.spec, run.receipt).then(
        (link) => this.say({ ...ended, link, ...run.receipt }),
        () => this.say({ ...ended, ...run.receipt }),
      );
  }

  /** Lets the playground compute only while it is on screen and the host has not paused it. */
  #pace(): void {
    const held = this.#held || !this.#visible;
    this.playground.runner.pause(held);
    clearTimeout(this.#leaving);
    if (!this.#visible) this.#leaving = setTimeout(() => this.playground.runner.rest(), soon);
    batch(() => {
      this.playground.away.value = !this.#visible;
      this.playground.held.value = held;
    });
  }

  /** Takes a command from the host, and reports that it was obeyed, or why not. */
  hear(data: object): void {
    const id = "id" in data && (typeof data.id === "string" || typeof data.id === "number") ? { id: data.id } : {};
    const refuse = (detail: string): void => this.say({ type: "refused", detail, ...id });
    const command = read(data);
    if (typeof command === "string") {
      refuse(command);
      return;
    }
    this.#obey(command).then(
      (answer) => (typeof answer === "string" ? refuse(answer) : this.say({ type: "done", command: command.type, ...id, ...answer })),
      (error: unknown) => refuse(detailOf(error)),
    );
  }

  /** Obeys a command, and returns what it asks for. A text says why it could not. */
  async #obey(command: Command): Promise<string | object | undefined> {
    const { app, runner } = this.playground;
    switch (command.type) {
      case "theme":
        app.theme.value = command.theme;
        return undefined;
      case "pause":
        this.#held = true;
        this.#pace();
        return undefined;
      case "state":
        this.#shown = this.#show(command, this.#states.next()).catch(detailOf);
        return this.#shown;
      case "run":
        await this.#shown;
        if (runner.asking) return "the run has taken longer than a run may that starts by itself; the reader has been asked whether it should go on";
        if (this.#held) {
          this.#held = false;
          this.#pace();
        }
        return runner.experiment ? undefined : this.#run();
      case "view":
        await this.#shown;
        return this.#look(command.view);
      case "summary":
      case "svg":
        await this.#shown;
        return this.#output(command.type);
      case "belief": {
        await this.#shown;
        const belief = await beliefOf(this.playground, command);
        return typeof belief === "string" ? belief : { belief };
      }
      default:
        await this.#shown;
        return this.#stage(command);
    }
  }

  /** Shows another experiment. A text says why it could not. */
  async #show(command: State, signal: AbortSignal): Promise<string | undefined> {
    const { links, runner } = this.playground;
    await runner.stop();
    const link = await linkOf(command);
    if (signal.aborted) return overtaken;
    const refusal = await links.open(link, false);
    await links.following; // so that the host knows the state before its command is done
    return refusal;
  }

  /** What the figure on show gives away. A text says why it gives nothing. */
  async #output(what: "summary" | "svg"): Promise<string | object> {
    const { comparison, output, shows } = this.playground;
    if (!shows("experiment")) return "the experiment is not among the parts that are shown";
    await until(() => output.value !== undefined && !comparison.loading.value);
    if (what === "summary" && comparison.running.value) return "the run has not ended";
    return { [what]: await output.value![what]() };
  }

  /** Obeys a command to the stage. A text says why it could not. */
  async #stage(
    command: Exclude<Command, { readonly type: "state" | "run" | "pause" | "theme" | "view" | "summary" | "svg" | "belief" }>,
  ): Promise<string | undefined> {
    const { app, shows, watching } = this.playground;
    if (!shows("stage")) return "the stage is not among the parts that are shown";
    if (command.type === "reveal") {
      app.revealed.value = command.revealed;
      return undefined;
    }
    if (command.type === "speed" && typeof watching.stage.value !== "object") {
      watching.speed.value = speedOf(command.speed);
      return undefined;
    }
    if (command.type === "episode") {
      const { episode, run, agent, moment } = command;
      const fault = missing(app.spec.value, command);
      if (fault !== undefined) return fault;
      watching.watch(episode, agent, run, moment);
    } else if (!app.view.value.watched) watching.watch(1);
    const exactly = command.type !== "play" && command.type !== "speed";
    if (exactly && watching.passing.value !== undefined && typeof watching.stage.value === "object") watching.stage.value.rest();
    const asked = command.type === "episode" ? ++this.#asked : 0;
    const stage = await watching.arrival(exactly);
    if (typeof stage === "string") return stage;
    if (command.type === "episode") {
      if (asked !== this.#asked) return "another episode was asked for since";
      const { run, episode, agent } = watching.painted.value ?? {};
      if (episode !== command.episode || run !== (command.run ?? run) || agent !== (command.agent ?? agent)) return "this episode could not be shown";
    }
    switch (command.type) {
      case "moment":
        stage.turn(command.moment);
        break;
      case "play":
        if (command.playing ?? true) return stage.play();
        stage.rest();
        break;
      case "speed":
        stage.hasten(speedOf(command.speed));
        break;
      case "highlight":
        return stage.highlight(command.from, command.to);
    }
    return undefined;
  }

  /** Shows the chart as the host wants it. A text says why it could not. */
  #look(view: Look): string | undefined {
    const { app } = this.playground;
    const { measure, band, hidden, ...rest } = view;
    if (measure !== undefined && measures.every(({ key }) => key !== measure)) return `the measure is none of ${measures.map(({ key }) => key).join(", ")}`;
    const { agents } = app.spec.value;
    const stranger = hidden?.find((label) => !agents.includes(label));
    if (stranger !== undefined) return `there is no agent ${JSON.stringify(stranger.slice(0, 40))}: the agents are ${agents.join(", ")}`;
    app.look({
      ...rest,
      ...(measure !== undefined && { measure: measure === measures[0]!.key ? undefined : measure }),
      ...(band !== undefined && { band: band === "interval" ? undefined : band }),
      ...(hidden !== undefined && { hidden: hidden.length > 0 ? hidden : undefined }),
    });
    return undefined;
  }

  /** Resolves when a run has begun. A text says why none has. */
  #start(): Promise<string | undefined> {
    const { app, links, runner, shows } = this.playground;
    let begun = false;
    return new Promise((resolve) => {
      void runner
        .begin(false, () => {
          begun = true;
          resolve(undefined);
        })
        .then(() => {
          if (begun) return;
          const refusal = app.refusal.value ? undefined : tooMuch(app.checked.value?.cost, shows("controls"));
          if (refusal !== undefined) links.auto.decline();
          const why = app.refusal.value?.detail ?? (app.failure.value || "the run was stopped, or a part of the page did not load");
          resolve(refusal ?? `nothing was started: ${why}`);
        });
    });
  }

  async #run(): Promise<string | undefined> {
    const { app, links, shows } = this.playground;
    const controls = shows("controls");
    if (!links.auto.run) return "neither the experiment nor its controls are among the parts that are shown";
    let refusal = tooMuch(app.checked.value?.cost, controls);
    if (refusal === undefined) {
      await this.#seen;
      if (this.#gone.signal.aborted) return "the playground is gone";
      refusal = tooMuch(app.checked.value?.cost, controls); // another experiment may be shown by now
    }
    if (refusal === undefined) return this.#start();
    links.auto.decline();
    return refusal;
  }
}

/** Why the host may not start what is shown; undefined if it may. */
function tooMuch(cost: Cost | undefined, controls: boolean): string | undefined {
  if (!cost) return "there is nothing to run yet";
  if (cost.autorun) return undefined;
  return `this takes about ${Math.round(cost.seconds)} s of one worker, more than a page may start by itself; ${controls ? "press Run in the frame" : "the frame has no button Run"}`;
}

/** The link that a command asks for. */
async function linkOf(command: State): Promise<string> {
  const link = await plainLinkOf(command);
  const { heading } = command;
  return heading === undefined || /(^|[#&])heading=/.test(link) ? link : `${link}&heading=${encodeURIComponent(heading)}`;
}

async function plainLinkOf(command: State): Promise<string> {
  if ("link" in command) return command.link;
  if ("spec" in command) {
    const { link } = await ask<Linked>("/v1/link", { spec: command.spec }).catch((error: unknown) => {
      const place = error instanceof Refused && error.problem.pointer?.replace(/^\/spec(?=\/)/, "");
      throw place ? new Error(`${place} of the spec: ${detailOf(error)}`) : error;
    });
    return link;
  }
  const preset = catalogue.presets.find(({ name, alias }) => name === command.preset || alias === command.preset);
  if (preset) return preset.link;
  throw new Error(`there is no preset ${JSON.stringify(command.preset.slice(0, 40))}: the presets are ${catalogue.presets.map(({ name }) => name).join(", ")}`);
}

/** Resolves as soon as something is true of signals. */
const until = (is: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    const end = effect(() => {
      if (!is()) return;
      resolve();
      queueMicrotask(() => end());
    });
  });

/** The sentence about words of ui= that are no part and no detail. */
function strangeWords(strange: readonly string[]): string {
  const list = strange.map((word) => `“${word.slice(0, 40)}”`).join(", ");
  const left = [...parts.map(({ name }) => name), ...Object.keys(details)].map((name) => `-${name}`);
  return `The address asks for unknown parts: ${list}. ui= takes ${parts.map(({ name }) => name).join(", ")}, and to leave something out ${left.join(", ")}.`;
}

const speedOf = (speed: "auto" | number | "fast"): Speed => (speed === "fast" ? Infinity : speed);
