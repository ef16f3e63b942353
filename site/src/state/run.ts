// Runs what is shown: the start, progress, pauses and end of a run.

import { signal, untracked } from "@preact/signals-core";
import { calm } from "../calm";
import { detailOf, Refused, rest } from "../engine/engine";
import type { Experiment, Outcome, Played } from "../engine/experiment";
import { keysOf, type Known } from "../engine/jobs";
import { mostBytes } from "../engine/record-store";
import { workers } from "../engine/pool";
import type { Checked, Header } from "../formats";
import { later } from "../lost";
import { remembered } from "../remembered";
import { duration, firstLook } from "./duration";
import type { Links } from "./links";
import type { App, Running } from "./app";
import type { Comparison } from "./comparison";
import { Latest } from "./latest";
import { runsWords } from "./results";
import type { Stored } from "./stored";

/** How a run ended, in short. */
export interface Ended {
  readonly runs: number;
  readonly stopped: boolean;
  readonly conclusion: string;
}

/** A listener to runs besides the page: an embed. */
export interface Hearer {
  progress(done: number, total: number): void;
  finished(ended: Ended): void;
}

type Made = typeof import("../engine/experiment");

export class Runner {
  experiment: Experiment | undefined;
  /** Whether the run is paused because the embed's host asked for it or the embed is off screen. */
  #halted = false;
  /** Whether the run is paused while the reader is asked if it may go on. */
  asking = false;
  /** The records of jobs that need not be computed again. */
  known: Known = new Map();
  /** Opens what this browser stores. Undefined, also in time: nothing is stored here. */
  store: (() => Promise<Stored | undefined>) | undefined;
  /** The store, once it is open. */
  readonly stored = signal<Stored | undefined>(undefined);
  /** The link of the last run that was completed. Running the same again computes all of it anew. */
  #completed = "";
  /** The requests to run, and to stop before the run has begun. */
  readonly #attempts = new Latest();
  #ending: Promise<void> = Promise.resolve();
  /** Whether someone has pressed Run for what runs, or is about to. */
  #pressed = false;
  /** They are told when the run begins. */
  readonly #begun = new Set<() => void>();

  constructor(
    private readonly app: App,
    private readonly comparison: Comparison,
    private readonly links: Links,
    private readonly hearers: Iterable<Hearer>,
  ) {}

  /** Runs what is shown. Someone who presses Run may run anything; only what is cheap starts by itself. Calls begun as soon as it runs. False: a pressed Run was refused. */
  async begin(pressed: boolean, begun = (): void => {}): Promise<boolean> {
    let refused = false;
    this.#begun.add(begun);
    if (this.experiment) begun();
    else if (this.app.runs) {
      this.#pressed ||= pressed; // what is starting by itself
      await this.#ending;
    } else {
      this.#pressed = pressed;
      const run = this.#run().then((accepted) => void (refused = pressed && !accepted));
      this.#ending = run;
      await run;
    }
    this.#begun.delete(begun);
    return !refused;
  }

  /** Resolves when nothing runs any more. */
  stop(): Promise<void> {
    const { app } = this;
    if (!app.runs) return this.#ending;
    if (this.experiment) {
      this.experiment.stop();
      app.stopping.value = true;
      app.said.value = "Stopping…"; // until all that has come is summed up
    } else {
      this.#attempts.next();
      if (this.comparison.running.value) this.comparison.end(); // between the two plays of a run
      app.run.value = "stopped";
      app.said.value = "Stopped: no run was complete.";
      this.#uncompared(app.checked.value?.link);
    }
    return this.#ending;
  }

