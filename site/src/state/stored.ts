// Runs that last: the records of whole jobs, stored in this browser, so that a reload or a crash loses
// nothing that was whole. What is stored is known like what an earlier run of the page has computed, as long as its
// digest says that it is what was stored; what is not is computed again and takes its place.

import { effect, signal, untracked } from "@preact/signals-core";
import { Refused, send } from "../engine/engine";
import { jobsOf, keysOf, type Known } from "../engine/jobs";
import { mostBytes } from "../engine/record-store";
import type { Header, Snapshot, Spec } from "../formats";
import type { App } from "./app";
import { type Ask, Database, Denied, patience, Silent, whyNot } from "./database";

/** How much is stored at most, in bytes and in experiments. The experiment that was used longest ago goes first. */
const most: Limits = { bytes: 2 * mostBytes, experiments: 1000 }; // twice as many as a sweep has settings

/** How many milliseconds without a sign pass before what nobody waits for is given up: writing, and showing earlier runs. */
const patient = 10_000;

/** So many milliseconds after a failure the store is read again. One that another page leaves in haste fails for a while. */
const again = [0, 250, 1000, 4000];

/** So many milliseconds after something was added, it is no longer taken for granted that it will be stored. */
const worry = 4000;

/** So many milliseconds pass before the store is counted again, because other tabs may write often. */
const soon = 100;

/** How many bytes may wait to be written. */
const mostWaiting = 64 << 20;

interface Limits {
  readonly bytes: number;
  readonly experiments: number;
}

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

/** What is stored of a job. */
interface Job {
  readonly size: number;
  /** The SHA-256 of its records. */
  readonly digest: string;
}

/** What is stored of an experiment: its jobs by name, and when it was used last, as a number that grows. */
interface Entry {
  readonly jobs: ReadonlyMap<string, Job>;
  readonly used: number;
  /** Whether all of it could be read. Earlier versions of the page have kept no digests. */
  readonly sound: boolean;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Opens the store, and waits for it as long as patience lasts. It may answer later. Undefined: the browser keeps nothing for this page. */
export async function open(limits = most): Promise<Stored | undefined> {
  if (!globalThis.crypto?.subtle) return undefined; // without https
  const stored = new Stored(new Database("cpsrl", ["experiments", "jobs"]), limits);
  try {
    await stored.count();
  } catch (error) {
    if (error instanceof Denied) return undefined;
    if (error instanceof Silent) void stored.countLater();
  }
  stored.listen(true);
  // Some browsers keep no page for Back that hears other tabs.
  globalThis.addEventListener?.("pagehide", () => stored.listen(false));
  globalThis.addEventListener?.("pageshow", ({ persisted }) => {
    if (!persisted) return;
    stored.listen(true);
    void stored.countLater();
  });
  return stored;
}

async function digestOf(bytes: Bytes): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The name of an experiment: that of its spec without runs and agents, so that more of them extend it, and of the engine. */
function nameOf({ engine, spec }: Header): Promise<string> {
  const { agents: _agents, firstRun: _firstRun, runs: _runs, ...rest } = spec;
  return digestOf(new TextEncoder().encode(JSON.stringify([engine, rest])));
}

/** The name of a job within its experiment. */
const jobName = ({ agents, firstRun }: Spec): string => `${firstRun} ${agents[0]}`;

const sizeOf = ({ jobs }: Pick<Entry, "jobs">): number => [...jobs.values()].reduce((sum, { size }) => sum + size, 0);

/** What the tabs of this site tell each other. */
const channel = "cpsrl runs";
type News = "changed" | "forgotten";

export class Stored {
  readonly held = signal<Held>({ experiments: 0, bytes: 0 });
  /** Why runs are not stored now, as the end of a sentence; "" as long as they are. */
  readonly fault = signal("");
  #forgotten = (): void => {};
  readonly #names = new WeakMap<Header, Promise<string>>();
  /** What waits to be written, by experiment, and its size. */
  #waiting = new Map<Header, Map<string, Bytes>>();
  #size = 0;
  #writing: Promise<void> | undefined;
  /** Changes when what is on its way into the store is not wanted any more. */
  #turn = {};
  #tabs: BroadcastChannel | undefined;
  #counting = false;

