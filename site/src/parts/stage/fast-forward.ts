// The episodes that pass by on the stage: fast forward, with one picture for each episode, the
// pictures of Play that quickens by itself, and the episodes that a slider or the chart's cursor goes
// through. There is no queue: of the episodes that come while one is being painted, only the last is
// painted next. An episode of fast forward passes by for the rest of the page once it is painted.

import { calm } from "../../calm";
import type { Episode } from "../../formats";
import type { EpisodeCache } from "../../state/episode-cache";
import type { Watching } from "../../state/watching";
import type { Passing } from "./tempo";

/** How many episodes pass in a second, if the engine sends so many. */
const pace = 40;
/** The least time between two pictures with reduced motion, in milliseconds. */
const calmPace = 1000;

/** The current episode of fast forward, the last one, and the pictures that are still to come, if only some episodes have one. */
interface Run {
  episode: number;
  readonly last: number;
  readonly coming?: Passing[];
}

export class FastForward {
  /** Undefined: it does not run. */
  #at: Run | undefined;
  /** The episode that passes by because fast forward has painted it. */
  #told: number | undefined;
  /** The episode at which the clock started, and the time of the start. The clock starts again after it has waited for the engine. */
  #from = 0;
  #since = 0;
  /** When an episode was last reached; -Infinity until it has arrived from the engine. And how long it stays, in milliseconds. */
  #stepped = -Infinity;
  #stays = 0;
  #frame = 0;
  /** The episode that is being painted, and the one to paint next. */
  #painting: number | undefined;
  #wanted: number | undefined;

  constructor(
    private readonly watching: Watching,
    private readonly reel: EpisodeCache,
    private readonly paint: (episode: Episode) => void,
    /** Is called when fast forward ends by itself: with true after the last episode, with false when someone has gone to another episode. */
    private readonly over: (last: boolean) => void,
  ) {}

  get running(): boolean {
    return this.#at !== undefined;
  }

  /** Runs from an episode to the last one, with the pictures that are given or, if none are, one for each episode. */
  start(from: number, last: number, pictures?: readonly Passing[]): void {
    this.stop();
    this.#at = { episode: from, last, ...(pictures && { coming: [...pictures] }) };
    this.#told = this.watching.passing.peek();
    this.#from = from;
    this.#since = performance.now();
    this.#stepped = -Infinity;
    this.#stays = 0;
    this.#tick();
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
    this.#at = this.#wanted = undefined;
  }

  /** Has an episode painted, if it has arrived, as soon as nothing else is being painted. */
  show(episode: number): void {
    this.#wanted = episode;
    this.#next();
  }

  /** Notes that the stage has painted an episode or, without one, never will. */
  painted(episode?: number): void {
    this.#painting = undefined;
    if (this.#at && episode !== undefined && this.watching.passing.peek() === this.#told) {
      this.#told = episode;
      this.#stepped = performance.now(); // its picture stays from now on
      this.watching.pass(episode);
    }
    this.#next();
  }

  #next(): void {
    const episode = this.#painting === undefined && this.#wanted !== undefined ? this.reel.at(this.#wanted) : undefined;
    if (!episode) return;
    this.#painting = this.#wanted;
    this.#wanted = undefined;
    this.paint(episode);
  }

  /** The episode that is due at a time, of those that have arrived. */
  #due(at: Run, now: number): number {
    if (at.coming) {
      const [next] = at.coming;
      if (!next || now - this.#stepped < this.#stays || !this.reel.at(next.episode)) return at.episode;
      this.#stays = next.time;
      at.coming.shift();
      return next.episode;
    }
    const due = this.#from + Math.floor(((now - this.#since) / 1000) * pace);
    const next = Math.max(at.episode, Math.min(due, this.reel.count.peek(), at.last));
    if (due > next) {
      // The clock waits for the engine.
      this.#from = next;
      this.#since = now;
    }
    return next;
  }

  readonly #tick = (): void => {
    const at = this.#at;
    if (!at) return;
    if (this.watching.passing.peek() !== this.#told) {
      this.stop();
      this.over(false);
      return;
    }
    const now = performance.now();
    if (!calm.matches || now - this.#stepped >= calmPace) {
      const next = this.#due(at, now);
      const fresh = next !== at.episode || (this.#stepped === -Infinity && !at.coming);
      if (fresh || !at.coming) this.#stepped = this.reel.at(next) ? now : -Infinity;
      at.episode = next;
      if (fresh) this.show(next);
    }
    const over = at.coming ? at.coming.length === 0 && now - this.#stepped >= this.#stays : at.episode === at.last;
    if (over && this.#painting === undefined && this.#wanted === undefined) {
      this.stop();
      this.over(true);
    } else this.#frame = requestAnimationFrame(this.#tick);
  };
}
