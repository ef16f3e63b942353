// What passes by on the stage: fast forward, with one picture an episode, and episodes
// that a slider or the chart's cursor goes through. Nothing is queued up: an episode
// that comes while another is being painted is passed over.

import { calm } from "../../calm";
import type { Episode } from "../../formats";
import type { Reel } from "../../state/reel";
import type { Watching } from "../../state/watching";

/** How many episodes pass in a second, if the engine tells of as many. */
const pace = 40;
/** The least time between two pictures for who wants less motion, in milliseconds. */
const calmPace = 1000;

export class Rush {
  /** The episode that fast forward is at, and the last one. Undefined: it rests. */
  #at: { episode: number; readonly last: number } | undefined;
  /** The clock: when it was at which episode. */
  #since = 0;
  #from = 0;
  #stepped = -Infinity;
  #frame = 0;
  /** The episode that is being painted, and the one that is to be painted next. */
  #painting: number | undefined;
  #wanted: number | undefined;

  constructor(
    private readonly watching: Watching,
    private readonly reel: Reel,
    private readonly paint: (episode: Episode) => void,
    /** Told when the last episode is on show, or another one is sought by hand. */
    private readonly over: (last: boolean) => void,
  ) {}

  get running(): boolean {
    return this.#at !== undefined;
  }

  /** Goes on from an episode to the last. */
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

  /** Has an episode painted, if it is at hand. */
  show(episode: number): void {
    this.#wanted = episode;
    this.#next();
  }

  /** The stage has painted what it was told to, or has forgotten it. */
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
