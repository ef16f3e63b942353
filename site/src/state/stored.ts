// Runs that last: the records of whole jobs, stored in this browser, so that a reload or a crash loses
// nothing that was whole. What is stored is known like what an earlier run of the page has computed.

import { signal } from "@preact/signals-core";
import { send } from "../engine/engine";
import { jobsOf, keysOf, type Known } from "../engine/jobs";
import { mostBytes } from "../engine/keeper";
import type { Header, Snapshot, Spec } from "../formats";

/** How much is stored at most, in bytes and in experiments. The experiment that was used longest ago goes first. */
const most = { bytes: 2 * mostBytes, experiments: 1000 }; // twice as many as a sweep has settings

/** What is stored. */
export interface Held {
  readonly experiments: number;
  readonly bytes: number;
}

/** Whole runs that were stored, with their records file. */
export interface Recalled {
  readonly snapshot: Snapshot;
  readonly records: Blob;
  readonly known: Known;
}

/** What is stored of an experiment: the sizes of its jobs by name, and when it was used last, as a number that grows. */
interface Entry {
  readonly jobs: ReadonlyMap<string, number>;
  readonly used: number;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Opens the store. Undefined: the browser keeps nothing for this page. */
export async function open(limits = most): Promise<Stored | undefined> {
  try {
    if (!crypto.subtle) return undefined; // without https
    const request = indexedDB.open("cpsrl", 1);
    request.onupgradeneeded = () => {
      for (const name of stores) request.result.createObjectStore(name);
    };
    const database = await asked(request);
    database.onversionchange = () => database.close(); // a later version of the page
    const stored = new Stored(database, limits);
    await stored.count();
    return stored;
  } catch {
    return undefined;
  }
}

const stores = ["experiments", "jobs"];

const asked = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** The name of an experiment: that of its spec without runs and agents, so that more of them extend it, and of the engine. */
async function nameOf({ engine, spec }: Header): Promise<string> {
  const { agents: _agents, firstRun: _firstRun, runs: _runs, ...rest } = spec;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify([engine, rest])));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The name of a job within its experiment. */
const jobName = ({ agents, firstRun }: Spec): string => `${firstRun} ${agents[0]}`;

const sizeOf = ({ jobs }: Entry): number => [...jobs.values()].reduce((sum, size) => sum + size, 0);

export class Stored {
  readonly held = signal<Held>({ experiments: 0, bytes: 0 });
  readonly #names = new WeakMap<Header, Promise<string>>();
  /** What waits to be written, by experiment. */
  #waiting = new Map<Header, Map<string, Bytes>>();
  #writing: Promise<void> | undefined;

  constructor(
    private readonly database: IDBDatabase,
    private limits: { readonly bytes: number; readonly experiments: number },
  ) {}

