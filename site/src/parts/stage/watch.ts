// The stage: it follows one agent in one run and shows its episodes, moment by moment. A
// page in a frame draws them (host.ts), from traces and the reel of episodes. The app's
// view says what is watched.

import { openStage } from "cpsrl:edition";
import { batch, computed, effect, signal, untracked } from "@preact/signals-core";
import { html, nothing, render } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { standardOf, styleOf } from "../../agents";
import { calm } from "../../calm";
import { byId, sentence } from "../../dom";
import { detailOf, Refused } from "../../engine/engine";
import type { Moment, Spec, StageView, Trace, Watched } from "../../formats";
import type { Playground } from "../../mount";
import type { FromStage } from "../../stage-messages";
import { type Reel, reelOf } from "../../state/reel";
import type { Sampled } from "../../state/app";
import { Latest } from "../../state/latest";
import { domainOf } from "../../state/spec";
import { atMoment, moments } from "../../state/view";
import { type Stage, speeds, type Watching } from "../../state/watching";
import { next } from "../prior/model";
import { StageHost } from "./host";
import { Rush } from "./rush";
import { swipes } from "./swipe";
import { edgeTable, planTable, setTable, stepTable } from "./tables";
import { type Place, type Taken, Traces } from "./traces";
import { Worth, worthOf } from "./worth";

const nameOf = (speed: number): string => (speed === Infinity ? "One picture an episode" : speed === 0.5 ? "½×" : `${speed}×`);
/** The greatest speed at which steps are played. */
const mostSteps = 16;

/** What the width of an edge on the stage can tell. */
const widths = { probable: "how probable it is", valuable: "how valuable it is" };
/** After how many milliseconds at a place the engine is asked for the values of its edges. */
const pause = 250;

/** How many milliseconds after its page has loaded the stage has to send its first message. */
const silence = 5000;

type State = "closed" | "loading" | "showing" | "failed";

/**
 * The overlay of a grid is drawn for one value of the variable that follows row and column. Layer is the index of that variable;
 * layers are the names that the package render has for its values.
 */
const layer = 2;
const layers = ["waiting", "aboard"] as const;

