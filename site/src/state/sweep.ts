// A sweep: one experiment in many settings, which run in the pool one after the other. The engine says which settings
// there are, what they cost and which cannot run, and draws what they have found (/v1/sweep).

import { batch, computed, effect, signal } from "@preact/signals-core";
import { sentence } from "../dom";
import { ask, detailOf, text } from "../engine/engine";
import type { Experiment } from "../engine/experiment";
import { workers } from "../engine/pool";
import type { Checked, Field, Receipt, Snapshot, Spec, Sweep as Asked, SweepEnd, SweepPlan, SweepReceipt } from "../formats";
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

/** What is known of a setting: its runs so far. */
export interface Found {
  readonly runs: number;
  /** The fingerprint of all of its runs; undefined while some are missing. */
  readonly fingerprint: string | undefined;
  /** By measure. */
  readonly ends: ReadonlyMap<string, readonly Omit<SweepEnd, "setting">[]>;
}

/** How a figure of a sweep looks. */
export type Look = Pick<Asked, "x" | "heat" | "theme" | "inline" | "width" | "type">;

const none: Row = { key: "", text: "" };

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

/** What rows vary, in the grammar of links. */
export function varyOf(rows: readonly Row[]): string {
  const trimmed = (values: string): string =>
    values
      .split(",")
      .map((value) => value.trim())
      .join();
  return rows
    .filter(({ key, text: values }) => key !== "" && values.trim() !== "")
    .map(({ key, text: values }) => `${key}=${trimmed(values)}`)
    .join(";");
}

export class Sweeping {
  /** What is chosen. */
  readonly rows = signal<readonly Row[]>([none, none]);
  /** What a link varies that two rows cannot say. */
  readonly beyond = signal<string | undefined>(undefined);
  readonly plan = signal<Plan | undefined>(undefined);
  readonly fault = signal("");
  readonly planning = signal(false);
  readonly running = signal(false);
  /** What is known, by the number of a setting. */
  readonly found = signal<ReadonlyMap<number, Found>>(new Map());
  /** The number of the setting that runs. */
  readonly at = signal<number | undefined>(undefined);
  /** The receipt of the whole sweep, with the link that carries it. */
  readonly receipt = signal<SweepReceipt | undefined>(undefined);
  /** The receipt that the link asks for. */
  readonly expected = signal<Receipt | undefined>(undefined);
  /** How many settings can run, and how many of them are whole. */
  readonly count = computed(() => ({
    possible: this.plan.value?.settings.filter(({ reason }) => reason === undefined).length ?? 0,
    whole: [...this.found.value.values()].filter(({ fingerprint }) => fingerprint !== undefined).length,
  }));
  readonly #plans = new Latest();
  #pause: ReturnType<typeof setTimeout> | undefined;
  #experiment: Experiment | undefined;
  #stopped = false;