  async #run(): Promise<boolean> {
    const { app, comparison } = this;
    const before = app.run.value;
    app.run.value = "running";
    app.said.value = "Starting…";
    app.fail("run");
    app.progress.value = 0;
    const attempt = this.#attempts.next();
    const checked = await app.check();
    if (attempt.aborted) return true; // stopped before it began
    const starts = checked && (this.#pressed || checked.cost.autorun);
    const made = starts ? await later(() => import("../engine/experiment")) : undefined;
    const anew = checked !== undefined && (checked.link === this.#completed || this.links.auto.expects(checked.link));
    const stored = made && this.store ? await this.storing() : undefined;
    if (stored && starts && !anew) this.keep(await stored.of(checked.header));
    if (attempt.aborted) return true;
    if (!starts || !made) {
      app.run.value = before;
      app.said.value = "Not started.";
      return checked !== undefined;
    }
    const { spec } = checked.header;
    app.announce(`Started: ${spec.agents.length} agents, ${spec.runs} runs of ${spec.episodes} episodes.`);
    comparison.begin(checked.header);
    app.dismiss("cost", "file"); // it has started
    const play = (known: Known): Promise<Played> => this.#play(made, checked, known, stored);
    try {
      let played = await play(anew ? new Map() : this.known);
      if (made.unread(played) && !app.stopping.value) {
        // What was known is not what the engine has computed, whoever has changed it: it is forgotten, and all is computed.
        await this.distrust(checked.header, stored);
        if (attempt.aborted) return true; // stopped in between
        played = await play(new Map());
      }
      if (!played.outcome) throw played.error;
      this.#finish(played.outcome, played.experiment, checked.link);
    } catch (error) {
      comparison.end();
      app.run.value = "failed";
      app.fail("run", detailOf(error));
      app.said.value = "Failed.";
      for (const hearer of this.hearers) hearer.finished({ runs: 0, stopped: false, conclusion: "" });
    } finally {
      app.stopping.value = false;
      app.dismiss("budget");
      this.#uncompared(checked.link); // the verdict comes later
    }
    return true;
  }

  /** No longer says that a run is compared with the receipt of its link. */
  #uncompared(link = ""): void {
    if (this.links.auto.expects(link)) this.app.dismiss("receipt");
  }

  /** Plays an experiment to its end, and shows its progress. */
  async #play({ Experiment: Make, ended }: Made, checked: Checked, known: Known, stored: Stored | undefined): Promise<Played> {
    const { app, comparison } = this;
    let tenth = 0;
    let told = -Infinity;
    const current: Experiment = new Make(checked.header, known, {
      progress: (done, total) => {
        const share = done / total;
        for (const hearer of this.hearers) hearer.progress(done, total);
        const now = performance.now();
        if (now - told > (calm.matches ? 1000 : 250) || share === 1) {
          told = now;
          app.progress.value = whole(current);
          app.said.value = this.#progressed(current);
        }
        if (Math.floor(10 * share) > tenth && share < 1) {
          tenth = Math.floor(10 * share);
          app.announce(`${10 * tenth}%`);
        }
      },
      snapshot: (snapshot) => comparison.update(snapshot, checked.header),
      ...(stored && { whole: (job, records) => stored.add(checked.header, job, records) }),
    });
    this.experiment = current;
    for (const begun of this.#begun) begun();
    this.#hold();
    const { budget } = checked.cost;
    let free = this.#pressed;
    const timer = setInterval(() => {
      const over = spent(current, budget); // it is read in any case, so that no step of the clock is long
      if (free || !over) return;
      free = true;
      this.#askToGoOn(current, budget);
    }, 500);
    const played = await ended(current);
    this.experiment = undefined;
    clearInterval(timer);
    this.asking = false;
    return played;
  }