export class Watch {
  readonly #state = signal<State>("closed");
  /** Why there is no picture, or no picture yet. */
  readonly #wait = signal("");
  readonly #text = signal("");
  readonly #note = signal<{ readonly words: string; readonly tone: string }>({ words: "", tone: "" });
  /** Why the stage is drawn as SVG, if it is. */
  readonly #still = signal("");
  /** The episode that is being computed. */
  readonly #computing = signal<number | undefined>(undefined);
  readonly #spec = signal<Spec | undefined>(undefined);
  readonly #worth = new Worth();
  readonly #wide = signal<keyof typeof widths>("probable");
  readonly #place = signal<Place>({ agent: "", run: 0, episode: 1 });
  readonly #shown = signal<Trace | undefined>(undefined);
  readonly #moment = signal<Moment>("sample");
  readonly #step = signal(0);
  /** The step h whose values are shown in the moment "plan". Undefined: the first. */
  readonly #h = signal<number | undefined>(undefined);
  /** The variable whose parent sets are listed. */
  readonly #y = signal<number | undefined>(undefined);
  readonly #overlays = signal({ values: true, policy: true, model: "sampled" as "sampled" | "true", layer: undefined as number | undefined });
  readonly #open = signal<ReadonlySet<string>>(new Set());
  readonly #updated = computed(() => this.#moment.value === "update");
  /** The place whose edges are to be as wide as they are valuable. Undefined: edges are as wide as they are probable. */
  readonly #valued = computed(() => {
    const [trace, spec] = [this.#shown.value, this.#spec.value];
    const passes = this.#watching.passing.value !== undefined;
    if (this.#wide.value === "probable" || !trace?.before || !spec || passes || !this.#hasPlace) return undefined;
    return { spec, trace, learned: this.#learned(trace) };
  });
  /** The values of these edges, once they are known. */
  readonly #values = computed(() => {
    const asked = this.#valued.value;
    const edges = asked && this.#worth.of(asked.spec, asked.learned)?.edges;
    return edges && worthOf(edges, asked.trace);
  });
  /** Whether the form has been refused since. */
  readonly #stale = computed(() => this.playground.app.refusal.value !== undefined);

  readonly #watching: Watching;
  readonly #swipes;
  readonly #traces = new Traces();
  readonly #reel: Reel;
  readonly #rush: Rush;
  /** Whether the stage shows an episode that passed by instead of the trace. */
  #passed = false;
  #stage: StageHost | undefined;
  #frame: HTMLIFrameElement | undefined;
  /** The width of the frame for which its height was set. */
  #width = 0;
  /** The view's value of watched that the stage has taken or written itself. The stage goes elsewhere when the view has another. */
  #handled: Watched | undefined;
  readonly #places = new Latest();
  /** Whether nothing may play because nobody sees the page. */
  #held = false;
  /** Whether the button, and not a link, opened the stage. */
  #openedByButton = false;

  constructor(private readonly playground: Playground) {
    const { app, root, watching } = playground;
    this.#swipes = swipes(byId(root, "watch", HTMLElement));
    this.#watching = watching;
    this.#reel = reelOf(playground);
    this.#rush = new Rush(
      watching,
      this.#reel,
      (episode) => {
        this.#passed = true;
        this.#stage?.send({ kind: "episode", episode });
      },
      (last) => {
        if (last) this.#rest();
      },
    );
    effect(() => this.#render());
    let passing: number | undefined;
    effect(() => {
      const [before, now] = [passing, watching.passing.value];
      passing = now;
      untracked(() => this.#pass(before, now));
    });
    effect(() => {
      const words = this.#reel.failure.value;
      if (words === "" || !this.#rush.running) return;
      untracked(() => {
        this.#rush.stop();
        watching.pass(undefined);
        this.#watching.playing.value = undefined;
        this.#say(sentence(words), "bad");
      });
    });
    effect(() => {
      void app.view.value.watched;
      queueMicrotask(() => (app.view.value.watched ? this.#begin() : this.#close()));
    });
    let followed: unknown;
    effect(() => {
      const checked = app.checked.value;
      const { watched } = app.view.value;
      if (!checked || !watched) return;
      const [anew, led] = [checked !== followed, watched !== this.#handled];
      followed = checked;
      this.#handled = watched;
      if (anew || led) untracked(() => this.#follow(checked.header.spec, watched, anew, led));
    });
    effect(() => {
      void [app.theme.value, app.revealed.value, this.#overlays.value, this.#values.value];
      untracked(() => this.#look());
    });
    effect(() => {
      const asked = this.#valued.value;
      if (!asked || this.#watching.playing.value || this.#worth.of(asked.spec, asked.learned)) return undefined;
      const timer = setTimeout(() => void this.#worth.ask(asked.spec, asked.learned), pause);
      return () => clearTimeout(timer);
    });
    effect(() => this.#believe());
    playground.holds.add((held) => this.hold(held));
  }

  /** Lets nothing play while nobody sees the page. */
  hold(held: boolean): void {
    this.#held = held;
    if (!this.#watching.playing.value) return;
    if (held) {
      this.#rush.stop();
      this.#stage?.send({ kind: "pause" });
    } else this.#resume();
  }

  #begin(): void {
    if (this.#frame) return;
    const { root } = this.playground;
    this.#openedByButton = root.activeElement === this.#button("watch-open");
    batch(() => {
      this.#still.value = this.#text.value = "";
      this.#say("");
      this.#wait.value = "Loading the stage…";
      this.#state.value = "loading";
      this.#watching.stage.value = undefined;
    });
    this.#load();
    if (this.#spec.value) void this.#go(this.#place.value, this.#moment.value);
    if (this.#openedByButton) this.#button("watch-play").focus({ preventScroll: true });
  }

  #close(): void {
    if (this.#state.value === "closed") return;
    const { root } = this.playground;
    const within = byId(root, "watch", HTMLElement).contains(root.activeElement);
    this.#rush.stop();
    this.#watching.pass(undefined);
    this.#rest();
    this.#traces.stop();
    this.#worth.stop();
    this.#places.next();
    this.#unload();
    this.#state.value = "closed";
    this.#watching.stage.value = undefined;
    if (within) this.#button("watch-open").focus();
  }

  #button(id: string): HTMLButtonElement {
    return byId(this.playground.root, id, HTMLButtonElement);
  }

  /** Follows the app after the engine has accepted a form (anew) or the view has led elsewhere (led). */
  #follow(spec: Spec, watched: Watched, anew: boolean, led: boolean): void {
    const other = this.#traces.open(spec);
    const passes = this.#rush.running || this.#watching.passing.value !== undefined;
    if (passes && !other && !led && spec.episodes === this.#episodes) {
      this.#spec.value = spec; // it has the same episodes, so they go on passing by
      return;
    }
    const changed = other && this.#spec.value !== undefined;
    this.#spec.value = spec;
    const to: Place = { agent: watched.agent ?? standardOf(spec.agents), run: watched.run, episode: watched.episode };
    const moment = (watched.moment ?? "sample") as Moment;
    const old = this.#place.value;
    const same = !other && !this.#passed && to.agent === old.agent && to.run === old.run && to.episode === old.episode;
    if (!this.#frame) {
      this.#place.value = to;
      this.#moment.value = moment;
    } else if (!same) {
      void this.#go(to, this.#watching.playing.value === "episodes" ? "sample" : moment, anew);
      if (led) this.#face(moment);
      if (changed) this.#say("The settings have changed: here is the first episode with the new ones.");
    } else {
      if (anew) this.#say("");
      if (!this.#showsPlace) {
        if (led) void this.#go(to, moment, anew); // its trace is on its way, but perhaps for another moment
      } else if (moment !== this.#moment.value) this.#turnTo(moment);
    }
  }

  /** Writes what is watched into the view. */
  #tell(): void {
    const { agent, run, episode } = this.#place.value;
    const moment = this.#moment.value;
    const spec = this.#spec.value;
    const { app } = this.playground;
    if (!spec || !app.view.value.watched) return;
    const watched: Watched = atMoment({ run, episode, ...(agent !== standardOf(spec.agents) && { agent }) }, moment);
    this.#handled = watched;
    app.look({ watched });
  }

  // The stage

  #load(): void {
    const frame = document.createElement("iframe");
    frame.title = "The stage: press Enter to walk its graph with the arrow keys, Esc to leave";
    frame.addEventListener("load", () =>
      setTimeout(() => {
        if (frame === this.#frame && !this.#stage?.met) this.#fail("The stage could not be loaded.");
      }, silence),
    );
    this.#frame = frame;
    this.#stage = new StageHost(frame, (message) => batch(() => this.#hear(message)));
    const place = this.#swipe;
    openStage(frame).then(
      () => frame === this.#frame && place.append(frame),
      () => frame === this.#frame && this.#fail("The stage could not be loaded."),
    );
  }

  #unload(): void {
    this.#stage?.close();
    this.#stage = undefined;
    this.#frame?.remove();
    this.#frame = undefined;
    this.#shown.value = this.#watching.shown.value = undefined;
    this.#passed = false;
  }

  #hear(message: FromStage): void {
    switch (message.kind) {
      case "ready":
        this.#rush.painted();
        this.#still.value = message.still ?? "";
        if (this.#still.value) this.#say("");
        this.#resume();
        break;
      case "moment":
        this.#moment.value = message.moment;
        this.#step.value = message.step;
        if (!this.#watching.playing.value && message.text !== this.#text.value) this.playground.app.announce(message.text);
        this.#text.value = message.text;
        this.#grow(message.height);
        if (this.#showsPlace) this.#tell();
        if (this.#shown.value) this.#paint(this.#shown.value.episode, message);
        break;
      case "passed":
        this.#rush.painted();
        if (!this.#passed) break; // a trace has been sent since
        this.#moment.value = "update";
        this.#text.value = message.text;
        this.#grow(message.height);
        this.#paint(message.episode, { moment: "update", step: this.#shown.value?.horizon ?? 0, text: message.text });
        this.#mark(this.#reel.at(message.episode)?.record.belief, this.#place.value.run);
        break;
      case "select":
        this.#watching.focus.value = message.focus;
        this.#y.value = message.focus?.y;
        this.#look();
        if (message.focus) this.#swipeTo("graph");
        break;
      case "focus":
        if (message.focus && this.playground.root.activeElement === this.#frame) this.#swipeTo("graph"); // reached by the keyboard
        if (message.focus?.y !== undefined) this.#y.value = message.focus.y;
        break;
      case "done":
        this.#arrive();
        break;
      case "refused":
        this.#rush.painted();
        this.#say(sentence(message.detail), "bad");
        break;
      case "unavailable":
        this.#fail(message.detail);
        break;
    }
  }

  /** Gives the frame the height of the tallest moment so far, so that nothing below jumps. */
  #grow(height: number): void {
    const frame = this.#frame;
    if (!frame) return;
    const width = frame.clientWidth;
    if (this.#width === width) height = Math.max(height, Number(frame.height));
    this.#width = width;
    frame.height = String(Math.ceil(height));
    if (this.#state.value === "showing") return;
    this.#state.value = "showing";
    this.#replaceFilm();
    this.#watching.stage.value = this.#controls;
    // If someone has just opened the stage, scroll until the whole picture and the buttons below it are in view.
    const button = this.#button("watch-play");
    setTimeout(() => this.playground.root.activeElement === button && button.scrollIntoView({ block: "nearest" }));
  }

  // Without room for world and graph side by side, one of them is in view, and a swipe leads to the other.

  get #swipe(): HTMLElement {
    return byId(this.playground.root, "watch-swipe", HTMLElement);
  }

  /** Puts the stage in the film's place. After a press on the button it shows the same side that the film showed, otherwise the side that the moment is about. */
  #replaceFilm(): void {
    const seen = this.#openedByButton && byId(this.playground.root, "film", HTMLElement).querySelector(".swipe")?.scrollLeft;
    requestAnimationFrame(() => (typeof seen === "number" ? this.#swipe.scrollTo({ left: seen, behavior: "instant" }) : this.#face(this.#moment.value)));
  }

  /** Brings into view what a moment is about. */
  #face(moment: Moment): void {
    this.#swipeTo(moment === "sample" || moment === "update" ? "graph" : "world");
  }

  #swipeTo(part: "world" | "graph"): void {
    this.#swipe.scrollTo({ left: part === "graph" ? this.#swipe.scrollWidth : 0, behavior: calm.matches ? "auto" : "smooth" });
  }

  /** Reports what was painted. */
  #paint(episode: number, { moment, step, text }: { readonly moment: Moment; readonly step: number; readonly text: string }): void {
    const { agent, run } = this.#place.value;
    this.#watching.shown.value = { agent, run, episode, moment, step, text };
  }

  readonly #controls: Stage = {
    play: () => this.#play("episodes", this.#held),
    rest: () => this.#rest(),
    hasten: (speed) => this.#hasten(speed),
    turn: (moment) => this.#turn(moment as Moment),
    highlight: (from, to) => {
      const { state = [], action = [] } = this.#shown.value ?? {};
      const [x, y] = [[...state, ...action].findIndex(({ name }) => name === from), state.findIndex(({ name }) => name === to)];
      if (from !== undefined && x < 0) return `there is no variable ${JSON.stringify(from.slice(0, 40))}`;
      if (to !== undefined && y < 0) return `there is no state variable ${JSON.stringify(to.slice(0, 40))}`;
      this.#watching.focus.value = from === undefined && to === undefined ? undefined : { ...(from !== undefined && { x }), ...(to !== undefined && { y }) };
      if (to !== undefined) this.#y.value = y;
      this.#look();
      if (this.#watching.focus.value) this.#swipeTo("graph");
      return undefined;
    },
    highlighted: () => {
      const { state = [], action = [] } = this.#shown.value ?? {};
      const { x, y } = this.#watching.focus.value ?? {};
      const [from, to] = [[...state, ...action][x ?? -1]?.name, state[y ?? -1]?.name];
      return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
    },
  };

  #fail(words: string): void {
    this.#rest();
    this.#unload();
    this.#state.value = "failed";
    this.#wait.value = words;
    this.#watching.stage.value = words;
    this.playground.app.announce(words);
  }

  // Which episode is shown

  async #go(to: Place, moment: Moment, anew = false): Promise<void> {
    const signal = this.#places.next();
    if (this.#watching.playing.value === "moment") this.#rest();
    this.#rush.stop();
    this.#place.value = to;
    this.#watching.pass(undefined);
    this.#say("");
    const kept = this.#traces.kept(to);
    if (kept) {
      this.#show(kept, moment, anew);
      return;
    }
    this.#computing.value = to.episode;
    try {
      const taken = await this.#traces.take(to);
      if (!signal.aborted && this.#stage) this.#show(taken, moment, anew);
    } catch (error) {
      if (!signal.aborted) this.#goBack(error instanceof Refused ? sentence(detailOf(error)) : `This episode could not be played again: ${detailOf(error)}`);
    }
  }

  /** Goes back to the episode that is shown, after another one could not be computed. */
  #goBack(words: string): void {
    this.#rest();
    this.#computing.value = undefined;
    const trace = this.#shown.value;
    if (!trace) {
      this.#wait.value = words;
      return;
    }
    this.#place.value = { agent: trace.agent, run: trace.run, episode: trace.episode };
    this.#tell();
    this.#say(words, "bad");
  }

  #show({ trace, bytes }: Taken, moment: Moment, anew: boolean): void {
    const variables = (t: Trace | undefined): string => (t ? JSON.stringify([t.state, t.action]) : "");
    batch(() => {
      this.#computing.value = undefined;
      if (anew || variables(trace) !== variables(this.#shown.value)) {
        this.#width = 0;
        this.#h.value = this.#watching.focus.value = this.#y.value = undefined;
      }
      this.#shown.value = trace;
      this.#moment.value = moment;
      this.#step.value = 0;
      this.#tell();
    });
    this.#passed = false;
    this.#stage?.show(bytes, this.#view());
    this.#rush.painted(); // an episode that was being painted never will be, because the trace replaces it
    this.#resume();
    if (this.#watching.playing.value && !this.#fast && trace.episode < this.#episodes)
      this.#traces.prepare({ ...this.#place.value, episode: trace.episode + 1 });
  }

  get #episodes(): number {
    return this.#spec.value?.episodes ?? 1;
  }

  #view(): StageView {
    const { app } = this.playground;
    const [trace, theme, overlays] = [this.#shown.value, app.theme.value, this.#overlays.value];
    const scene = this.#spec.value && domainOf(this.#spec.value)?.picture;
    return {
      ...(trace && { agent: styleOf(trace.agent).name }),
      ...(scene !== undefined && { scene }),
      moment: this.#moment.value,
      step: this.#step.value,
      ...(theme !== "auto" && { theme }),
      ...(!overlays.values && { values: false }),
      ...(!overlays.policy && { policy: false }),
      model: overlays.model,
      ...(this.#moment.value === "plan" && this.#h.value !== undefined && { h: this.#h.value }),
      ...(overlays.layer !== undefined && trace?.grid && { passenger: layers[overlays.layer] }),
      truth: app.revealed.value,
      ...(this.#watching.focus.value && { focus: this.#watching.focus.value }),
      ...(this.#values.value && { worth: this.#values.value }),
    };
  }

  #look(): void {
    if (this.#shown.value) this.#stage?.look(this.#view());
  }

  // Transport

  /** Whether the stage shows the trace of the place. */
  get #showsPlace(): boolean {
    return this.#hasPlace && !this.#passed;
  }

  /** Whether the stage has the trace of the place, although an episode that passes by may be in front of it. */
  get #hasPlace(): boolean {
    const { agent, run, episode } = this.#place.value;
    const trace = this.#shown.value;
    return trace !== undefined && trace.episode === episode && trace.run === run && trace.agent === agent;
  }

  /** Plays on, unless the page is held. Someone who presses Play sees the page, so it is not held then. */
  #play(until: "moment" | "episodes", held = false): void {
    const trace = this.#shown.value;
    if (!trace) return;
    this.#held = held;
    this.#watching.playing.value = until;
    const last = this.#episodes;
    if (until === "episodes" && this.#fast) {
      this.#resume();
      return;
    }
    if (this.#moment.value === "update" && trace.episode === last) this.#turnTo("sample");
    else if (this.#h.value !== undefined) {
      this.#h.value = undefined; // while playing, the values are those of the next step
      this.#look();
    }
    this.#resume();
    if (until === "episodes" && trace.episode < last) this.#traces.prepare({ ...this.#place.value, episode: trace.episode + 1 });
  }

  /** Lets the stage go on playing, if it may and has the trace. */
  #resume(): void {
    const until = this.#watching.playing.value;
    if (!until || this.#held || !this.#hasPlace) return;
    if (until === "episodes" && this.#fast) this.#hurry();
    else if (this.#showsPlace)
      this.#stage?.send({ kind: "play", speed: Math.min(this.#watching.speed.value, mostSteps), until: until === "moment" ? "moment" : "episode" });
  }

  #rest(): void {
    const passes = this.#rush.running || (this.#fast && this.#passed);
    this.#rush.stop();
    this.#watching.playing.value = undefined;
    this.#stage?.send({ kind: "pause" });
    if (!passes) return;
    this.playground.app.announce(this.#text.value);
    this.#watching.rest("update");
  }

  // Fast forward

  get #fast(): boolean {
    return this.#watching.speed.value === Infinity;
  }

  /** Lets the episodes pass by, from this one on, or from the first if this is the last. */
  #hurry(): void {
    const spec = this.#spec.value;
    if (!spec || this.#rush.running) return;
    const { agent, run, episode } = this.#place.value;
    this.#reel.open(spec, agent, run);
    const last = spec.episodes;
    this.#rush.start(this.#watching.passing.value ?? (episode === last ? 1 : episode), last);
  }

  /** Sets the speed, also for what is playing. */
  #hasten(speed: number): void {
    const was = this.#rush.running;
    this.#watching.speed.value = speed;
    if (was && !this.#fast) {
      this.#rush.stop();
      this.#watching.rest("sample");
    } else this.#resume();
  }

  /** Shows an episode that someone goes past by hand, if it has arrived. The engine is asked for the episodes when a second one follows. */
  #pass(before: number | undefined, now: number | undefined): void {
    const spec = this.#spec.value;
    if (now === undefined || this.#rush.running || !spec || !this.#shown.value) return;
    const { agent, run } = this.#place.value;
    if (before !== undefined) this.#reel.open(spec, agent, run);
    if (this.#reel.isOf(spec, agent, run)) this.#rush.show(now);
  }

  /** Goes on, or rests, after the stage has played to the end of the moment or the episode. */
  #arrive(): void {
    const place = this.#place.value;
    if ((this.#watching.passing.value ?? place.episode) !== place.episode) this.#watching.rest();
    else if (this.#watching.playing.value === "episodes" && place.episode < this.#episodes) {
      void this.#go({ ...place, episode: place.episode + 1 }, "sample");
    } else {
      this.#watching.playing.value = undefined;
      this.playground.app.announce(this.#text.value);
    }
  }

  /** Goes one moment on or back, perhaps into the next episode or the one before. */
  #walk(by: 1 | -1): void {
    if (this.#rush.running) this.#rest();
    if (!this.#showsPlace) return;
    const moment = moments[moments.indexOf(this.#moment.value) + by];
    if (moment) this.#turn(moment, by);
    else this.#leap(by, by > 0 ? "sample" : "update");
  }

  /** Goes to a moment. If that leads forward to acting, the steps are played. */
  #turn(moment: Moment, by = 1): void {
    if (this.#rush.running) this.#rest();
    if (!this.#showsPlace) return;
    this.#rest();
    this.#turnTo(moment);
    if (moment === "act" && by > 0) this.#play("moment");
  }

  #turnTo(moment: Moment): void {
    batch(() => {
      this.#moment.value = moment;
      this.#step.value = 0;
      this.#tell();
    });
    this.#look();
    this.#face(moment);
  }

  #leap(by: 1 | -1, moment = this.#moment.value): void {
    const episode = (this.#watching.passing.value ?? this.#place.value.episode) + by;
    if (episode < 1 || episode > this.#episodes) return;
    void this.#go({ ...this.#place.value, episode }, this.#watching.playing.value === "episodes" ? "sample" : moment);
  }

  /** Moves the step slider: to a step of the trajectory or, in the moment "plan", to the step whose values are shown. */
  #slide(step: number): void {
    if (this.#watching.playing.value) this.#rest();
    if (this.#moment.value === "plan") this.#h.value = Math.max(1, step);
    else this.#step.value = step;
    this.#look();
  }

  // Showing

  #say(words: string, tone = ""): void {
    this.#note.value = { words, tone };
  }

  /** Marks the sampled graph and the beliefs in the views of the prior. */
  #believe(): void {
    const { app } = this.playground;
    const [trace, spec, moment] = [this.#shown.value, this.#spec.value, this.#moment.value];
    if (!trace || !spec) {
      app.sampled.value = undefined;
      return;
    }
    if (this.#stale.value || !this.#showsPlace) return;
    const { graph } = trace.sampled;
    const edges = (moment === "update" ? trace.after : trace.before)?.map(({ edges }) => edges);
    this.#mark(graph && { graph, edges }, trace.run);
  }

  #mark(belief: { readonly graph: Sampled["graph"]; readonly edges: Sampled["belief"] } | undefined, run: number): void {
    const spec = this.#spec.value;
    // The views of the prior show the problem of the first run.
    const apart = spec && domainOf(spec)?.perRun && run !== (spec.firstRun ?? 0);
    this.playground.app.sampled.value = apart || !belief ? undefined : { graph: belief.graph, belief: belief.edges };
  }

  #render(): void {
    const { root } = this.playground;
    const state = this.#state.value;
    byId(root, "watch", HTMLElement).dataset["watch"] = state;
    const open = state !== "closed";
    const body = byId(root, "watch-body", HTMLElement);
    body.hidden = !open;
    byId(root, "watch-invite", HTMLElement).hidden = open && state !== "loading"; // the film stays until the stage shows something
    render(this.#body(), body);
  }

  #menus() {
    const spec = this.#spec.value;
    const { agent, run, episode } = this.#place.value;
    const go = (to: Partial<Place>): void => void this.#go({ agent, run, episode, ...to }, this.#moment.value);
    const { agents = [], firstRun = 0, runs = 0 } = spec ?? {};
    const names = Array.from({ length: runs }, (_, k) => String(firstRun + k));
    return html`<label for="watch-agent">Agent ${menu(
      "watch-agent",
      agents.map((label) => [label, styleOf(label).name]),
      agent,
      (to) => go({ agent: to }),
    )}</label>
      <label for="watch-run">Run ${menu(
        "watch-run",
        names.map((name) => [name, name]),
        String(run),
        (to) => go({ run: Number(to) }),
      )}</label>
      <label for="watch-speed">Speed ${menu(
        "watch-speed",
        speeds.map((speed) => [String(speed), nameOf(speed)]),
        String(this.#watching.speed.value),
        (speed) => this.#hasten(Number(speed)),
      )}</label>
      <button type="button" id="watch-close" @click=${() => this.playground.app.look({ watched: undefined })}>Hide</button>`;
  }

  #body() {
    const { app, watching } = this.playground;
    const [state, trace, moment, spec] = [this.#state.value, this.#shown.value, this.#moment.value, this.#spec.value];
    const [episodes, episode] = [this.#episodes, watching.passing.value ?? this.#place.value.episode];
    const computing = this.#computing.value;
    const stale = this.#stale.value;
    const refused = { words: "The settings are refused, so this is still a run with the last settings that were accepted.", tone: "bad" };
    const note = stale && trace ? refused : this.#note.value;
    const words = note.words || this.#still.value;
    const wait = stale && !spec ? "The settings are refused; the stage waits for others." : this.#wait.value;
    const planning = moment === "plan";
    const horizon = trace?.horizon ?? 1;
    const step = planning ? (this.#h.value ?? 1) : moment === "act" ? this.#step.value : moment === "update" ? horizon : 0;
    const icon = (path: string) => html`<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path fill="currentColor" d=${path} /></svg>`;
    const walk = (id: string, label: string, path: string, act: () => void, disabled?: boolean) =>
      html`<button type="button" id=${id} aria-label=${label} title=${label} .ariaDisabled=${disabled === undefined ? null : String(disabled)} @click=${act}>${icon(path)}</button>`;
    return html`<div id="watch-stage" class="watch-stage" aria-busy=${computing === undefined ? nothing : "true"}>
        <p class="empty" id="watch-wait" ?hidden=${state === "showing"}>
          ${state === "failed" ? html`<span>${wait}</span><button type="button" @click=${() => this.#begin()}>Try again</button>` : wait}
        </p>
        <div id="watch-swipe" class="swipe" role="group" aria-label="World and graph" tabindex=${this.#swipes.value ? 0 : nothing}></div>
        <p class="watch-computing" id="watch-computing">${computing === undefined ? "" : `Playing the run again, up to episode ${computing}…`}</p>
      </div>
      <p id="watch-text" class="watch-text">${this.#text.value}</p>
      <p id="watch-note" class="watch-note ${note.tone}" ?hidden=${words === ""}>${words}</p>
      <div class="watch-bar">
        <div class="watch-buttons" role="group" aria-label="Transport">
          ${walk("watch-previous", "Previous episode", "M3 3h2v10H3zM13.5 3v10L6 8z", () => this.#leap(-1), episode <= 1)}
          ${walk("watch-back", "One moment back", "M11.5 2.5v11L3.5 8z", () => this.#walk(-1))}
          <button type="button" id="watch-play" class="primary" @click=${() => (this.#watching.playing.value ? this.#rest() : this.#play("episodes"))}>${this.#watching.playing.value ? "Pause" : "Play"}</button>
          <button type="button" id="watch-step" @click=${() => this.#walk(1)}>Next moment</button>
          ${walk("watch-next", "Next episode", "M11 3h2v10h-2zM2.5 3v10L10 8z", () => this.#leap(1), episode >= episodes)}
        </div>
        <div id="watch-moments" class="watch-moments" role="group" aria-label="Moment">
          ${moments.map(
            (name) =>
              html`<button type="button" value=${name} aria-current=${name === moment && trace ? "step" : nothing} @click=${() => this.#turn(name)}>${name.charAt(0).toUpperCase()}${name.slice(1)}</button>`,
          )}
        </div>
      </div>
      <div class="watch-slides">
        <label for="watch-episode">Episode</label>
        ${slider("watch-episode", [1, episodes], episode, `${episode} of ${episodes}`, false, (to) => watching.seek(to))}
        <label for="watch-h">Step</label>
        ${slider("watch-h", [planning ? 1 : 0, horizon], step, trace ? `${step} of ${horizon}` : "", !planning && moment !== "act", (to) => this.#slide(to))}
      </div>
      <div id="watch-follow" class="watch-fields">${this.#menus()}</div>
      <div class="watch-drawers">
        ${this.#details("watch-drawn", "What is drawn", () => this.#drawn(trace))}
        ${this.#details("watch-steps", "Steps", () => scroll("watch-step-table", "Steps of this episode", trace && stepTable(trace, planning ? 0 : step)))}
        ${this.#details("watch-plan", "Plan", () => scroll("watch-plan-table", "Values and policy", trace && this.#plan(trace)))}
        ${this.#details("watch-belief", "Beliefs", () => trace && this.#sets(trace))}
        <button type="button" id="watch-reveal" .ariaPressed=${String(app.revealed.value)} @click=${() => void ((app.revealed.value = !app.revealed.value))}>Reveal the true graph</button>
      </div>`;
  }

  #drawn(trace: Trace | undefined) {
    const overlays = this.#overlays.value;
    const set = (change: Partial<typeof overlays>): void => void (this.#overlays.value = { ...overlays, ...change });
    const variable = trace?.grid ? trace.state[layer] : undefined;
    return html`<div class="watch-fields" role="group" aria-label="Overlays">
        <label><input type="checkbox" id="watch-values" .checked=${overlays.values} autocomplete="off" @change=${() => set({ values: !overlays.values })} /> Values</label>
        <label><input type="checkbox" id="watch-policy" .checked=${overlays.policy} autocomplete="off" @change=${() => set({ policy: !overlays.policy })} /> Policy</label>
        <label for="watch-model">Model ${menu(
          "watch-model",
          [
            ["sampled", "sampled"],
            ["true", "true"],
          ],
          overlays.model,
          (model) => set({ model: model as "true" }),
        )}</label>
        <label for="watch-passenger" id="watch-passenger-field" ?hidden=${!variable}>${capital(variable?.name ?? "")}
          ${menu(
            "watch-passenger",
            [["", "as it is"], ...layers.map((name, value) => [name, variable?.values?.[value] ?? name] as const)],
            overlays.layer === undefined ? "" : layers[overlays.layer]!,
            (name) => set({ layer: name === "" ? undefined : layers.indexOf(name as "aboard") }),
          )}</label>
        <label for="watch-wide" ?hidden=${!trace?.before}>An edge’s width tells
          ${menu("watch-wide", Object.entries(widths), this.#wide.value, (what) => void (this.#wide.value = what as keyof typeof widths))}</label>
        <span id="watch-wide-words" class="help" role="status">${this.#valuing()}</span>
      </div>`;
  }

  /** Why the edges are not as wide as they are valuable, or not yet. */
  #valuing(): string {
    const asked = this.#valued.value;
    const answer = asked && this.#worth.of(asked.spec, asked.learned);
    if (!asked || answer?.edges) return "";
    return answer?.failure ?? "Planning without each edge…";
  }

  /** A drawer. Its content is rendered only while it is open. */
  #details(id: string, summary: string, content: () => unknown) {
    const toggle = ({ target }: Event): void => {
      const open = new Set(this.#open.value);
      if ((target as HTMLDetailsElement).open) open.add(id);
      else open.delete(id);
      this.#open.value = open;
    };
    return html`<details id=${id} @toggle=${toggle}><summary>${summary}</summary>${this.#open.value.has(id) ? content() : nothing}</details>`;
  }

  #plan(trace: Trace) {
    const moment = this.#moment.value;
    const passed = moment === "act" ? this.#step.value : moment === "update" ? trace.horizon : 0;
    const h = moment === "plan" && this.#h.value !== undefined ? this.#h.value : Math.min(passed + 1, trace.horizon);
    const { model, layer: chosen } = this.#overlays.value;
    const at = trace.grid && { layer, value: chosen ?? (trace.steps[passed]?.x ?? trace.steps.at(-1)!.y)[layer]! };
    return planTable(trace, model, h, at);
  }

  /** The place whose beliefs are shown. Its episode is the last one that the agent has learned from. */
  #learned({ agent, run, episode }: Trace): Place {
    return { agent, run, episode: this.#updated.value ? episode : episode - 1 };
  }

  #sets(trace: Trace) {
    const belief = this.#moment.value === "update" ? trace.after : trace.before;
    const y = this.#y.value;
    const names = trace.state.map(({ name }, j) => [String(j), next(name)] as const);
    const choose = (value: string): void => {
      this.#y.value = value === "" ? undefined : Number(value);
      this.#watching.focus.value = this.#y.value === undefined ? undefined : { y: this.#y.value };
      this.#look();
    };
    const spec = this.#spec.value;
    const sets = !belief ? "This agent has no graph." : y === undefined ? "Choose a variable, or point at one on the stage." : setTable(trace, y, belief[y]!);
    return html`${belief ? scroll("watch-edge-table", "Sampled graph", edgeTable(trace, belief, this.playground.app.revealed.value)) : nothing}
      <label for="watch-y">Parents of ${menu("watch-y", [["", "choose"], ...names], String(y ?? ""), choose)}</label>
      ${scroll("watch-set-table", "Parent sets", sets)}
      ${belief && spec ? scroll("watch-worth", "What the edges are worth", this.#worth.content(spec, this.#learned(trace), this.playground.app.revealed.value)) : nothing}`;
  }
}

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const textOf = ({ target }: Event): string => (target as HTMLInputElement).value;

function menu(id: string, options: readonly (readonly [string, string])[], value: string, choose: (value: string) => void) {
  return html`<select id=${id} autocomplete="off" @change=${(event: Event) => choose(textOf(event))}>
    ${options.map(([name, label]) => html`<option value=${name} .selected=${live(name === value)}>${label}</option>`)}
  </select>`;
}

function slider(id: string, [min, max]: readonly [number, number], value: number, words: string, disabled: boolean, move: (value: number) => void) {
  return html`<input type="range" id=${id} min=${min} max=${max} .value=${live(String(value))} ?disabled=${disabled} autocomplete="off" aria-valuetext=${words}
      @input=${(event: Event) => move(Number(textOf(event)))} />
    <output id="${id}-shown" for=${id}>${words}</output>`;
}

const scroll = (id: string, label: string, content: unknown) =>
  html`<div id=${id} class="scroll" role="region" aria-label=${label} tabindex="0">${content}</div>`;
