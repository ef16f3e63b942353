// One experiment. A pool of workers runs its jobs; their records go to the aggregator in
// order, and the aggregator's snapshots go to the page. Jobs with known records are not run.

import { Backlog, mostWaiting } from "./backlog";
import { withData } from "./data";
import * as engine from "./engine";
import type { Header, Snapshot, Spec } from "../formats";
import { jobsOf, keysOf, type Known } from "./jobs";
import { Merge } from "./merge";
import { room, workers } from "./pool";
import { RecordStore } from "./record-store";
import { enough, Stopwatch } from "./stopwatch";

export interface Listener {
  /** Is told how many of the episodes without known records are computed. */
  progress(done: number, total: number): void;
  snapshot(snapshot: Snapshot): void;
  /** Is given the records of each job as soon as they are whole, in any order of the jobs. */
  whole?(job: Spec, records: readonly Uint8Array<ArrayBuffer>[]): void;
}

/** How an experiment ended. The final snapshot counts whole runs. */
export interface Outcome {
  readonly snapshot: Snapshot;
  readonly stopped: boolean;
  /** Why it ended early, if not by Stop. */
  readonly failure: string | undefined;
  /** The records file, perhaps with an unfinished run at its end. Undefined if it is too large to keep. */
  readonly records: Blob | undefined;
  /** The records of each whole job, for later experiments with the same job. Empty if the file is too large to keep. */
  readonly known: Known;
}

/** An experiment that has ended. */
export interface Played {
  readonly experiment: Experiment;
  /** Undefined: the error says why there is none. */
  readonly outcome?: Outcome;
  readonly error?: unknown;
}

export const ended = (experiment: Experiment): Promise<Played> =>
  experiment.outcome.then(
    (outcome) => ({ experiment, outcome }),
    (error: unknown) => ({ experiment, error }),
  );

/** Whether an experiment has failed, or has lost runs, although records of it were known. */
export function unread({ experiment: { before, header }, outcome }: Played): boolean {
  if (before === 0) return false;
  return !outcome || (!outcome.stopped && outcome.failure === undefined && outcome.snapshot.runs < header.spec.runs);
}

/** A job that a worker has begun, and how many of its records have come. */
interface Begun {
  readonly job: number;
  bytes: number;
  lines: number;
  /** Copies of them, if anybody wants them. */
  readonly parts: Uint8Array<ArrayBuffer>[];
}

export class Experiment {
  /** Of the episodes that have to be computed, the share that is done. */
  share: number;
  /** Of all episodes, the share whose records were known. */
  readonly before: number;
  readonly outcome: Promise<Outcome>;
  #pool: engine.EngineWorker[] = [];
  /** Starts a pool for the jobs that are left. Undefined: the jobs have not begun. */
  #go: (() => Promise<void>) | undefined;
  /** Whether its workers were ended because it is paused. */
  #rested = false;
  /** What each worker is computing. */
  readonly #at = new Map<engine.EngineWorker, Begun>();
  /** The jobs whose worker was ended. */
  #begun: Begun[] = [];
  #aggregator: engine.EngineWorker | undefined;
  #over = false;
  #stopped = false;
  #failure: string | undefined;
  #paused = false;
  readonly #watch = new Stopwatch();
  /** When the first record came, and the share that was done with it. */
  #first: { readonly elapsed: number; readonly share: number } | undefined;
  readonly #keeper = new RecordStore();
  readonly #jobs: readonly { readonly spec: Spec; readonly key: string; readonly known: Blob | undefined }[];
  /** Where the file has the records of each job. */
  readonly #places: { start: number; end: number }[] = [];
  #size = 0;
  #merge: Merge<Uint8Array<ArrayBuffer>> | undefined;
  readonly #backlog = new Backlog(mostWaiting, () => this.#hold());

