// Which episode is watched. The view holds what is wanted; the stage goes there, and says
// what it has painted. An episode that only passes by, under a slider, the chart's cursor or
// fast forward, enters the view when it comes to rest.

import { batch, computed, effect, signal } from "@preact/signals-core";
import { standardOf } from "../agents";
import type { Focus, Moment } from "../formats";
import type { App } from "./app";
import { atMoment, moments } from "./view";

/** How fast a stage plays. "auto" begins slowly and quickens; Infinity is one picture for each episode. */
export type Speed = number | "auto";

/** The speeds, the usual one first. */
export const speeds: readonly Speed[] = ["auto", 0.5, 1, 2, 4, 8, 16, Infinity];

/** The speed of a stage until someone chooses another one. */
export const usualSpeed: Speed = "auto";

/** After so many milliseconds without another, an episode that passes by is watched. */
const pause = 120;

/** A moment of an episode of an agent, in a run of an experiment. */
export interface Place {
  /** What its trajectories depend on (played in view.ts). */
  readonly experiment: string;
  readonly agent: string;
  readonly run: number;
  readonly episode: number;
  readonly moment: Moment;
}

/** Whether two places are of the same episode. */
export const sameEpisode = (a: Place | undefined, b: Place | undefined): boolean =>
  a?.experiment === b?.experiment && a?.agent === b?.agent && a?.run === b?.run && a?.episode === b?.episode;

/** What the stage has painted. */
export interface Painted extends Place {
  readonly step: number;
  /** The sentence about it. */
  readonly text: string;
}

/** The commands to an open stage. */
export interface Stage {
  /** Plays, if that takes no more than may start without being asked. A text says that it does. */
  play(): string | undefined;
  rest(): void;
  hasten(speed: Speed): void;
  turn(moment: string): void;
  /** Highlights an edge, or all edges of a variable, by name. A text says why it could not. */
  highlight(from: string | undefined, to: string | undefined): string | undefined;
  /** The names of what is highlighted. */
  readonly highlighted: () => { readonly from?: string; readonly to?: string };
}

export class Watching {
  /** Until when the stage plays on: the end of the moment, or of all episodes. */
  readonly playing = signal<"moment" | "episodes" | undefined>(undefined);
  readonly speed = signal<Speed>(usualSpeed);
  readonly focus = signal<Focus | undefined>(undefined);
  /** What the stage is to show. Undefined: nothing, or something that the engine has not accepted yet. */
  readonly wanted = computed<Place | undefined>(() => {
    const { watched } = this.app.view.value;
    const spec = this.app.checked.value?.header.spec;
    if (!watched || !spec || spec !== this.app.spec.value) return undefined;
    const { agent = standardOf(spec.agents), run, episode, moment = moments[0] } = watched;
    return { experiment: this.app.experiment.value, agent, run, episode, moment: moment as Moment };
  });
  readonly painted = signal<Painted | undefined>(undefined);
  /** The stage, once it shows something. A text says why there is none. */
  readonly stage = signal<Stage | string | undefined>(undefined);
  /** Why the watched episode is not computed before the reader has asked for it; "": it is. */
  readonly asks = signal("");

  readonly passing = signal<number | undefined>(undefined);
  /** The episode to name: the one that passes by; while the stage plays, the one that it has painted; or else the watched one. Undefined: the stage is closed. */
  readonly episode = computed(() => {
    const { watched } = this.app.view.value;
    if (!watched || this.passing.value !== undefined) return watched && this.passing.value;
    const [painted, wanted] = [this.painted.value, this.wanted.value];
    const same = this.playing.value && painted && wanted && sameEpisode({ ...wanted, episode: painted.episode }, painted);
    return same ? painted.episode : watched.episode;
  });
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly app: App) {}

  /** Lets an episode pass by, and watches it if no other follows soon. */
  seek(episode: number): void {
    this.pass(this.#within(episode));
    this.#timer = setTimeout(() => this.rest(), pause);
  }

  /** Lets an episode pass by until it is told to rest. Undefined: no episode passes by. */
  pass(episode: number | undefined): void {
    clearTimeout(this.#timer);
    this.passing.value = episode;
  }

  /** Watches the episode that passes by, if one does, at the given moment or the present one. */
  rest(moment?: Moment): void {
    const episode = this.passing.value;
    const { watched } = this.app.view.value;
    batch(() => {
      this.pass(undefined);
      if (watched && episode !== undefined) this.app.look({ watched: { ...atMoment(watched, moment ?? watched.moment), episode } });
    });
  }

  /** Watches an episode, of another agent or run if they are given. Opens the stage if it is closed. */
  watch(episode: number, agent?: string, run?: number, moment?: string): void {
    const { view, spec } = this.app;
    const { watched } = view.value;
    const { agents, firstRun = 0 } = spec.value;
    batch(() => {
      this.pass(undefined);
      this.app.look({
        watched: {
          ...atMoment(watched ?? { run: firstRun }, moment ?? watched?.moment),
          ...(run !== undefined && { run }),
          ...(agent !== undefined && agents.includes(agent) && { agent }),
          episode: this.#within(episode),
        },
      });
    });
    if (!watched) void this.app.check(); // the form may have been refused since
  }

  /** Resolves when the stage shows something or, if exactly is set, the wanted episode. A text says why there is no stage. */
  arrival(exactly: boolean): Promise<Stage | string> {
    return new Promise((resolve) => {
      const stop = effect(() => {
        const [stage, painted, wanted] = [this.stage.value, this.painted.value, this.wanted.value];
        const asks = (exactly || stage === undefined) && this.asks.value;
        const told = this.app.view.value.watched ? asks || stage : "the stage was closed";
        const here = !exactly || (wanted !== undefined && sameEpisode(painted, wanted));
        if (typeof told !== "string" && !(told && here)) return;
        queueMicrotask(() => stop());
        resolve(told!);
      });
    });
  }

  #within(episode: number): number {
    return Math.max(1, Math.min(episode, this.app.spec.value.episodes));
  }
}