  #nameOf(header: Header): Promise<string> {
    const name = this.#names.get(header) ?? nameOf(header);
    this.#names.set(header, name);
    return name;
  }

  /** Reads or changes the store, all of it or nothing. */
  async #change<T>(mode: IDBTransactionMode, act: (experiments: IDBObjectStore, jobs: IDBObjectStore) => Promise<T>): Promise<T> {
    const change = this.database.transaction(stores, mode);
    const done = new Promise<void>((resolve, reject) => {
      change.oncomplete = () => resolve();
      change.onabort = () => reject(change.error ?? new Error("the browser stored nothing"));
    });
    done.catch(() => {}); // if act has failed before
    const made = await act(change.objectStore("experiments"), change.objectStore("jobs"));
    await done;
    return made;
  }

  async count(): Promise<void> {
    this.#tell([...(await this.#change("readonly", entriesIn)).values()]);
  }

  #tell(entries: readonly Entry[]): void {
    this.held.value = { experiments: entries.length, bytes: entries.reduce((sum, entry) => sum + sizeOf(entry), 0) };
  }

  /** Stores the records of a whole job, as soon as what came before is written. */
  add(header: Header, job: Spec, records: readonly Bytes[]): void {
    const waiting = this.#waiting.get(header) ?? new Map<string, Bytes>();
    this.#waiting.set(header, waiting.set(jobName(job), joined(records)));
    this.#writing ??= this.#write();
  }

  /** Resolves when all that was added is stored, or could not be. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    while (this.#waiting.size > 0) {
      const waiting = this.#waiting;
      this.#waiting = new Map();
      for (const [header, jobs] of waiting) {
        const name = await this.#nameOf(header);
        // Where there is less room than is allowed here, the oldest make room once more. Then nothing of these is stored.
        await this.#put(name, jobs).catch(() => {
          this.limits = { ...this.limits, bytes: this.held.value.bytes / 2 };
          return this.#put(name, jobs).catch(() => {});
        });
      }
    }
    this.#writing = undefined;
  }

  async #put(name: string, jobs: ReadonlyMap<string, Bytes>): Promise<void> {
    const entries = await this.#change("readwrite", async (experiments, records) => {
      const entries = await entriesIn(experiments);
      const sizes = new Map(entries.get(name)?.jobs);
      let bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
      for (const [job, record] of jobs) {
        if (sizes.has(job) || bytes + record.length > this.limits.bytes) continue;
        bytes += record.length;
        sizes.set(job, record.length);
        records.put(record, `${name} ${job}`);
      }
      const used = latest(entries) + 1;
      entries.set(name, { jobs: sizes, used });
      experiments.put({ jobs: sizes, used }, name);
      let all = [...entries.values()].reduce((sum, entry) => sum + sizeOf(entry), 0);
      for (const [oldest, entry] of [...entries].sort(([, a], [, b]) => a.used - b.used)) {
        if (oldest === name || (all <= this.limits.bytes && entries.size <= this.limits.experiments)) break;
        all -= sizeOf(entry);
        entries.delete(oldest);
        experiments.delete(oldest);
        for (const job of entry.jobs.keys()) records.delete(`${oldest} ${job}`);
      }
      return entries;
    });
    this.#tell([...entries.values()]);
  }

  /** The stored jobs of an experiment, which counts as used now. Empty if they cannot be read. */
  async of(header: Header): Promise<Known> {
    const name = await this.#nameOf(header);
    const { spec } = header;
    const found = await this.#change("readwrite", async (experiments, records) => {
      const entries = await entriesIn(experiments);
      const entry = entries.get(name);
      if (!entry) return [];
      experiments.put({ ...entry, used: latest(entries) + 1 }, name);
      const read = async (job: Spec): Promise<Bytes | undefined> => {
        const size = entry.jobs.get(jobName(job));
        const record: unknown = size === undefined ? undefined : await asked(records.get(`${name} ${jobName(job)}`));
        return record instanceof Uint8Array && record.length === size ? (record as Bytes) : undefined;
      };
      return Promise.all(jobsOf(spec).map(read));
    }).catch(() => []);
    const keys = keysOf(spec);
    return new Map(found.flatMap((record, job) => (record ? [[keys[job]!, new Blob([record])] as const] : [])));
  }

  /** The stored runs of an experiment from its first one on, up to a run that is not whole. Undefined: there are none. */
  async recall(header: Header, signal: AbortSignal): Promise<Recalled | undefined> {
    const known = await this.of(header);
    const { agents } = header.spec;
    const keys = keysOf(header.spec);
    const missing = keys.findIndex((key) => !known.has(key));
    const whole = keys.slice(0, missing < 0 ? keys.length : missing - (missing % agents.length));
    if (whole.length === 0 || signal.aborted) return undefined;
    const records = new Blob([`${JSON.stringify(header)}\n`, ...whole.map((key) => known.get(key)!)], { type: "application/jsonl" });
    if (records.size > mostBytes) return undefined;
    let snapshot: Snapshot | undefined;
    await send<Snapshot>("/v1/summary?strict=true", records, "json", (last) => void (snapshot = last), signal);
    return snapshot && { snapshot, records, known };
  }

  /** Deletes all that is stored. */
  async forget(): Promise<void> {
    this.#waiting.clear();
    await this.#writing;
    await this.#change("readwrite", async (...both) => {
      for (const store of both) store.clear();
    });
    this.#tell([]);
  }
}

async function entriesIn(experiments: IDBObjectStore): Promise<Map<string, Entry>> {
  const [names, entries] = await Promise.all([asked(experiments.getAllKeys()), asked<Entry[]>(experiments.getAll())]);
  return new Map(names.map((name, k) => [String(name), entries[k]!]));
}

const latest = (entries: ReadonlyMap<string, Entry>): number => Math.max(0, ...[...entries.values()].map(({ used }) => used));

function joined(parts: readonly Bytes[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