  constructor(private readonly playground: Pick<Playground, "app" | "held" | "ends" | "runner">) {
    const { app, held } = playground;
    // A run that someone has pressed for has the machine to itself.
    const pause = effect(() => {
      void this.at.value;
      this.#experiment?.pause(app.run.value === "running" || held.value);
    });
    playground.ends.add(() => {
      pause();
      this.#plans.next();
      clearTimeout(this.#pause);
      this.stop();
    });
  }

  /** Takes what is chosen, and asks about it once it has stayed the same for so many milliseconds. */
  choose(k: number, row: Row, wait = 0): void {
    if (this.running.value) return;
    clearTimeout(this.#pause);
    this.#clear();
    batch(() => {
      this.beyond.value = this.expected.value = undefined;
      this.rows.value = this.rows.value.map((other, i) => (i === k ? row : other));
    });
    this.#pause = setTimeout(() => void this.prepare(), wait);
  }

  /** Takes what a link varies. Its receipt is compared once all settings have run. */
  async open(vary: string, expected?: Receipt): Promise<void> {
    if (this.running.value) return;
    clearTimeout(this.#pause);
    const checked = await this.playground.app.check();
    const plan = this.plan.value;
    if (plan?.vary === vary && JSON.stringify(plan.spec) === JSON.stringify(checked?.header.spec)) {
      this.expected.value = expected;
      return; // someone has gone back to it
    }
    const rows = checked && rowsOf(vary, checked.fields);
    batch(() => {
      this.rows.value = rows ?? [none, none];
      this.beyond.value = rows ? undefined : vary;
      this.expected.value = expected;
    });
    await this.prepare();
  }

  /** Forgets what was planned and found. */
  #clear(): AbortSignal {
    batch(() => {
      this.plan.value = this.receipt.value = undefined;
      this.found.value = new Map();
      this.fault.value = "";
      this.planning.value = false;
    });
    return this.#plans.next();
  }

  /** Asks the engine about every setting of what is chosen. */
  async prepare(): Promise<void> {
    if (this.running.value) return;
    const signal = this.#clear();
    const vary = this.beyond.value ?? varyOf(this.rows.value);
    if (vary === "") return;
    this.planning.value = true;
    try {
      const checked = await this.playground.app.check();
      if (signal.aborted) return;
      if (!checked) throw new Error("The settings of the page are refused; mend them first.");
      const { spec } = checked.header;
      const plan = JSON.parse(await text("/v1/sweep", JSON.stringify({ spec, vary }), signal)) as SweepPlan;
      if (signal.aborted) return;
      const seconds = plan.settings.reduce((sum, setting) => sum + (setting.seconds ?? 0), 0) / workers(spec);
      this.plan.value = { ...plan, spec, seconds };
    } catch (error) {
      if (!signal.aborted) this.fault.value = sentence(detailOf(error));
    } finally {
      if (!signal.aborted) this.planning.value = false;
    }
  }

  /** What the engine says about the spec of a setting. */
  checked({ spec, vary }: Plan, k: number): Promise<Checked> {
    return ask<Checked>(`/v1/sweep?as=setting&setting=${k}`, { spec, vary });
  }

  /** Runs what is not whole, setting by setting. */
  async run(): Promise<void> {
    const plan = this.plan.value;
    if (!plan || this.running.value) return;
    const { app } = this.playground;
    this.#stopped = false;
    batch(() => {
      this.running.value = true;
      this.fault.value = "";
      app.sweeping.value = 0;
    });
    try {
      const todo = plan.settings.flatMap(({ reason }, k) => (reason === undefined && this.found.value.get(k)?.fingerprint === undefined ? [k] : []));
      const total = todo.reduce((sum, k) => sum + plan.settings[k]!.seconds!, 0);
      let done = 0;
      for (const k of todo) {
        const { seconds = 0 } = plan.settings[k]!;
        await this.#play(plan, k, (share) => void (app.sweeping.value = (done + seconds * share) / total));
        if (this.#stopped) break;
        done += seconds;
      }
      await this.#sign(plan);
    } catch (error) {
      this.fault.value = sentence(detailOf(error));
    } finally {
      batch(() => {
        this.at.value = app.sweeping.value = undefined;
        this.running.value = false;
      });
      const { possible, whole } = this.count.value;
      app.announce(
        whole === possible ? `The sweep is finished: ${settingsWords(possible)}.` : `The sweep has stopped: ${whole} of ${settingsWords(possible)} are whole.`,
      );
    }
  }

  /** Runs a setting. What the browser has kept of it is not computed again. */
  async #play(plan: Plan, k: number, progress: (share: number) => void): Promise<void> {
    const { runner } = this.playground;
    const { header } = await this.checked(plan, k);
    const made = await later(() => import("../engine/experiment"));
    const stored = await runner.storing();
    if (stored) runner.keep(await stored.of(header));
    if (!made) this.#stopped = true;
    if (this.#stopped || !made) return;
    const experiment: Experiment = new made.Experiment(header, runner.known, {
      progress: () => progress(experiment.share),
      snapshot: (snapshot) => this.#learn(k, snapshot, false),
      ...(stored && { whole: (job, records) => stored.add(header, job, records) }),
    });
    this.#experiment = experiment;
    this.at.value = k;
    const { snapshot, stopped, failure, known } = await experiment.outcome;
    this.#experiment = undefined;
    runner.keep(known);
    this.#learn(k, snapshot, !stopped && failure === undefined);
    if (failure !== undefined) throw new Error(`A setting ended early: ${failure}`);
  }

  stop(): void {
    this.#stopped = true;
    this.#experiment?.stop();
  }

  #learn(k: number, { runs, fingerprint, series, learned }: Snapshot, whole: boolean): void {
    if (runs === 0) return;
    const agents = learned ?? [...new Set(series.map(({ agent }) => agent))].map((agent) => ({ agent, runs: 0 }));
    const ends = new Map<string, Omit<SweepEnd, "setting">[]>();
    for (const measure of new Set(series.map((of) => of.measure))) {
      const list = agents.map(({ agent, runs: some }) => {
        const of = series.find((other) => other.agent === agent && other.measure === measure);
        const n = of?.n.at(-1) ?? 0;
        if (!of || n === 0) return { agent, mean: 0, n: 0, learned: some };
        const [lo, hi] = [of.lo.at(-1)!, of.hi.at(-1)!];
        return { agent, mean: of.mean.at(-1)!, ...(!Number.isNaN(lo) && { lo, hi }), n, learned: some };
      });
      ends.set(measure, list);
    }
    this.found.value = new Map(this.found.value).set(k, { runs, fingerprint: whole ? fingerprint : undefined, ends });
  }

  /** The fingerprint of each setting, "" if it cannot run. Undefined while a setting is not whole. */
  #prints(plan: Plan): string[] | undefined {
    const prints = plan.settings.map(({ reason }, k) => (reason === undefined ? this.found.value.get(k)?.fingerprint : ""));
    return prints.every((print) => print !== undefined) ? prints : undefined;
  }

  /** Has the engine make the receipt, once all settings are whole. */
  async #sign(plan: Plan): Promise<void> {
    const { spec, vary } = plan;
    const fingerprints = this.#prints(plan);
    if (fingerprints && this.count.value.possible > 0) this.receipt.value = await ask<SweepReceipt>("/v1/sweep?as=receipt", { spec, vary, fingerprints });
  }

  /** What is known of a measure, as the engine draws and writes it. Undefined: nothing is. */
  #known(measure: string): object | undefined {
    const plan = this.plan.value;
    const ends = plan?.settings.flatMap(
      (_, k) =>
        this.found.value
          .get(k)
          ?.ends.get(measure)
          ?.map((end) => ({ setting: k, ...end })) ?? [],
    );
    if (!plan || !ends || ends.length === 0) return undefined;
    const { spec, vary, settings } = plan;
    const fingerprints = this.#prints(plan);
    return { spec, vary, measure, ends, impossible: settings.length - this.count.value.possible, ...(fingerprints && { fingerprints }) };
  }

  /** The request for the figure of what is known. Undefined: there is nothing to draw. */
  figure(measure: string, look: Look): string | undefined {
    const known = this.#known(measure);
    return known && JSON.stringify({ ...known, ...look });
  }

  /** The results as `cpsrl table` prints them. */
  async table(measure: string): Promise<string> {
    const known = this.#known(measure);
    if (!known) throw new Error("There are no results of this measure.");
    return text("/v1/sweep?as=csv", JSON.stringify(known));
  }
}

/** How many settings, in words. */
export const settingsWords = (n: number): string => (n === 1 ? "1 setting" : `${n} settings`);
