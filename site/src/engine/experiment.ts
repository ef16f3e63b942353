// One experiment: its jobs run over a pool of workers, their records go in order
// to the aggregator, and the aggregator's snapshots to the page.

import * as engine from "./engine";
import type { Header, Snapshot, Spec } from "../formats";
import { Merge } from "./merge";
import { workers } from "./pool";
import { Keeper } from "./keeper";

export interface Listener {
  /** Episodes done, of all agents and runs. */
  progress(done: number, total: number): void;
  snapshot(snapshot: Snapshot): void;
}

/** How an experiment ended; the final snapshot counts the whole runs. */
export interface Outcome {
  readonly snapshot: Snapshot;
  readonly stopped: boolean;
  /** Why it ended early, other than by Stop. */
  readonly failure: string | undefined;
  /** The records file, perhaps with an unfinished run at its end; absent if it is too large to keep. */
  readonly records: Blob | undefined;
}

export class Experiment {
  readonly total: number;
  /** The share of the episodes that are done. */
  share = 0;
  readonly outcome: Promise<Outcome>;
  #pool: engine.EngineWorker[] = [];
  #aggregator: engine.EngineWorker | undefined;
  #over = false;
  #stopped = false;
  #failure: string | undefined;
  #paused = false;
  /** Milliseconds of work until it was last paused, and when it last went on. */
  #spent = 0;
  #since = performance.now();
  readonly #keeper = new Keeper();

  constructor(
    readonly header: Header,
    private readonly listener: Listener,
  ) {
    const { runs, agents, episodes } = header.spec;
    this.total = runs * agents.length * episodes;
    this.outcome = this.#run();
  }

  /** Ends at once. The whole runs that have arrived are kept. */
  stop(): void {
    this.#stopped = true;
    this.#finish();
  }

  /** Computes no further until told so: each worker comes to its next records. */
  pause(paused: boolean): void {
    if (paused === this.#paused) return;
    this.#spent = this.elapsed;
    this.#since = performance.now();
    this.#paused = paused;
    for (const worker of this.#pool) worker.send({ kind: "pause", paused });
  }

  /** Milliseconds of work, without pauses. */
  get elapsed(): number {
    return this.#spent + (this.#paused ? 0 : performance.now() - this.#since);
  }

  async #run(): Promise<Outcome> {
    const aggregator = await engine.start();
    const final = new Promise<Snapshot>((resolve, reject) => {
      aggregator.onmessage = (message) => {
        switch (message.kind) {
          case "line": {
            const snapshot = message.value as Snapshot;
            if (snapshot.final) resolve(snapshot);
            else if (!this.#over) this.listener.snapshot(snapshot);
            break;
          }
          case "problem":
            reject(new engine.Refused(message.problem));
            break;
          case "failed":
            reject(new Error(`The summary failed: ${message.reason}.`));
        }
      };
    });
    final.catch(() => {}); // it is heard below
    this.#aggregator = aggregator;
    aggregator.send({ kind: "request", method: "POST", path: "/v1/summary", body: "stream", answer: "json" });
    this.#pass(aggregator, new TextEncoder().encode(`${JSON.stringify(this.header)}\n`));
    try {
      if (this.#over) aggregator.send({ kind: "end" });
      else await this.#startJobs(aggregator);
      return { snapshot: await final, stopped: this.#stopped, failure: this.#failure, records: this.#keeper.file() };
    } finally {
      this.#finish();
      aggregator.terminate();
    }
  }

  async #startJobs(aggregator: engine.EngineWorker): Promise<void> {
    const jobs = split(this.header.spec);
    const merge = new Merge<Uint8Array<ArrayBuffer>>(jobs.length, (bytes) => this.#pass(aggregator, bytes));
    let next = 0;
    let open = jobs.length;
    let done = 0;
    const work = (worker: engine.EngineWorker): void => {
      if (this.#over) return;
      const job = next++;
      const spec = jobs[job];
      if (spec === undefined) {
        worker.terminate();
        return;
      }
      worker.onmessage = (message) => {
        if (this.#over) return;
        switch (message.kind) {
          case "records":
            done += message.lines;
            this.share = done / this.total;
            merge.add(job, message.bytes);
            this.listener.progress(done, this.total);
            break;
          case "next":
            merge.end(job);
            if (--open === 0) this.#finish();
            else work(worker);
            break;
          case "problem":
            this.#fail(message.problem.detail);
            break;
          case "failed":
            this.#fail(message.reason);
        }
      };
      const line = new TextEncoder().encode(`${JSON.stringify(spec)}\n`);
      worker.send({ kind: "input", bytes: line }, [line.buffer]);
    };
    const size = workers(this.header.spec);
    while (this.#pool.length < size) {
      const worker = await engine.start();
      if (this.#over) return worker.terminate();
      if (this.#paused) worker.send({ kind: "pause", paused: true });
      // One instance for all the jobs of a worker: it stays warm, which some browsers need.
      worker.send({ kind: "request", method: "POST", path: "/v1/runs", body: "stream", answer: "records" });
      this.#pool.push(worker);
    }
    this.#pool.forEach(work);
  }

  /** Keeps bytes and hands them to the aggregator; they are gone here. */
  #pass(aggregator: engine.EngineWorker, bytes: Uint8Array<ArrayBuffer>): void {
    this.#keeper.add(bytes);
    aggregator.send({ kind: "input", bytes }, [bytes.buffer]);
  }

  #fail(reason: string): void {
    this.#failure = reason;
    this.#finish();
  }

  #finish(): void {
    for (const worker of this.#pool.splice(0)) worker.terminate();
    if (!this.#over) this.#aggregator?.send({ kind: "end" });
    this.#over = true;
  }
}

/** One job a run and agent, in the order of the records. */
function split(spec: Spec): Spec[] {
  const first = spec.firstRun ?? 0;
  return Array.from({ length: spec.runs }, (_, i) => first + i).flatMap((firstRun) =>
    spec.agents.map((agent) => ({ ...spec, firstRun, runs: 1, agents: [agent] })),
  );
}
