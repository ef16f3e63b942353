// The episodes that pass by on the stage: fast forward, with one picture for each episode,
// and the episodes that a slider or the chart's cursor goes through. There is no queue: of
// the episodes that come while one is being painted, only the last is painted next.

import { calm } from "../../calm";
import type { Episode } from "../../formats";
import type { Reel } from "../../state/reel";
import type { Watching } from "../../state/watching";

/** How many episodes pass in a second, if the engine sends so many. */
const pace = 40;
/** The least time between two pictures with reduced motion, in milliseconds. */
const calmPace = 1000;

export class Rush {
  /** The current episode of fast forward, and the last one. Undefined: it does not run. */
  #at: { episode: number; readonly last: number } | undefined;
  /** The episode at which the clock started, and the time of the start. The clock starts again after it has waited for the engine. */
  #from = 0;
  #since = 0;
  /** When an episode was last reached; -Infinity until it has arrived from the engine. */
  #stepped = -Infinity;
  #frame = 0;
  /** The episode that is being painted, and the one to paint next. */
  #painting: number | undefined;
  #wanted: number | undefined;

  constructor(
    private readonly watching: Watching,
    private readonly reel: Reel,
    private readonly paint: (episode: Episode) => void,
    /** Is called when fast forward ends by itself: with true after the last episode, with false when someone has gone to another episode. */
    private readonly over: (last: boolean) => void,
  ) {}

  get running(): boolean {
    return this.#at !== undefined;
  }

  /** Runs from an episode to the last one. */
  start(from: number, last: number): void {
    this.stop();
    this.#at = { episode: from, last };
    this.#from = from;
    this.#since = performance.now();
    this.#stepped = -Infinity;
    this.watching.pass(from);
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

  /** Notes that the stage has painted the last episode, or never will. */
  painted(): void {
    this.#painting = undefined;
    this.#next();
  }

  #next(): void {
    const episode = this.#painting === undefined && this.#wanted !== undefined ? this.reel.at(this.#wanted) : undefined;
    if (!episode) return;
    this.#painting = this.#wanted;
    this.#wanted = undefined;
    this.paint(episode);
  }

  readonly #tick = (): void => {
    const at = this.#at;
    if (!at) return;
    if (this.watching.passing.peek() !== at.episode) {
      this.stop();
      this.over(false);
      return;
    }
    const now = performance.now();
    const due = this.#from + Math.floor(((now - this.#since) / 1000) * pace);
    const next = Math.max(at.episode, Math.min(due, this.reel.count.peek(), at.last));
    if (due > next) {
      // The clock waits for the engine.
      this.#from = next;
      this.#since = now;
    }
    if (!calm.matches || now - this.#stepped >= calmPace) {
      const fresh = next !== at.episode || this.#stepped === -Infinity;
      this.#stepped = this.reel.at(next) ? now : -Infinity;
      at.episode = next;
      if (fresh) {
        this.watching.pass(next);
        this.show(next);
      }
    }
    if (at.episode === at.last && this.#painting === undefined && this.#wanted === undefined) {
      this.stop();
      this.over(true);
    } else this.#frame = requestAnimationFrame(this.#tick);
  };
}