  #finish(outcome: Outcome, { header, elapsed, before }: Experiment, link: string): void {
    const { app } = this;
    const { snapshot, stopped, failure, records, known } = outcome;
    this.keep(known);
    this.#completed = stopped || failure !== undefined ? "" : link;
    const { runs } = header.spec;
    this.comparison.end(snapshot, header, records);
    const kept = snapshot.runs === 0 ? "no run was complete" : `${snapshot.runs} of ${runs} runs kept`;
    const end = (how: Running, words: string): void => {
      app.run.value = how;
      app.said.value = words;
    };
    if (failure !== undefined) {
      app.fail("run", `The experiment ended early: ${failure}.`);
      end("failed", `Failed: ${kept}.`);
    } else if (stopped) end("stopped", `Stopped: ${kept}.`);
    else end("finished", `Finished in ${duration(elapsed / 1000)}.${before > 0 ? ` ${percentOf(before)} had been computed before.` : ""}`);
    this.links.auto.ran(link, header, snapshot);
    for (const hearer of this.hearers) hearer.finished({ runs: snapshot.runs, stopped, conclusion: snapshot.conclusion });
    app.announce(`${app.status.value} ${snapshot.conclusion}`);
  }

  /** Keeps the records of jobs for the next runs. The records of earlier runs stay, too, unless together they are too large. */
  keep(more: Known): void {
    const all = new Map([...this.known, ...more]);
    const size = [...all.values()].reduce((sum, { size }) => sum + size, 0);
    this.known = size > mostBytes ? more : all;
  }

  /** Forgets what is known of an experiment, here and in the store, because it is not what the engine has computed. */
  async distrust(header: Header, stored: Stored | undefined): Promise<void> {
    const wrong = new Set(keysOf(header.spec));
    this.known = new Map([...this.known].filter(([key]) => !wrong.has(key)));
    await stored?.distrust(header);
  }

  // What is stored

  /** Opens the store, once. Undefined: nothing is stored here. */
  readonly storing = remembered(async () => {
    const stored = await this.store?.();
    stored?.tell(this.app, () => this.#forgotten());
    return (this.stored.value = stored);
  });

  /** Shows the stored runs of an experiment that was opened, unless its link has a receipt, which only a run can meet. */
  async recall({ header, link }: Checked): Promise<void> {
    const { app, links } = this;
    if (!this.store || links.auto.expects(link)) return;
    const runs = await this.comparison.recall(header, async (signal) => {
      const stored = await this.storing();
      return stored?.recall(header, signal).catch((error: unknown) => {
        if (!signal.aborted && !(error instanceof Refused)) app.fail("stored", `The runs kept in this browser could not be read: ${detailOf(error)}`);
        return undefined;
      });
    });
    if (!runs) return;
    this.keep(runs.known);
    links.auto.ran(link, header, runs.snapshot);
    const { spec } = header;
    const all = runs.snapshot.runs === spec.runs;
    if (all) this.#completed = link;
    app.said.value = `Kept in this browser: ${all ? runsWords(spec.runs) : `${runs.snapshot.runs} of ${runsWords(spec.runs)}`}.`;
    app.announce(app.said.value);
  }

  /** What was kept is not there any more. */
  #forgotten(): void {
    this.known = new Map();
    this.comparison.unrecall();
  }

  /** Forgets all that is stored in this browser, and what this page knows of it. */
  async forget(): Promise<void> {
    const { app } = this;
    this.#forgotten();
    app.fail("stored");
    try {
      await this.stored.value?.forget();
      app.announce("No runs are kept in this browser.");
    } catch (error) {
      app.fail("stored", `The runs kept in this browser could not be deleted: ${detailOf(error)}`);
    }
  }

  // Pauses

  pause(paused: boolean): void {
    this.#halted = paused;
    this.#hold();
  }

  /** Frees what a paused run holds, because nobody has seen the playground for a while. */
  rest(): void {
    this.experiment?.rest();
    rest();
  }

  /** Pauses a run that began by itself, and asks whether it may go on. */
  #askToGoOn(current: Experiment, budget: number): void {
    this.asking = true;
    this.#hold();
    const words = `This run has taken ${duration(current.elapsed / 1000)} and is ${percent(current)} done. It needs more than the ${duration(budget / workers(current.header.spec))} that a run may take that starts by itself, so it is paused. What it has computed is kept.`;
    const goOn = (): void => {
      this.asking = false;
      this.#hold();
    };
    this.app.notify("budget", words, "plain", { label: "Go on", act: goOn }, { label: "Stop", act: () => void this.stop() });
  }

  #hold(): void {
    const { experiment } = this;
    experiment?.pause(this.#paused);
    if (experiment && this.#paused && !this.app.stopping.value) untracked(() => (this.app.said.value = this.#progressed(experiment)));
  }

  get #paused(): boolean {
    return this.#halted || this.asking;
  }

  #progressed(current: Experiment): string {
    if (this.#paused) return `${percent(current)} · paused`;
    const { left, worked } = current;
    if (left === undefined || worked < 1000) return percent(current);
    return `${percent(current)} · about ${duration(left / 1000)} left`;
  }
}

const percentOf = (share: number): string => `${Math.floor(100 * share)}%`;
/** The share of all episodes whose records are there, including those that had been computed before. */
const whole = ({ before, share }: Experiment): number => before + (1 - before) * share;
const percent = (experiment: Experiment): string => percentOf(whole(experiment));

/** Whether an experiment takes, or will take, more than the budget in seconds of one worker. */
function spent({ elapsed, header, left, worked }: Experiment, budget: number): boolean {
  const whole = left === undefined || worked < 1000 * firstLook ? elapsed : elapsed + left;
  return (whole / 1000) * workers(header.spec) > budget;
}
