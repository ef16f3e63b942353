// Which episode is watched. The view says it; an episode that a slider, the cursor of
// the chart or fast forward only passes by is not in the view before it comes to rest.

import { batch, computed, signal } from "@preact/signals-core";
import type { Focus, Moment } from "../stage-messages";
import type { App } from "./app";
import { atMoment } from "./view";

/** How fast a stage plays; Infinity is one picture an episode. */
export const speeds: readonly number[] = [0.5, 1, 2, 4, 8, 16, Infinity];

/** How long an episode is passed by before it is watched, in milliseconds. */
const pause = 120;

/** What is on the stage, as it was painted. */
export interface Shown {
  readonly agent: string;
  readonly run: number;
  readonly episode: number;
  readonly moment: string;
  readonly step: number;
  /** The sentence about it. */
  readonly text: string;
}

/** What an open stage obeys. */
export interface Stage {
  play(): void;
  rest(): void;
  /** Infinity is one picture an episode. */
  hasten(speed: number): void;
  turn(moment: string): void;
  /** Picks out an edge, or all of a variable, by name. A text says why not. */
  highlight(from: string | undefined, to: string | undefined): string | undefined;
  /** The names of what is picked out. */
  readonly highlighted: () => { readonly from?: string; readonly to?: string };
}

export class Watching {
  /** How far the stage plays on. */
  readonly playing = signal<"moment" | "episodes" | undefined>(undefined);
  readonly speed = signal(1);
  /** The edge or variable that is picked out. */
  readonly focus = signal<Focus | undefined>(undefined);
  readonly shown = signal<Shown | undefined>(undefined);
  /** The stage that shows something; a text says why there is none. */
  readonly stage = signal<Stage | string | undefined>(undefined);

  /** The episode that passes by. */
  readonly passing = signal<number | undefined>(undefined);
  /** The episode that is watched or passes by. Undefined: the stage is closed. */
  readonly episode = computed(() => {
    const { watched } = this.app.view.value;
    return watched && (this.passing.value ?? watched.episode);
  });
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly app: App) {}

  /** Passes by an episode, and watches it if no other follows soon. */
  seek(episode: number): void {
    this.pass(this.#within(episode));
    this.#timer = setTimeout(() => this.rest(), pause);
  }

  /** Passes by an episode, until told to rest; undefined: by none. */
  pass(episode: number | undefined): void {
    clearTimeout(this.#timer);
    this.passing.value = episode;
  }

  /** Watches the episode that passes by, if one does, at a moment if it is named. */
  rest(moment?: Moment): void {
    const episode = this.passing.value;
    const { watched } = this.app.view.value;
    batch(() => {
      this.pass(undefined);
      if (watched && episode !== undefined) this.app.look({ watched: { ...atMoment(watched, moment ?? watched.moment), episode } });
    });
  }

  /** Watches an episode, of another agent and run if they are named; opens the stage if it is closed. */
  watch(episode: number, agent?: string, other?: number, moment?: string): void {
    const { view, spec } = this.app;
    const { watched } = view.value;
    const { agents, firstRun = 0 } = spec.value;
    batch(() => {
      this.pass(undefined);
      this.app.look({
        watched: {
          ...atMoment(watched ?? { run: firstRun }, moment ?? watched?.moment),
          ...(other !== undefined && { run: other }),
          ...(agent !== undefined && agents.includes(agent) && { agent }),
          episode: this.#within(episode),
        },
      });
    });
    if (!watched) void this.app.check(); // the form may have been refused since
  }

  #within(episode: number): number {
    return Math.max(1, Math.min(episode, this.app.spec.value.episodes));
  }
}
