// A sweep: one experiment in many settings, which run in the pool one after the other. The engine says which settings
// there are, what they cost and which cannot run, and draws what they have found (/v1/sweep).

import { batch, computed, effect, signal } from "@preact/signals-core";
import { sentence } from "../dom";
import { ask, detailOf, text } from "../engine/engine";
import type { Experiment, Played } from "../engine/experiment";
import type { Known } from "../engine/jobs";
import { workers } from "../engine/pool";
import { enough } from "../engine/stopwatch";
import type { Checked, Field, Receipt, Snapshot, Spec, Sweep as Asked, SweepEnd, SweepLink, SweepPlan, SweepReceipt } from "../formats";
import { later } from "../lost";
import { Latest } from "./latest";
import type { Playground } from "./playground";

/** A field that a person has chosen, and its values as they were typed. */
export interface Row {
  /** In links and flags; "" as long as none is chosen. */
  readonly key: string;
  readonly text: string;
}

/** A sweep that the engine has read. */
export interface Plan extends SweepPlan {
  readonly spec: Spec;
  /** How long all of it takes here, in seconds. */
  readonly seconds: number;
}

/** What all runs of a setting have found. */
export interface Found {
  readonly fingerprint: string;
  /** By measure. */
  readonly ends: ReadonlyMap<string, readonly Omit<SweepEnd, "setting">[]>;
}

/** How a figure of a sweep looks. */
export type Look = Pick<Asked, "x" | "heat" | "theme" | "inline" | "width" | "type">;

const none: Row = { key: "", text: "" };

/** How many seconds a setting takes besides its runs: a pool starts, and its records are summarised. */
const perSetting = 0.3;

/** After so many seconds the page no longer waits for the engine to check all settings. */
const longestCheck = 30;

/** Of so many settings the page knows what they have found. The oldest go first. */
const mostFound = 5000;

/** The fields of a form that can vary in a row: all but the domain, whose fields would change with it, and names of priors. */
export const variable = (fields: readonly Field[]): readonly Field[] => fields.filter(({ pointer, named }) => pointer !== "/domain/name" && !named);

/** The rows that say what varies, in the grammar of links. Undefined: two rows cannot say it. */
export function rowsOf(vary: string, fields: readonly Field[]): readonly Row[] | undefined {
  const rows = vary.split(";").map((entry) => {
    const at = entry.indexOf("=");
    return { key: entry.slice(0, Math.max(0, at)), text: entry.slice(at + 1) };
  });
  const plain = rows.length <= 2 && rows.every(({ key, text: values }) => !/[~=]/.test(values) && variable(fields).some((field) => field.key === key));
  return plain ? [rows[0]!, rows[1] ?? none] : undefined;
}

/** What rows vary, in the grammar of links. A comma at the end is not yet followed by a value. */
export function varyOf(rows: readonly Row[]): string {
  const trimmed = (values: string): string => {
    const list = values.split(",").map((value) => value.trim());
    return (list.at(-1) === "" ? list.slice(0, -1) : list).join();
  };
  return rows
    .filter(({ key, text: values }) => key !== "" && values.trim() !== "")
    .map(({ key, text: values }) => `${key}=${trimmed(values)}`)
    .join(";");
}

/** What a plan is about, as a text: equal plans have equal texts. */
const about = ({ spec, vary }: { readonly spec: Spec; readonly vary: string }): string => JSON.stringify([spec, vary]);