  constructor(
    readonly header: Header,
    known: Known,
    private readonly listener: Listener,
  ) {
    const keys = keysOf(header.spec);
    this.#jobs = jobsOf(header.spec).map((spec, job) => ({ spec, key: keys[job]!, known: known.get(keys[job]!) }));
    this.before = this.#jobs.length === 0 ? 0 : 1 - this.#fresh / this.#jobs.length;
    this.share = this.#fresh === 0 ? 1 : 0;
    this.outcome = this.#run();
  }

  /** How many jobs have to be run. */
  get #fresh(): number {
    return this.#jobs.filter(({ known }) => !known).length;
  }

  /** Ends the experiment at once. The whole runs that have arrived are kept. */
  stop(): void {
    this.#stopped = true;
    this.#finish();
  }

  /** Pauses the experiment, or lets it go on. Each worker computes until its next records. */
  pause(paused: boolean): void {
    if (paused === this.#paused) return;
    if (!paused && this.#rested && !this.#over) void this.#go?.().catch((error: unknown) => this.#fail(engine.detailOf(error)));
    this.#rested = false;
    this.#watch.stop(paused);
    this.#paused = paused;
    this.#hold();
  }

  /** Ends the workers of a paused experiment, which keep their memory. When it goes on, others compute the same records again and go on from there. */
  rest(): void {
    if (!this.#paused || !this.#go) return;
    this.#rested = true;
    for (const worker of this.#pool) worker.terminate();
    this.#pool = [];
    this.#begun.push(...this.#at.values());
    this.#at.clear();
  }

  /** The workers rest while the experiment is paused, and while the aggregator is behind. */
  #hold(): void {
    for (const worker of this.#pool) worker.send({ kind: "pause", paused: this.#rests });
  }

  get #rests(): boolean {
    return this.#paused || this.#backlog.behind;
  }

  /** The milliseconds of work, without pauses and the machine's sleep. */
  get elapsed(): number {
    return this.#watch.elapsed;
  }

  /** The milliseconds of work since the first record. What comes before it, such as the start of the workers, says nothing about the rest. */
  get worked(): number {
    return this.#first ? this.#watch.elapsed - this.#first.elapsed : 0;
  }

  /** The milliseconds that the rest takes. Undefined as long as less than 5% is done. */
  get left(): number | undefined {
    const { share } = this;
    const fresh = share - (this.#first?.share ?? share);
    return share < enough || fresh <= 0 ? undefined : ((1 - share) / fresh) * this.worked;
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
          case "more":
            this.#backlog.read();
            break;
          case "problem":
            reject(new engine.Refused(message.problem));
            break;
          case "failed":
            reject(new Error(`The summary failed: ${message.reason}.`));
        }
      };
    });
    final.catch(() => {}); // the error is handled where final is awaited
    this.#aggregator = aggregator;
    aggregator.send({ kind: "request", path: "/v1/summary", body: "stream", answer: "json" });
    this.#pass(aggregator, new TextEncoder().encode(`${JSON.stringify(this.header)}\n`));
    try {
      if (this.#over) aggregator.send({ kind: "end" });
      else await this.#startJobs(aggregator);
      const snapshot = await final;
      const records = this.#keeper.file();
      return { snapshot, stopped: this.#stopped, failure: this.#failure, records, known: this.#parts(records) };
    } finally {
      this.#finish();
      aggregator.terminate();
    }
  }

  async #startJobs(aggregator: engine.EngineWorker): Promise<void> {
    const jobs = this.#jobs;
    const merge = (this.#merge = new Merge<Uint8Array<ArrayBuffer>>(jobs.length, (bytes, job) => this.#pass(aggregator, bytes, job)));
    let next = 0;
    let open = jobs.length;
    let done = 0;
    const total = this.#fresh * this.header.spec.episodes;
    const end = (job: number): void => {
      merge.end(job);
      if (--open === 0) this.#finish();
    };
    const take = async (worker?: engine.EngineWorker): Promise<void> => {
      if (this.#over || (worker && !this.#pool.includes(worker))) return;
      const begun = this.#begun.shift() ?? { job: next++, bytes: 0, lines: 0, parts: [] };
      const { job } = begun;
      const { spec, known } = jobs[job] ?? {};
      // A worker can fail before it gets its first job.
      if (worker) {
        const now = { bytes: 0, lines: 0 };
        worker.onmessage = (message) => {
          if (this.#over || !this.#pool.includes(worker)) return;
          switch (message.kind) {
            case "records": {
              const had = Math.min(message.bytes.length, Math.max(0, begun.bytes - now.bytes));
              const more = Math.max(0, now.lines + message.lines - begun.lines);
              now.bytes += message.bytes.length;
              now.lines += message.lines;
              if (more === 0) break; // the records have come from an earlier worker
              begun.bytes = now.bytes;
              begun.lines = now.lines;
              done += more;
              this.share = done / total;
              this.#first ??= { elapsed: this.#watch.elapsed, share: this.share };
              const fresh = had === 0 ? message.bytes : message.bytes.slice(had);
              if (this.listener.whole) begun.parts.push(fresh.slice());
              merge.add(job, fresh);
              this.listener.progress(done, total);
              break;
            }
            case "next":
              this.#at.delete(worker);
              this.listener.whole?.(spec!, begun.parts);
              end(job);
              work(worker);
              break;
            case "problem":
              this.#fail(message.problem.detail);
              break;
            case "failed":
              this.#fail(message.reason);
          }
        };
      }
      if (known) {
        const bytes = new Uint8Array(await known.arrayBuffer());
        if (this.#over) return;
        this.listener.whole?.(spec!, [bytes.slice()]);
        merge.add(job, bytes);
        end(job);
        return take(worker);
      }
      if (!spec || !worker) {
        worker?.terminate();
        return;
      }
      this.#at.set(worker, begun);
      const line = new TextEncoder().encode(`${withData("/v1/runs", JSON.stringify(spec))}\n`);
      worker.send({ kind: "input", bytes: line }, [line.buffer]);
    };
    const work = (worker?: engine.EngineWorker): void => void take(worker).catch((error: unknown) => this.#fail(engine.detailOf(error)));
    this.#go = async () => {
      const pool: engine.EngineWorker[] = (this.#pool = []);
      const size = Math.min(workers(this.header.spec), Math.max(1, room()), this.#fresh, this.#begun.length + Math.max(0, jobs.length - next));
      while (pool.length < size) {
        const worker = await engine.start();
        if (this.#over || pool !== this.#pool) return worker.terminate();
        if (this.#rests) worker.send({ kind: "pause", paused: true });
        // One request, and so one instance, for all jobs of a worker: the instance stays warm, which some browsers need.
        worker.send({ kind: "request", path: "/v1/runs", body: "stream", answer: "records" });
        pool.push(worker);
      }
      for (const worker of pool) work(worker);
    };
    if (this.#fresh === 0) work();
    else await this.#go();
  }

  /** Keeps a copy of bytes and transfers them to the aggregator. */
  #pass(aggregator: engine.EngineWorker, bytes: Uint8Array<ArrayBuffer>, job?: number): void {
    this.#keeper.add(bytes);
    const start = this.#size;
    this.#size += bytes.length;
    if (job !== undefined) (this.#places[job] ??= { start, end: start }).end = this.#size;
    this.#backlog.add(bytes.length);
    aggregator.send({ kind: "input", bytes }, [bytes.buffer]);
  }

  /** The records of each complete job: as parts of the file, or those that had not come into it yet. */
  #parts(records: Blob | undefined): Known {
    const merge = this.#merge;
    if (!records || !merge) return new Map();
    const inFile = this.#places.slice(0, merge.whole).map(({ start, end }, job) => [job, records.slice(start, end)] as const);
    return new Map([...inFile, ...merge.waiting.map(([job, parts]) => [job, new Blob(parts)] as const)].map(([job, blob]) => [this.#jobs[job]!.key, blob]));
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
