// Puts the records of many jobs into the order of the jobs.

/** Passes the parts of the first unfinished job on as they come, and keeps those of later jobs back. */
export class Merge<Part> {
  readonly #kept: Part[][];
  readonly #ended: boolean[];
  #head = 0;

  constructor(
    jobs: number,
    private readonly pass: (part: Part, job: number) => void,
  ) {
    this.#kept = Array.from({ length: jobs }, () => []);
    this.#ended = Array.from({ length: jobs }, () => false);
  }

  /** How many jobs, from the first one, have been passed on completely. */
  get whole(): number {
    return this.#head;
  }

  /** The jobs that have ended but wait for an earlier one. */
  get waiting(): (readonly [job: number, parts: Part[]])[] {
    return this.#kept.flatMap((parts, job) => (job > this.#head && this.#ended[job] ? [[job, parts] as const] : []));
  }

  add(job: number, part: Part): void {
    if (job === this.#head) this.pass(part, job);
    else this.#kept[job]!.push(part);
  }

  end(job: number): void {
    this.#ended[job] = true;
    while (this.#ended[this.#head]) {
      this.#head++;
      const kept = this.#kept[this.#head];
      if (kept === undefined) return;
      for (const part of kept.splice(0)) this.pass(part, this.#head);
    }
  }
}