  constructor(
    private readonly database: Database,
    private limits: Limits,
  ) {}

  #nameOf(header: Header): Promise<string> {
    const name = this.#names.get(header) ?? nameOf(header);
    this.#names.set(header, name);
    return name;
  }

  /** Says in a notice when runs are not kept, once, and calls back when another tab has forgotten everything. */
  tell(app: Pick<App, "notify" | "dismiss">, forgotten: () => void): void {
    this.#forgotten = forgotten;
    effect(() => {
      const why = this.fault.value;
      untracked(() => {
        if (why === "") app.dismiss("unkept");
        else app.notify("unkept", `These runs are not kept in this browser: ${why}. They last as long as this page; Export saves them.`);
      });
    });
  }

  async count(wait = patience): Promise<void> {
    const entries = await this.database.change("readonly", ([experiments], ask) => entriesIn(experiments!, ask), wait);
    this.#tell([...entries.values()]);
    if ([...entries.values()].some(({ sound }) => !sound)) void this.#tidy().catch(() => {});
  }

  /** Counts soon, once the store answers. Calls that come meanwhile are one. */
  async countLater(): Promise<void> {
    if (this.#counting) return;
    this.#counting = true;
    await new Promise((resolve) => setTimeout(resolve, soon));
    await this.database.answers();
    this.#counting = false;
    await this.count(patient).catch(() => {});
  }

  /** Deletes what cannot be read, or has no digest. */
  async #tidy(): Promise<void> {
    await this.database.change(
      "readwrite",
      async ([experiments, records], ask) => {
        const entries = await entriesIn(experiments!, ask);
        const named = new Set([...entries].flatMap(([name, { jobs }]) => [...jobs.keys()].map((job) => `${name} ${job}`)));
        for (const key of await ask(records!.getAllKeys())) if (!named.has(String(key))) records!.delete(key);
        for (const [name, entry] of entries) {
          if (entry.sound) continue;
          if (entry.jobs.size > 0) experiments!.put(written(entry), name);
          else experiments!.delete(name);
        }
      },
      patient,
    );
  }

