// The stage: it follows one agent in one run and shows its episodes, moment by moment. A
// page in a frame draws them (host.ts), from traces and the reel of episodes. The app's
// view says what is watched.

import { openStage } from "cpsrl:edition";
import { batch, effect, untracked } from "@preact/signals-core";
import { standardOf } from "../../agents";
import { byId, sentence } from "../../dom";
import { detailOf, Refused } from "../../engine/engine";
import type { Belief, Moment, Spec, Trace } from "../../formats";
import type { Playground } from "../../state/playground";
import type { FromStage } from "../../stage-messages";
import type { EpisodeCache } from "../../state/episode-cache";
import { reelOf } from "../../state/reel";
import { Overdue, secondsTo } from "../../state/budget";
import { duration } from "../../state/duration";
import { Latest } from "../../state/latest";
import { domainOf } from "../../state/spec";
import { atMoment, moments, played } from "../../state/view";
import type { Speed, Stage, Place as Wanted, Watching } from "../../state/watching";
import { StageHost } from "./host";
import { panel } from "./panel";
import { FastForward } from "./fast-forward";
import { Showing } from "./showing";
import { passing, speedOf } from "./tempo";
import { type Place, type Taken, Traces } from "./traces";

/** The greatest speed at which steps are played. */
const mostSteps = 16;

/** After how many milliseconds at a place the engine is asked for the values of its edges. */
const pause = 250;

/** How many milliseconds after its page has loaded the stage has to send its first message. */
const silence = 5000;

export class Watch {
  readonly #watching: Watching;
  readonly #showing: Showing;
  readonly #traces = new Traces();
  readonly #reel: EpisodeCache;
  readonly #rush: FastForward;
  #host: StageHost | undefined;
  #frame: HTMLIFrameElement | undefined;
  /** The width of the frame for which its height was set. */
  #width = 0;
  readonly #places = new Latest();
  /** Whether nothing may play because nobody sees the page. */
  #held = false;
  /** Whether someone pressed Play, and not a host. */
  #pressed = false;
  /** The episode at which Play began, or at which it went on after someone had gone there. */
  #began = 1;
  /** Whether the button, and not a link, opened the stage. */
  #openedByButton = false;

