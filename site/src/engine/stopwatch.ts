// The time of work. A machine that sleeps does not work, and its clock may go on meanwhile: so
// the time is summed up step by step, and a long step counts as a short one.

/** The longest step that counts in full, in milliseconds. Whoever measures looks more often. */
const longest = 5000;

/** From a smaller share of the work than this nobody can tell how long the whole takes. */
export const enough = 0.05;

export class Stopwatch {
  #spent = 0;
  #since: number;

  constructor(private readonly now: () => number = () => performance.now()) {
    this.#since = now();
  }

  /** The milliseconds of work so far. Each reading ends a step. */
  get elapsed(): number {
    if (!this.#stopped) this.#spent += Math.min(this.#step(), longest);
    return this.#spent;
  }

  #stopped = false;

  /** Stops the watch, or lets it go on. */
  stop(stopped: boolean): void {
    if (stopped === this.#stopped) return;
    if (stopped) void this.elapsed;
    else this.#step();
    this.#stopped = stopped;
  }

  /** The milliseconds since the last step. */
  #step(): number {
    const now = this.now();
    const step = now - this.#since;
    this.#since = now;
    return step;
  }
}
