// Records of many jobs, handed on in the order of the jobs.

/** Passes the first unfinished job's parts on as they come and keeps the later ones' back. */
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

  /** How many jobs have been passed on whole, from the first one. */
  get whole(): number {
    return this.#head;
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