  constructor(private readonly playground: Playground) {
    const { app, watching } = playground;
    this.#watching = watching;
    this.#showing = new Showing(playground);
    this.#reel = reelOf(playground);
    this.#rush = new FastForward(
      watching,
      this.#reel,
      (episode) => {
        this.#showing.passed = true;
        this.#host?.send({ kind: "episode", episode });
      },
      (last) => {
        if (last) this.#end();
      },
    );
    panel(playground, this.#showing, {
      begin: () => this.#begin(),
      go: (to) => this.#choose({ ...this.#showing.place.value, ...to }),
      leap: (by) => this.#leap(by),
      walk: (by) => this.#walk(by),
      turn: (moment) => this.#turn(moment),
      slide: (step) => this.#slide(step),
      play: () => this.#play("episodes"),
      rest: () => this.#rest(),
      hasten: (speed) => {
        this.#pressed = true;
        this.#hasten(speed);
      },
      look: () => this.#look(),
    });
    let passing: number | undefined;
    effect(() => {
      const [before, now] = [passing, watching.passing.value];
      passing = now;
      untracked(() => this.#pass(before, now));
    });
    effect(() => {
      const words = this.#reel.failure.value || this.#reel.asking;
      if (words === "" || !this.#rush.running) return;
      untracked(() => {
        this.#rush.stop();
        watching.pass(undefined);
        this.#watching.playing.value = undefined;
        this.#showing.say(sentence(words), "bad");
      });
    });
    effect(() => {
      const { watched } = app.view.value;
      if (watched && !this.#frame) watching.stage.value = undefined; // why there was none is over
      queueMicrotask(() => (app.view.value.watched ? this.#begin() : this.#close()));
    });
    let followed: unknown;
    effect(() => {
      const checked = app.checked.value;
      const wanted = watching.wanted.value;
      if (!checked || !wanted) return;
      const anew = checked !== followed;
      followed = checked;
      untracked(() => this.#follow(checked.header.spec, wanted, anew));
    });
    effect(() => {
      void [app.theme.value, app.revealed.value, this.#showing.overlays.value, this.#showing.values.value];
      untracked(() => this.#look());
    });
    effect(() => {
      const asked = this.#showing.valued.value;
      if (!asked || playground.held.value || this.#watching.playing.value || this.#showing.worth.of(asked.spec, asked.learned)) return undefined;
      const timer = setTimeout(() => {
        const { worth } = this.#showing;
        if (this.#tooLong(asked.learned)) worth.decline(asked.spec, asked.learned);
        else void worth.ask(asked.spec, asked.learned, this.#budget);
      }, pause);
      return () => clearTimeout(timer);
    });
    effect(() => this.#believe());
    effect(() => {
      const [held, away] = [playground.held.value, playground.away.value];
      untracked(() => this.#hold(held, away));
    });
  }

  /** Lets nothing play or compute while nobody sees the page. */
  #hold(held: boolean, away: boolean): void {
    this.#held = held;
    this.#traces.hold(held, away);
    if (held) this.#showing.worth.stop();
    if (!this.#watching.playing.value) return;
    if (held) {
      this.#rush.stop();
      this.#host?.send({ kind: "pause" });
    } else this.#resume();
  }

  #begin(): void {
    if (this.#frame) return;
    const { root } = this.playground;
    this.#openedByButton = root.activeElement === this.#button("watch-open");
    const again = byId(root, "watch-wait", HTMLElement).contains(root.activeElement);
    batch(() => {
      this.#showing.still.value = this.#showing.text.value = "";
      this.#showing.say("");
      this.#showing.wait.value = "Loading the stage…";
      this.#showing.state.value = "loading";
      this.#watching.stage.value = undefined;
    });
    this.#load();
    if (this.#showing.spec.value) void this.#go(this.#showing.place.value, this.#showing.moment.value);
    if (this.#openedByButton || again) this.#button("watch-play").focus({ preventScroll: true });
  }

  #close(): void {
    if (this.#showing.state.value === "closed") return;
    const { root } = this.playground;
    const within = byId(root, "watch", HTMLElement).contains(root.activeElement);
    this.#rush.stop();
    this.#watching.pass(undefined);
    this.#rest();
    this.#traces.stop();
    this.#showing.worth.stop();
    this.#places.next();
    this.#unload();
    this.#showing.state.value = "closed";
    this.#watching.stage.value = undefined;
    if (within) this.#button("watch-open").focus();
  }

  #button(id: string): HTMLButtonElement {
    return byId(this.playground.root, id, HTMLButtonElement);
  }

  /** Goes to what is wanted, unless the stage is there or on its way. Anew: the engine has accepted a form since. */
  #follow(spec: Spec, { moment, ...wanted }: Wanted, anew: boolean): void {
    const other = this.#traces.open(spec);
    const { agent, run, episode } = this.#showing.place.value;
    const here = wanted.agent === agent && wanted.run === run && wanted.episode === episode;
    /** Whether it is elsewhere than where the stage is or goes by itself. */
    const led = !here || moment !== this.#moment;
    const passes = this.#watching.passing.value !== undefined;
    if (passes && !other && !led && spec.episodes === this.#showing.episodes) {
      this.#showing.spec.value = spec; // it has the same episodes, so they go on passing by
      return;
    }
    const changed = other && this.#showing.spec.value !== undefined;
    this.#showing.spec.value = spec;
    const to: Place = { agent: wanted.agent, run: wanted.run, episode: wanted.episode };
    const same = !other && here && (this.#awaits || !this.#showing.passed);
    if (!this.#frame) {
      this.#showing.place.value = to;
      this.#showing.moment.value = moment;
    } else if (!same) {
      void this.#go(to, this.#watching.playing.value === "episodes" ? "sample" : moment, { anew });
      if (changed && to.episode === 1) this.#showing.say("The settings have changed: here is the first episode with the new ones.");
    } else {
      if (anew) this.#showing.say("");
      if (!this.#showing.showsPlace) {
        if (led) void this.#go(to, moment, { anew }); // its trace is on its way, but perhaps for another moment
      } else if (moment !== this.#showing.moment.value) this.#turnTo(moment);
    }
  }

  /** Writes into the view what is watched, even before its episode has arrived. */
  #tell(moment = this.#showing.moment.value): void {
    const { agent, run, episode } = this.#showing.place.value;
    const spec = this.#showing.spec.value;
    const { app } = this.playground;
    if (!spec || app.spec.value !== spec || !app.view.value.watched) return;
    app.look({ watched: atMoment({ run, episode, ...(agent !== standardOf(spec.agents) && { agent }) }, moment) });
  }

  // The stage

  #load(): void {
    const frame = document.createElement("iframe");
    frame.title = "The stage: press Enter to walk its graph with the arrow keys, Esc to leave";
    frame.addEventListener("load", () =>
      setTimeout(() => {
        if (frame === this.#frame && !this.#host?.met) this.#fail("The stage could not be loaded.");
      }, silence),
    );
    this.#frame = frame;
    this.#host = new StageHost(frame, (message) => batch(() => this.#hear(message)));
    const place = byId(this.playground.root, "watch-world", HTMLElement);
    openStage(frame).then(
      () => frame === this.#frame && place.append(frame),
      () => frame === this.#frame && this.#fail("The stage could not be loaded."),
    );
  }

  #unload(): void {
    this.#host?.close();
    this.#host = undefined;
    this.#frame?.remove();
    this.#frame = undefined;
    this.#showing.trace.value = this.#watching.painted.value = this.#showing.awaited.value = undefined;
    this.#ask(undefined);
    this.#showing.passed = false;
  }

  #hear(message: FromStage): void {
    switch (message.kind) {
      case "ready":
        this.#rush.painted();
        this.#showing.still.value = message.still ?? "";
        if (this.#showing.still.value) this.#showing.say("");
        this.#resume();
        break;
      case "moment":
        this.#showing.moment.value = message.moment;
        this.#showing.step.value = message.step;
        if (!this.#watching.playing.value && message.text !== this.#showing.text.value) this.playground.app.announce(message.text);
        this.#showing.text.value = message.text;
        this.#grow(message.height);
        if (this.#showing.showsPlace) this.#tell();
        if (this.#showing.trace.value) this.#paint(this.#showing.trace.value, message);
        break;
      case "passed":
        if (!this.#showing.passed) {
          this.#rush.painted();
          break; // a trace has been sent since
        }
        this.#rush.painted(message.episode);
        this.#showing.moment.value = "update";
        this.#showing.text.value = message.text;
        this.#grow(message.height);
        this.#paint(
          { ...this.#showing.place.value, episode: message.episode },
          { moment: "update", step: this.#showing.trace.value?.steps.length ?? 0, text: message.text },
        );
        this.#mark(this.#reel.at(message.episode)?.record.belief, this.#showing.place.value.run);
        break;
      case "select":
        this.#watching.focus.value = message.focus;
        this.#showing.y.value = message.focus?.y;
        this.#look();
        break;
      case "focus":
        if (message.focus && this.playground.root.activeElement === this.#frame) {
          // reached by the keyboard
          if (message.name) this.playground.app.announce(message.name);
        }
        if (message.focus?.y !== undefined) this.#showing.y.value = message.focus.y;
        break;
      case "done":
        this.#arrive();
        break;
      case "refused":
        this.#rush.painted();
        this.#showing.say(sentence(message.detail), "bad");
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
    // Beside the prior, as high as the film was in its place.
    if (this.#showing.state.value !== "showing" && this.playground.shows("prior"))
      height = Math.max(height, byId(this.playground.root, "film", HTMLElement).querySelector("svg")?.clientHeight ?? 0);
    this.#width = width;
    frame.height = String(Math.ceil(height));
    if (this.#showing.state.value === "showing") return;
    this.#showing.state.value = "showing";
    this.#watching.stage.value = this.#controls;
    // If someone has just opened the stage, scroll until the whole picture and the buttons below it are in view.
    const button = this.#button("watch-play");
    setTimeout(() => this.playground.root.activeElement === button && this.#button("watch-step").scrollIntoView({ block: "nearest" }));
  }

  /** Reports what was painted. */
  #paint({ agent, run, episode }: Place, { moment, step, text }: { readonly moment: Moment; readonly step: number; readonly text: string }): void {
    this.#watching.painted.value = { experiment: this.#showing.experiment, agent, run, episode, moment, step, text };
  }

  readonly #controls: Stage = {
    play: () => {
      this.#play("episodes", this.#held, false);
      const { asking } = this.#reel;
      return this.#fast && asking ? `${asking.charAt(0).toLowerCase()}${asking.slice(1)}, so the reader has to press Play` : undefined;
    },
    rest: () => this.#rest(),
    hasten: (speed) => {
      this.#pressed = false;
      this.#hasten(speed);
    },
    turn: (moment) => this.#turn(moment as Moment),
    highlight: (from, to) => {
      const { state = [], action = [] } = this.#showing.trace.value ?? {};
      const [x, y] = [[...state, ...action].findIndex(({ name }) => name === from), state.findIndex(({ name }) => name === to)];
      if (from !== undefined && x < 0) return `there is no variable ${JSON.stringify(from.slice(0, 40))}`;
      if (to !== undefined && y < 0) return `there is no state variable ${JSON.stringify(to.slice(0, 40))}`;
      this.#watching.focus.value = from === undefined && to === undefined ? undefined : { ...(from !== undefined && { x }), ...(to !== undefined && { y }) };
      if (to !== undefined) this.#showing.y.value = y;
      this.#look();
      return undefined;
    },
    highlighted: () => {
      const { state = [], action = [] } = this.#showing.trace.value ?? {};
      const { x, y } = this.#watching.focus.value ?? {};
      const [from, to] = [[...state, ...action][x ?? -1]?.name, state[y ?? -1]?.name];
      return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
    },
  };

  #fail(words: string): void {
    this.#rest();
    this.#places.next();
    this.#unload();
    this.#showing.state.value = "failed";
    this.#showing.wait.value = words;
    this.#watching.stage.value = words;
    this.playground.app.announce(words);
  }

  // Which episode is shown

  /** Goes to a place, or loads the stage for it if the stage has failed. */
  #choose(place: Place): void {
    if (this.#frame) void this.#go(place, this.#moment);
    else {
      this.#showing.place.value = place;
      this.#begin();
    }
  }

  /** Whether an episode is on its way. */
  get #awaits(): boolean {
    return this.#showing.awaited.value !== undefined;
  }

  /** The moment that is shown or, while an episode is on its way, the moment at which it will be shown. */
  get #moment(): Moment {
    return this.#showing.awaited.value?.moment ?? this.#showing.moment.value;
  }

  /** The seconds that the page may compute without being asked. */
  get #budget(): number {
    return this.playground.app.checked.peek()?.cost.budget ?? Infinity;
  }

  /** The seconds that an episode takes, if that is more than the page may compute without being asked. */
  #tooLong({ agent, episode }: Place): number | undefined {
    const checked = this.playground.app.checked.peek();
    const seconds = checked ? secondsTo(checked, agent, episode) : 0;
    return seconds > this.#budget ? seconds : undefined;
  }

  /** Asks the reader before an episode is computed, or no longer asks. */
  #ask(asks: { readonly words: string; readonly label: string; readonly press: () => void } | undefined): void {
    batch(() => {
      this.#showing.asks.value = asks;
      this.#watching.asks.value = asks ? `${asks.words} The reader has been asked.` : "";
    });
    if (asks) this.playground.app.announce(asks.words);
  }

  /** Goes to a place and, if that takes long, asks first, unless someone has pressed the button that this offers. */
  async #go(to: Place, moment: Moment, { anew = false, pressed = false, began = to.episode } = {}): Promise<void> {
    const signal = this.#places.next();
    this.#began = began;
    if (this.#watching.playing.value === "moment") this.#rest();
    this.#rush.stop();
    this.#showing.place.value = to;
    this.#watching.pass(undefined);
    this.#showing.say("");
    this.#ask(undefined);
    const kept = this.#traces.kept(to);
    if (kept) {
      this.#show(kept, moment, anew);
      return;
    }
    this.#showing.awaited.value = { ...to, moment };
    this.#tell(moment);
    const press = (): void => {
      void this.#go(to, moment, { anew, pressed: true, began });
      if (this.#showing.state.value === "loading") this.#showing.wait.value = `Playing the run again, up to episode ${to.episode}…`;
      this.#button("watch-play").focus({ preventScroll: true }); // the button goes
    };
    const long = pressed ? undefined : this.#tooLong(to);
    if (long !== undefined) {
      this.#traces.stop();
      const time = duration(long);
      this.#ask({
        words: `Episode ${to.episode} takes about ${time} of computing in this tab, so it has not started by itself.`,
        label: `Compute this episode (about ${time})`,
        press,
      });
      return;
    }
    try {
      const taken = await this.#traces.take(to, pressed ? Infinity : this.#budget);
      if (!signal.aborted && this.#host) this.#show(taken, moment, anew);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Overdue)
        this.#ask({
          words: `Episode ${to.episode} has taken ${duration(error.seconds)}, and nothing that starts by itself may take longer.`,
          label: "Compute this episode",
          press,
        });
      else this.#goBack(error instanceof Refused ? sentence(detailOf(error)) : `This episode could not be played again: ${detailOf(error)}`);
    }
  }

  /** Goes back to the episode that is shown, after another one could not be computed. If none of this experiment is shown, the stage has failed. */
  #goBack(words: string): void {
    this.#rest();
    this.#showing.awaited.value = undefined;
    const trace = this.#showing.trace.value;
    if (!trace || !this.#showing.isOwn) {
      this.#fail(words);
      return;
    }
    this.#showing.place.value = { agent: trace.agent, run: trace.run, episode: trace.episode };
    const kept = this.#showing.passed && this.#traces.kept(this.#showing.place.value);
    if (kept)
      this.#show(kept, this.#showing.moment.value, false); // an episode that passed by is in front of it
    else this.#tell();
    this.#showing.say(words, "bad");
  }

  #show({ trace, bytes }: Taken, moment: Moment, anew: boolean): void {
    const variables = (t: Trace | undefined): string => (t ? JSON.stringify([t.state, t.action]) : "");
    this.#showing.passed = false;
    batch(() => {
      this.#showing.awaited.value = undefined;
      if (this.#showing.spec.value) this.#showing.experiment = played(this.#showing.spec.value);
      if (anew || variables(trace) !== variables(this.#showing.trace.value)) {
        this.#width = 0;
        this.#showing.h.value = this.#watching.focus.value = this.#showing.y.value = undefined;
      }
      this.#showing.trace.value = trace;
      this.#showing.moment.value = moment;
      this.#showing.step.value = 0;
      this.#tell();
    });
    this.#host?.show(bytes, this.#showing.view());
    this.#rush.painted(); // an episode that was being painted never will be, because the trace replaces it
    this.#resume();
    if (this.#watching.playing.value) this.#prepareNext(trace.episode);
  }

  /** Computes in advance the episode after this one, if it will be played step by step. */
  #prepareNext(episode: number): void {
    if (episode < this.#showing.episodes && this.#paceOf(episode + 1) !== Infinity) this.#prepare(episode + 1);
  }

  /** Computes an episode in advance, unless that takes long. */
  #prepare(episode: number): void {
    const place = { ...this.#showing.place.value, episode };
    if (this.#tooLong(place) === undefined) this.#traces.prepare(place, this.#budget);
  }

  #look(): void {
    if (this.#showing.trace.value) this.#host?.look(this.#showing.view());
  }

  // Transport

  /** Plays on, unless the page is held. Someone who presses Play sees the page, so it is not held then. */
  #play(until: "moment" | "episodes", held = false, pressed = true): void {
    if (!this.#frame) return;
    this.#pressed = pressed;
    this.#held = held;
    if (!held) this.playground.held.value = false;
    this.#watching.playing.value = until;
    this.#began = this.#showing.place.value.episode;
    const trace = this.#showing.trace.value;
    if (!trace || this.#awaits) return; // the episode plays when it has arrived
    const last = this.#showing.episodes;
    if (until === "episodes" && this.#quickens) {
      if (this.#showing.moment.value === "update" && trace.episode === last) {
        void this.#go({ ...this.#showing.place.value, episode: 1 }, "sample");
        return;
      }
      if (this.#showing.spec.value) this.#reel.open(this.#showing.spec.value, trace.agent, trace.run, pressed); // the pictures that will pass by
    }
    if (until === "episodes" && this.#fast) {
      this.#resume();
      return;
    }
    if (this.#showing.moment.value === "update" && trace.episode === last) this.#turnTo("sample");
    else if (this.#showing.h.value !== undefined) {
      this.#showing.h.value = undefined; // while playing, the values are those of the next step
      this.#look();
    }
    this.#resume();
    if (until === "episodes") this.#prepareNext(trace.episode);
  }

  /** Lets the stage go on playing, if it may and has the trace. */
  #resume(): void {
    const until = this.#watching.playing.value;
    if (!until || this.#held || !this.#showing.hasPlace) return;
    if (until === "episodes" && this.#fast) this.#hurry();
    else if (this.#showing.showsPlace)
      this.#host?.send({
        kind: "play",
        speed: Math.min(until === "moment" ? speedOf(this.#watching.speed.value, 0, true) : this.#paceOf(this.#showing.place.value.episode), mostSteps),
        until: until === "moment" ? "moment" : "episode",
      });
  }

  #rest(): void {
    const passes = this.#rush.running || (this.#fast && this.#showing.passed);
    this.#rush.stop();
    this.#watching.playing.value = undefined;
    this.#host?.send({ kind: "pause" });
    if (!passes) return;
    this.playground.app.announce(this.#showing.text.value);
    this.#watching.rest("update");
  }

  // Fast forward

  /** Whether Play begins slowly and quickens. */
  get #quickens(): boolean {
    return this.#watching.speed.value === "auto";
  }

  /** The speed at which an episode plays. Infinity: it is one picture. */
  #paceOf(episode: number): number {
    return speedOf(this.#watching.speed.value, episode - this.#began, episode === this.#showing.episodes);
  }

  /** Whether the present episode is one picture. */
  get #fast(): boolean {
    return this.#paceOf(this.#watching.passing.value ?? this.#showing.place.value.episode) === Infinity;
  }

  /** Lets the episodes pass by. Fast forward begins with this one, or with the first if this is the last. */
  #hurry(): void {
    const spec = this.#showing.spec.value;
    if (!spec || this.#rush.running) return;
    const { agent, run, episode } = this.#showing.place.value;
    this.#reel.open(spec, agent, run, this.#pressed);
    if (this.#reel.asking) {
      this.#watching.playing.value = undefined;
      this.#showing.say(`${this.#reel.asking}. Press Play to compute them.`);
      return;
    }
    const last = spec.episodes;
    const now = this.#watching.passing.value ?? episode;
    if (this.#quickens) {
      const coming = passing(last).filter(({ episode }) => episode > now);
      this.#rush.start(now, last, coming);
      this.#prepare(last);
    } else this.#rush.start(now === last ? 1 : now, last);
  }

  /** Rests after fast forward. Play that quickens goes on with the last episode. */
  #end(): void {
    const place = { ...this.#showing.place.value, episode: this.#showing.episodes };
    if (this.#quickens && this.#watching.passing.value !== place.episode && this.#tooLong(place) === undefined) void this.#go(place, "sample");
    else this.#rest();
  }

  /** Sets the speed, also for what is playing. */
  #hasten(speed: Speed): void {
    const was = this.#rush.running;
    this.#watching.speed.value = speed;
    this.#began = this.#watching.passing.value ?? this.#showing.place.value.episode;
    if (was) this.#rush.stop();
    if (was && !this.#fast) this.#watching.rest("sample");
    else this.#resume();
  }

  /** Shows an episode that someone goes past by hand, if it has arrived. The engine is asked for the episodes when a second one follows. */
  #pass(before: number | undefined, now: number | undefined): void {
    const spec = this.#showing.spec.value;
    if (now === undefined || this.#rush.running || !spec || !this.#showing.trace.value || !this.#showing.isOwn) return;
    const { agent, run } = this.#showing.place.value;
    if (before !== undefined) this.#reel.open(spec, agent, run);
    if (this.#reel.isOf(spec, agent, run)) this.#rush.show(now);
  }

  /** Goes on, or rests, after the stage has played to the end of the moment or the episode. */
  #arrive(): void {
    if (this.#awaits) return; // the old episode has ended, and the awaited one has not arrived
    const place = this.#showing.place.value;
    if ((this.#watching.passing.value ?? place.episode) !== place.episode) this.#watching.rest();
    else if (this.#watching.playing.value === "episodes" && place.episode < this.#showing.episodes) {
      const episode = place.episode + 1;
      if (this.#paceOf(episode) === Infinity) this.#hurry();
      else void this.#go({ ...place, episode }, "sample", { began: this.#began });
    } else {
      this.#watching.playing.value = undefined;
      this.playground.app.announce(this.#showing.text.value);
    }
  }

  /** Goes one moment on or back, perhaps into the next episode or the one before. */
  #walk(by: 1 | -1): void {
    if (this.#rush.running) this.#rest();
    if (!this.#showing.showsPlace && !this.#awaits) return;
    const moment = moments[moments.indexOf(this.#moment) + by];
    if (moment) this.#turn(moment, by);
    else this.#leap(by, by > 0 ? "sample" : "update");
  }

  /** Goes to a moment. If that leads forward to acting, the steps are played. */
  #turn(moment: Moment, by = 1): void {
    if (this.#rush.running) this.#rest();
    if (!this.#showing.showsPlace && !this.#awaits) return;
    this.#rest();
    if (this.#awaits) {
      void this.#go(this.#showing.place.value, moment);
      if (moment === "act" && by > 0) this.#play("moment");
      return;
    }
    this.#turnTo(moment);
    if (moment === "act" && by > 0) this.#play("moment");
  }

  #turnTo(moment: Moment): void {
    batch(() => {
      this.#showing.moment.value = moment;
      this.#showing.step.value = 0;
      this.#tell();
    });
    this.#look();
  }

  #leap(by: 1 | -1, moment = this.#moment): void {
    const episode = (this.#watching.passing.value ?? this.#showing.place.value.episode) + by;
    if (episode < 1 || episode > this.#showing.episodes) return;
    void this.#go({ ...this.#showing.place.value, episode }, this.#watching.playing.value === "episodes" ? "sample" : moment);
  }

  /** Moves the step slider: to a step of the trajectory or, in the moment "plan", to the step whose values are shown. */
  #slide(step: number): void {
    if (this.#watching.playing.value) this.#rest();
    if (this.#showing.moment.value === "plan") this.#showing.h.value = Math.max(1, step);
    else this.#showing.step.value = step;
    this.#look();
  }

  // What the prior shows

  /** Marks the sampled graph and the beliefs in the views of the prior. */
  #believe(): void {
    const { app } = this.playground;
    const [trace, spec, moment] = [this.#showing.trace.value, this.#showing.spec.value, this.#showing.moment.value];
    if (!trace || !spec) {
      app.believe("", undefined);
      return;
    }
    if (this.#showing.stale.value || !this.#showing.showsPlace) return;
    const { graph } = trace.sampled;
    const edges = (moment === "update" ? trace.after : trace.before)?.map(({ edges }) => edges);
    this.#mark(graph && { graph, edges }, trace.run);
  }

  #mark(belief: { readonly [part in "graph" | "edges"]?: Belief[part] | undefined } | undefined, run: number): void {
    const spec = this.#showing.spec.value;
    if (!spec) return;
    // The views of the prior show the problem of the first run.
    const apart = domainOf(spec)?.perRun && run !== (spec.firstRun ?? 0);
    this.playground.app.believe(played(spec), apart || !belief?.graph ? undefined : { graph: belief.graph, belief: belief.edges });
  }
}