  #tell(entries: readonly Entry[]): void {
    const full = entries.filter(({ jobs }) => jobs.size > 0);
    this.held.value = { experiments: full.length, bytes: full.reduce((sum, entry) => sum + sizeOf(entry), 0) };
  }

  /** Hears what other tabs of this site do with the store, and tells them; or neither, while the browser keeps the page for Back. */
  listen(on: boolean): void {
    this.#tabs?.close();
    this.#tabs = undefined;
    if (!on || typeof BroadcastChannel === "undefined") return;
    this.#tabs = new BroadcastChannel(channel);
    this.#tabs.onmessage = ({ data }: MessageEvent<News>) => {
      if (data === "forgotten") {
        this.#drop();
        this.#forgotten();
      }
      void this.countLater();
    };
  }

  #say(news: News): void {
    this.#tabs?.postMessage(news);
  }

  /** Stores the records of a whole job, as soon as what came before is written. */
  add(header: Header, job: Spec, records: readonly Bytes[]): void {
    const whole = joined(records);
    if (this.#size > 0 && this.#size + whole.length > mostWaiting) return; // the store is silent or slow; the page has them as long as it lasts
    this.#size += whole.length;
    const waiting = this.#waiting.get(header) ?? new Map<string, Bytes>();
    this.#waiting.set(header, waiting.set(jobName(job), whole));
    this.#writing ??= this.#write();
  }

  /** Resolves when all that was added is stored, or could not be. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    const worrying = (): ReturnType<typeof setTimeout> => setTimeout(() => void (this.fault.value = whyNot(new Silent())), worry);
    let worries = worrying();
    while (this.#waiting.size > 0) {
      await this.database.answers();
      const [waiting, turn] = [this.#waiting, this.#turn];
      this.#drop(turn);
      for (const [header, jobs] of waiting) {
        const why = await this.#store(header, jobs, turn);
        clearTimeout(worries);
        worries = worrying();
        this.fault.value = why;
      }
    }
    clearTimeout(worries);
    this.#writing = undefined;
  }

  /** Resolves to why nothing was stored; "" if it was. */
  async #store(header: Header, jobs: ReadonlyMap<string, Bytes>, turn: object): Promise<string> {
    try {
      try {
        await this.#put(header, jobs, turn, this.limits);
      } catch (error) {
        if (error instanceof Silent || this.held.value.bytes === 0) throw error;
        // Where there is less room than is allowed here, the oldest make room once more.
        const limits = { ...this.limits, bytes: this.held.value.bytes / 2 };
        await this.#put(header, jobs, turn, limits);
        this.limits = limits;
      }
      return "";
    } catch (error) {
      return whyNot(error);
    }
  }

  /** Lets nothing wait any more. What is on its way into the store gets there only if the turn stays the same. */
  #drop(turn = {}): void {
    this.#waiting = new Map();
    this.#size = 0;
    this.#turn = turn;
  }

  async #put(header: Header, jobs: ReadonlyMap<string, Bytes>, turn: object, limits: Limits): Promise<void> {
    const name = await this.#nameOf(header);
    const added = await Promise.all([...jobs].map(async ([job, record]) => ({ job, record, digest: await digestOf(record) })));
    if (turn !== this.#turn) return;
    const entries = await this.database.change(
      "readwrite",
      async ([experiments, records], ask) => {
        const entries = await entriesIn(experiments!, ask);
        const sizes = new Map(entries.get(name)?.jobs);
        let bytes = sizeOf({ jobs: sizes });
        for (const { job, record, digest } of added) {
          const before = sizes.get(job);
          if (before?.digest === digest && before.size === record.length) continue;
          const after = bytes - (before?.size ?? 0) + record.length;
          if (after > limits.bytes) continue;
          bytes = after;
          sizes.set(job, { size: record.length, digest });
          records!.put(record, `${name} ${job}`);
        }
        const own: Entry = { jobs: sizes, used: latest(entries) + 1, sound: true };
        entries.set(name, own);
        if (sizes.size > 0) experiments!.put(written(own), name);
        let all = [...entries.values()].reduce((sum, entry) => sum + sizeOf(entry), 0);
        for (const [oldest, entry] of [...entries].sort(([, a], [, b]) => a.used - b.used)) {
          if (oldest === name || (all <= limits.bytes && entries.size <= limits.experiments)) break;
          all -= sizeOf(entry);
          entries.delete(oldest);
          experiments!.delete(oldest);
          for (const job of entry.jobs.keys()) records!.delete(`${oldest} ${job}`);
        }
        return entries;
      },
      patient,
    );
    this.#tell([...entries.values()]);
    this.#say("changed");
  }

  /** The stored jobs of an experiment. Empty if they cannot be read, or not in time. */
  async of(header: Header): Promise<Known> {
    return this.#find(header, patience).catch(() => new Map());
  }

  /** The stored jobs of an experiment, however long the store takes. Empty if they cannot be read. */
  async #await(header: Header, signal: AbortSignal): Promise<Known> {
    for (let fails = 0; !signal.aborted && fails < again.length; ) {
      await this.database.answers();
      try {
        return await this.#find(header, patient);
      } catch (error) {
        if (error instanceof Silent) continue;
        await new Promise((resolve) => setTimeout(resolve, again[fails++]));
      }
    }
    return new Map();
  }

  /** The stored jobs of an experiment, which counts as used now. Those that are not what was stored are deleted. */
  async #find(header: Header, wait: number): Promise<Known> {
    const { spec } = header;
    const jobs = jobsOf(spec);
    const name = await this.#nameOf(header);
    const found = await this.database.change(
      "readwrite",
      async ([experiments, records], ask) => {
        const entries = await entriesIn(experiments!, ask);
        const entry = entries.get(name);
        if (!entry) return [];
        experiments!.put(written({ ...entry, used: latest(entries) + 1 }), name);
        return Promise.all(
          jobs.map(async (job) => {
            const of = entry.jobs.get(jobName(job));
            return of && { ...of, record: (await ask(records!.get(`${name} ${jobName(job)}`))) as unknown };
          }),
        );
      },
      wait,
    );
    const same = await Promise.all(
      found.map(async (of) => {
        const { record, size, digest } = of ?? {};
        return record instanceof Uint8Array && record.length === size && (await digestOf(record as Bytes)) === digest ? (record as Bytes) : undefined;
      }),
    );
    const wrong = found.flatMap((of, k) => (of && !same[k] ? [jobName(jobs[k]!)] : []));
    if (wrong.length > 0) await this.#delete(name, wrong).catch(() => {});
    const keys = keysOf(spec);
    return new Map(same.flatMap((record, job) => (record ? [[keys[job]!, new Blob([record])] as const] : [])));
  }

  /** Deletes all that is stored of an experiment, because the engine does not read it. */
  async distrust(header: Header): Promise<void> {
    this.#drop();
    await this.#delete(await this.#nameOf(header)).catch(() => {});
  }

  /** Deletes jobs of an experiment. Absent: all of them. */
  async #delete(name: string, jobs?: readonly string[]): Promise<void> {
    const entries = await this.database.change("readwrite", async ([experiments, records], ask) => {
      const entries = await entriesIn(experiments!, ask);
      const entry = entries.get(name);
      if (!entry) return entries;
      const left = new Map(entry.jobs);
      for (const job of jobs ?? entry.jobs.keys()) {
        left.delete(job);
        records!.delete(`${name} ${job}`);
      }
      entries.set(name, { ...entry, jobs: left });
      if (left.size > 0) experiments!.put(written(entries.get(name)!), name);
      else experiments!.delete(name);
      return entries;
    });
    this.#tell([...entries.values()]);
    this.#say("changed");
  }

  /** The stored runs of an experiment from its first one on, up to a run that is not whole. Undefined: there are none. They are awaited for as long as the store takes. */
  async recall(header: Header, signal: AbortSignal): Promise<Recalled | undefined> {
    const known = await this.#await(header, signal);
    const { agents } = header.spec;
    const keys = keysOf(header.spec);
    const missing = keys.findIndex((key) => !known.has(key));
    const whole = keys.slice(0, missing < 0 ? keys.length : missing - (missing % agents.length));
    if (whole.length === 0 || signal.aborted) return undefined;
    const records = new Blob([`${JSON.stringify(header)}\n`, ...whole.map((key) => known.get(key)!)], { type: "application/jsonl" });
    if (records.size > mostBytes) return undefined;
    let snapshot: Snapshot | undefined;
    try {
      await send<Snapshot>("/v1/summary?strict=true", records, "json", (last) => void (snapshot = last), signal);
    } catch (error) {
      if (error instanceof Refused) await this.distrust(header);
      throw error;
    }
    if (snapshot && snapshot.runs * agents.length === whole.length) return { snapshot, records, known };
    await this.distrust(header);
    return undefined;
  }

  /** Deletes all that is stored. What a run adds afterwards is stored again. */
  async forget(): Promise<void> {
    this.#drop();
    await this.database.change("readwrite", async (stores) => {
      for (const store of stores) store.clear();
    });
    this.#tell([]);
    this.#say("forgotten");
  }
}

