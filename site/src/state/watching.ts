// Which episode is watched. The view says it; an episode that a slider, the cursor of
// the chart or fast forward only passes by is not in the view before it comes to rest.

import { batch, computed, signal } from "@preact/signals-core";
import type { Watched } from "../formats";
import type { App } from "./app";

/** How long an episode is passed by before it is watched, in milliseconds. */
const pause = 120;

export class Watching {
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

  /** Watches the episode that passes by, if one does. */
  rest(change: Partial<Watched> = {}): void {
    const episode = this.passing.value;
    const { watched } = this.app.view.value;
    batch(() => {
      this.pass(undefined);
      if (watched && episode !== undefined) this.app.look({ watched: { ...watched, ...change, episode } });
    });
  }

  /** Watches an episode, of another agent and run if they are named; opens the stage if it is closed. */
  watch(episode: number, agent?: string, other?: number): void {
    const { view, spec } = this.app;
    const { watched } = view.value;
    const { agents, firstRun = 0 } = spec.value;
    batch(() => {
      this.pass(undefined);
      this.app.look({
        watched: {
          run: firstRun,
          ...watched,
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