export class Sweeping {
  /** What is chosen. */
  readonly rows = signal<readonly Row[]>([none, none]);
  /** What a link varies that two rows cannot say. */
  readonly beyond = signal<string | undefined>(undefined);
  readonly plan = signal<Plan | undefined>(undefined);
  readonly fault = signal("");
  readonly planning = signal(false);
  readonly running = signal(false);
  /** Whether someone has pressed Stop, and the setting that runs has still to end. */
  readonly stopping = signal(false);
  /** What settings have found, by their IDs, also those of earlier plans. */
  readonly found = signal<ReadonlyMap<string, Found>>(new Map());
  /** Why settings have failed, by their IDs. */
  readonly failed = signal<ReadonlyMap<string, string>>(new Map());
  /** The setting that runs, and how many of its runs are finished. */
  readonly at = signal<{ readonly id: string; readonly runs: number } | undefined>(undefined);
  /** How many seconds the rest takes, once that can be told. */
  readonly left = signal<number | undefined>(undefined);
  readonly #signed = signal<(SweepReceipt & { readonly about: string }) | undefined>(undefined);
  readonly #expected = signal<{ readonly receipt: Receipt; readonly about: string } | undefined>(undefined);
  /** The receipt of the whole sweep, with the link that carries it. */
  readonly receipt = computed(() => this.#ofPlan(this.#signed.value));
  /** The receipt that the sweep's link asks for. */
  readonly expected = computed(() => this.#ofPlan(this.#expected.value)?.receipt);
  /** How many settings can run, and how many of them are finished. */
  readonly count = computed(() => {
    const possible = (this.plan.value?.settings ?? []).filter(({ reason }) => reason === undefined);
    return { possible: possible.length, finished: possible.filter(({ id }) => this.found.value.has(id)).length };
  });
  /** Whether the settings of the page are others than those of the plan. */
  readonly apart = computed(() => {
    const { value: plan } = this.plan;
    const spec = this.playground.app.checked.value?.header.spec;
    return plan !== undefined && spec !== undefined && plan.spec !== spec && JSON.stringify(plan.spec) !== JSON.stringify(spec);
  });
  readonly #plans = new Latest();
  #pause: ReturnType<typeof setTimeout> | undefined;
  #experiment: Experiment | undefined;
  #stopped = false;
  #gone = false;

  /** The share that is done, while the sweep runs. */
  readonly share = signal<number | undefined>(undefined);

  constructor(private readonly playground: Pick<Playground, "app" | "held" | "ends" | "runner">) {
    const { app, held } = playground;
    // A run that someone has pressed for has the machine to itself.
    const pause = effect(() => {
      void this.at.value;
      this.#experiment?.pause(app.run.value === "running" || held.value);
    });
    playground.ends.add(() => {
      this.#gone = true;
      pause();
      this.leave();
      this.stop();
    });
  }

  #ofPlan<T extends { readonly about: string }>(of: T | undefined): T | undefined {
    const { value: plan } = this.plan;
    return of && plan && of.about === about(plan) ? of : undefined;
  }

  /** Someone looks at the sweep. What has not begun has the settings that the page has now. */
  async show(): Promise<void> {
    const begun = this.running.value || this.count.value.finished > 0;
    if (!begun && (this.plan.value === undefined || this.apart.value)) await this.prepare();
  }

  /** Takes what is chosen, and asks about it once it has stayed the same for so many milliseconds. */
  choose(k: number, row: Row, wait = 0): void {
    if (this.running.value) return;
    this.leave();
    batch(() => {
      this.#clear();
      this.beyond.value = undefined;
      this.rows.value = this.rows.value.map((other, i) => (i === k ? row : other));
    });
    this.#pause = setTimeout(() => void this.prepare(), wait);
  }

  /** Takes what a link varies. Its receipt is compared once all settings have run. */
  async open({ vary, receipt }: Pick<SweepLink, "vary" | "receipt">): Promise<void> {
    this.leave();
    const signal = this.#plans.next();
    const checked = await this.playground.app.check();
    if (signal.aborted) return;
    if (this.running.value) {
      this.fault.value = "A sweep is running. Stop it, and open the link again.";
      return;
    }
    const rows = checked && rowsOf(vary, checked.fields);
    batch(() => {
      this.rows.value = rows ?? [none, none];
      this.beyond.value = rows ? undefined : vary;
    });
    await this.prepare();
    const { value: plan } = this.plan;
    if (plan && receipt) this.#expected.value = { receipt, about: about(plan) };
  }

  /** Ends what the engine is asked, but not what runs. */
  leave(): void {
    clearTimeout(this.#pause);
    this.#plans.next();
    this.planning.value = false;
  }

  #clear(): void {
    this.plan.value = undefined;
    this.failed.value = new Map();
    this.fault.value = "";
  }

  /** Asks the engine about every setting of what is chosen. */
  async prepare(): Promise<void> {
    if (this.running.value || this.#gone) return;
    this.leave();
    const signal = this.#plans.next();
    batch(() => this.#clear());
    const vary = this.beyond.value ?? varyOf(this.rows.value);
    if (vary === "") return;
    this.planning.value = true;
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), 1000 * longestCheck);
    signal.addEventListener("abort", () => limit.abort());
    try {
      const checked = await this.playground.app.check();
      if (signal.aborted) return;
      if (!checked) throw new Error("The settings of the page are refused; mend them first.");
      const { spec } = checked.header;
      const plan = JSON.parse(await text("/v1/sweep", JSON.stringify({ spec, vary }), limit.signal)) as SweepPlan;
      if (signal.aborted) return;
      const seconds = plan.settings.reduce(
        (sum, { seconds: of = 0, runs }) => (runs === undefined ? sum : sum + of / workers({ ...spec, runs }) + perSetting),
        0,
      );
      batch(() => {
        this.plan.value = { ...plan, spec, seconds };
        this.planning.value = false;
      });
      await this.#sign(this.plan.value!); // if all of it was found before
    } catch (error) {
      if (signal.aborted) return;
      this.fault.value = limit.signal.aborted
        ? "Checking these settings takes too long here; the command cpsrl sweep takes any number."
        : sentence(detailOf(error));
    } finally {
      clearTimeout(timer);
      if (!signal.aborted) this.planning.value = false;
    }
  }

  /** What the engine says about the spec of a setting. */
  checked({ spec, vary }: Plan, k: number): Promise<Checked> {
    return ask<Checked>(`/v1/sweep?as=setting&setting=${k}`, { spec, vary });
  }

  /** Runs what is not finished, setting by setting. One that fails does not keep the others from running. */
  async run(): Promise<void> {
    const plan = this.plan.value;
    if (!plan || this.running.value || this.#gone) return;
    const { app } = this.playground;
    this.#stopped = false;
    batch(() => {
      this.running.value = true;
      this.fault.value = "";
      this.failed.value = new Map();
      this.share.value = 0;
    });
    const begun = performance.now();
    const todo = plan.settings.flatMap(({ id, reason }, k) => (reason === undefined && !this.found.value.has(id) ? [k] : []));
    const costs = plan.settings.map(({ seconds = 0 }) => seconds + perSetting);
    const total = todo.reduce((sum, k) => sum + costs[k]!, 0);
    let done = 0;
    const progress = (share: number): void => {
      this.share.value = share;
      const seconds = (performance.now() - begun) / 1000;
      this.left.value = seconds > 2 && share >= enough ? (seconds / share) * (1 - share) : undefined;
    };
    try {
      for (const k of todo) {
        const { id } = plan.settings[k]!;
        if (!this.found.value.has(id)) {
          const why = await this.#play(plan, k, (share) => progress((done + costs[k]! * share) / total)).catch(detailOf);
          if (why !== undefined && !this.#stopped) this.failed.value = new Map(this.failed.value).set(id, sentence(why));
        }
        if (this.#stopped) break;
        done += costs[k]!;
        progress(done / total);
      }
      await this.#sign(plan);
    } catch (error) {
      this.fault.value = sentence(detailOf(error));
    } finally {
      batch(() => {
        this.at.value = this.left.value = this.share.value = undefined;
        this.running.value = this.stopping.value = false;
      });
      const { possible, finished } = this.count.value;
      app.announce(
        finished === possible
          ? `The sweep is finished: ${settingsWords(possible)}.`
          : `The sweep has stopped: ${finished} of ${settingsWords(possible)} finished.`,
      );
    }
  }

  /** Runs a setting. What the browser has kept of it is not computed again. Resolves to why it has failed. */
  async #play(plan: Plan, k: number, progress: (share: number) => void): Promise<string | undefined> {
    const { runner } = this.playground;
    const { id } = plan.settings[k]!;
    const { header } = await this.checked(plan, k);
    const made = await later(() => import("../engine/experiment"));
    const stored = await runner.storing();
    const known = stored ? await stored.of(header) : runner.known;
    if (this.#stopped || !made) return made ? undefined : "a part of the site could not be loaded";
    const play = async (known: Known): Promise<Played> => {
      const experiment: Experiment = new made.Experiment(header, known, {
        progress: () => progress(experiment.share),
        snapshot: ({ runs }) => void (this.at.value = { id, runs }),
        ...(stored && { whole: (job, records) => stored.add(header, job, records) }),
      });
      this.#experiment = experiment;
      this.at.value = { id, runs: 0 };
      const played = await made.ended(experiment);
      this.#experiment = undefined;
      return played;
    };
    let played = await play(known);
    if (made.unread(played) && !this.#stopped) {
      await runner.distrust(header, stored);
      if (this.#stopped) return undefined;
      played = await play(new Map());
    }
    const { outcome } = played;
    if (!outcome) throw played.error;
    if (!stored) runner.keep(outcome.known);
    if (outcome.failure === undefined && !outcome.stopped) this.#learn(id, outcome.snapshot);
    return outcome.failure;
  }

  stop(): void {
    this.#stopped = true;
    this.stopping.value = this.running.value;
    this.#experiment?.stop();
  }

  #learn(id: string, { fingerprint = "", series, learned = [] }: Snapshot): void {
    const ends = new Map<string, Omit<SweepEnd, "setting">[]>();
    for (const measure of new Set(series.map((of) => of.measure))) {
      // Where there is no regret, nobody knows how many runs have learned.
      const agents = learned.length > 0 ? learned : [...new Set(series.map(({ agent }) => agent))].map((agent) => ({ agent, runs: -1 }));
      const list = agents.map(({ agent, runs }) => {
        const of = series.find((other) => other.agent === agent && other.measure === measure);
        const n = of?.n.at(-1) ?? 0;
        if (!of || n === 0) return { agent, mean: 0, n: 0, learned: runs };
        const [lo, hi] = [of.lo.at(-1)!, of.hi.at(-1)!];
        return { agent, mean: of.mean.at(-1)!, ...(!Number.isNaN(lo) && { lo, hi }), n, learned: runs };
      });
      ends.set(measure, list);
    }
    const all = new Map(this.found.value).set(id, { fingerprint, ends });
    for (const [oldest] of all) if (all.size > mostFound) all.delete(oldest);
    this.found.value = all;
  }

  /** The fingerprint of each setting, "" if it cannot run. Undefined while a setting is not finished. */
  #prints(plan: Plan): string[] | undefined {
    const prints = plan.settings.map(({ id, reason }) => (reason === undefined ? this.found.value.get(id)?.fingerprint : ""));
    return prints.every((print) => print !== undefined) ? prints : undefined;
  }

  /** Has the engine make the receipt, once all settings are finished. */
  async #sign(plan: Plan): Promise<void> {
    const { spec, vary, settings } = plan;
    const fingerprints = this.#prints(plan);
    if (!fingerprints || settings.every(({ reason }) => reason !== undefined)) return;
    const signed = JSON.parse(await text("/v1/sweep?as=receipt", JSON.stringify({ spec, vary, fingerprints }))) as SweepReceipt;
    this.#signed.value = { ...signed, about: about(plan) };
  }

  /** What is known of a measure, as the engine draws and writes it. Undefined: nothing is. */
  #known(measure: string): { readonly plan: Plan; readonly body: object } | undefined {
    const plan = this.plan.value;
    const ends = plan?.settings.flatMap(
      ({ id }, k) =>
        this.found.value
          .get(id)
          ?.ends.get(measure)
          ?.map((end) => ({ setting: k, ...end })) ?? [],
    );
    if (!plan || !ends || ends.length === 0) return undefined;
    const { spec, vary, settings } = plan;
    return { plan, body: { spec, vary, measure, ends, impossible: settings.length - this.count.value.possible } };
  }

  /** The request for the figure of the settings that are finished. Undefined: there is nothing to draw. */
  figure(measure: string, look: Look): string | undefined {
    const known = this.#known(measure);
    return known && JSON.stringify({ ...known.body, ...look });
  }

  /** The results as `cpsrl table` prints them. */
  async table(measure: string): Promise<string> {
    const known = this.#known(measure);
    if (!known) throw new Error("There are no results of this measure.");
    const fingerprints = this.#prints(known.plan);
    return text("/v1/sweep?as=csv", JSON.stringify({ ...known.body, ...(fingerprints && { fingerprints }) }));
  }
}

/** How many settings, in words. */
export const settingsWords = (n: number): string => (n === 1 ? "1 setting" : `${n} settings`);