async function entriesIn(experiments: IDBObjectStore, ask: Ask): Promise<Map<string, Entry>> {
  const [names, entries] = await Promise.all([ask(experiments.getAllKeys()), ask<unknown[]>(experiments.getAll())]);
  return new Map(names.map((name, k) => [String(name), entryOf(entries[k])]));
}

/** What an entry says, as far as it can be read. */
function entryOf(value: unknown): Entry {
  const { jobs, digests, used } = (value ?? {}) as { readonly [member: string]: unknown };
  const list = jobs instanceof Map ? [...jobs] : [];
  const read = new Map<string, Job>();
  for (const [job, size] of list) {
    const digest: unknown = digests instanceof Map ? digests.get(job) : undefined;
    if (typeof job === "string" && Number.isSafeInteger(size) && size > 0 && typeof digest === "string") read.set(job, { size, digest });
  }
  const dated = Number.isSafeInteger(used);
  return { jobs: read, used: dated ? (used as number) : 0, sound: dated && read.size > 0 && read.size === list.length };
}

/** An entry as it is stored. Earlier versions of the page read the sizes. */
const written = ({ jobs, used }: Entry): object => ({
  jobs: new Map([...jobs].map(([job, { size }]) => [job, size])),
  digests: new Map([...jobs].map(([job, { digest }]) => [job, digest])),
  used,
});

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
