// Running what is shown: its progress, its pauses and its end.

import { untracked } from "@preact/signals-core";
import { calm } from "../calm";
import { detailOf } from "../engine/engine";
import type { Experiment, Outcome } from "../engine/experiment";
import type { Known } from "../engine/jobs";
import { mostBytes } from "../engine/keeper";
import { workers } from "../engine/pool";
import { later } from "../lost";
import { duration, type Links } from "./links";
import type { App, Phase } from "./app";
import type { Comparison } from "./comparison";
import { Latest } from "./latest";

/** What runs by itself is judged by its own progress, once there is some; in milliseconds. */
const firstLook = 4000;

/** What hears of a run beside the page: an embed. */
export interface Hearer {
  progress(done: number, total: number): void;
  finished(outcome: Outcome): void;
}

export class Runner {
  experiment: Experiment | undefined;
  /** Whether the experiment may compute no further: the embed's host or its place says so, or its reader is being asked. */
  halted = false;
  asking = false;
  /** What need not be computed again. */
  #known: Known = new Map();
  /** The link of the run that was whole: to ask for the same again is to have all of it computed anew. */
  #whole = "";
  /** The runs asked for, and the stops before they began. */
  readonly #attempts = new Latest();
  #ending: Promise<void> = Promise.resolve();

  constructor(
    private readonly app: App,
    private readonly comparison: Comparison,
    private readonly links: Links,
    private readonly hearers: Iterable<Hearer>,
  ) {}

  /** Runs what is shown: for a person anything, by itself only what is cheap. False: a person's wish was refused. */
  async begin(person: boolean): Promise<boolean> {
    let refused = false;
    if (!this.experiment) {
      const run = this.#run(person).then((begun) => void (refused = person && !begun));
      this.#ending = run;
      await run;
    }
    return !refused;
  }

  /** Resolves when nothing runs any more. */
  stop(): Promise<void> {
    const { app } = this;
    if (app.phase.value !== "running") return this.#ending;
    if (this.experiment) this.experiment.stop();
    else {
      this.#attempts.next();
      app.phase.value = "stopped";
      app.status.value = "Stopped: no run was complete.";
    }
    return this.#ending;
  }

  async #run(person: boolean): Promise<boolean> {
    const { app, comparison } = this;
    app.phase.value = "running";
    app.status.value = "Starting…";
    app.progress.value = 0;
    const attempt = this.#attempts.next();
    const checked = await app.check();
    if (attempt.aborted) return true; // stopped before it began
    const starts = checked && (person || checked.cost.autorun);
    const made = starts ? await later(() => import("../engine/experiment")) : undefined;
    if (attempt.aborted) return true;
    if (!starts || !made) {
      app.phase.value = comparison.result.value ? "finished" : "ready";
      app.status.value = "Not started.";
      return checked !== undefined;
    }
    const { spec } = checked.header;
    let tenth = 0;
    let told = -Infinity;
    app.announce(`Started: ${spec.agents.length} agents, ${spec.runs} runs of ${spec.episodes} episodes.`);
    const anew = checked.link === this.#whole || this.links.expects(checked.link);
    const current: Experiment = new made.Experiment(checked.header, anew ? new Map() : this.#known, {
      progress: (done, total) => {
        const share = done / total;
        for (const hearer of this.hearers) hearer.progress(done, total);
        const now = performance.now();
        if (now - told > (calm.matches ? 1000 : 250) || share === 1) {
          told = now;
          app.progress.value = share;
          app.status.value = this.#progressed(current);
        }
        if (Math.floor(10 * share) > tenth && share < 1) {
          tenth = Math.floor(10 * share);
          app.announce(`${10 * tenth}%`);
        }
      },
      snapshot: (snapshot) => comparison.update(snapshot, checked.header),
    });
    this.experiment = current;
    this.#hold();
    const { budget } = checked.cost;
    const timer = setInterval(() => {
      if (person || !spent(current, budget)) return;
      clearInterval(timer);
      this.#askToGoOn(current, budget);
    }, 500);
    comparison.begin(checked.header);
    app.dismiss("cost"); // it has started
    try {
      this.#finish(await current.outcome, current, checked.link);
    } catch (error) {
      comparison.end();
      app.phase.value = "failed";
      app.failure.value = detailOf(error);
      app.status.value = "Failed.";
    } finally {
      this.experiment = undefined;
      clearInterval(timer);
      app.dismiss("budget");
      this.asking = false;
    }
    return true;
  }

  #finish(outcome: Outcome, { header, elapsed, before }: Experiment, link: string): void {
    const { app } = this;
    const { snapshot, stopped, failure, records, known } = outcome;
    this.#know(known);
    this.#whole = stopped || failure !== undefined ? "" : link;
    const { runs } = header.spec;
    this.comparison.end(snapshot, header, records);
    const kept = snapshot.runs === 0 ? "no run was complete" : `${snapshot.runs} of ${runs} runs kept`;
    const end = (phase: Phase, words: string): void => {
      app.phase.value = phase;
      app.status.value = words;
    };
    if (failure !== undefined) {
      app.failure.value = `The experiment ended early: ${failure}.`;
      end("failed", `Failed: ${kept}.`);
    } else if (stopped) end("stopped", `Stopped: ${kept}.`);
    else end("finished", `Finished in ${duration(elapsed / 1000)}.${before > 0 ? ` ${percentOf(before)} was there already.` : ""}`);
    this.links.ran(link, header, snapshot);
    for (const hearer of this.hearers) hearer.finished(outcome);
    app.announce(`${app.status.value} ${snapshot.conclusion}`);
  }

  /** Keeps the records of jobs for the next runs, beside those of earlier runs if these are not too much. */
  #know(more: Known): void {
    const all = new Map([...this.#known, ...more]);
    const size = [...all.values()].reduce((sum, { size }) => sum + size, 0);
    this.#known = size > mostBytes ? more : all;
  }

  // Pauses

  /** Computes no further, or goes on. */
  pause(paused: boolean): void {
    this.halted = paused;
    this.#hold();
  }

  /** Pauses what began by itself, and asks once whether it may go on. */
  #askToGoOn(current: Experiment, budget: number): void {
    this.asking = true;
    this.#hold();
    const words = `This has taken ${duration(current.elapsed / 1000)} and is ${percent(current)} done: it takes more than the ${duration(budget / workers(current.header.spec))} that may pass by itself. It is paused, and what it has is kept.`;
    const goOn = (): void => {
      this.asking = false;
      this.#hold();
    };
    this.app.notify("budget", words, "plain", { label: "Go on", act: goOn }, { label: "Stop", act: () => void this.stop() });
  }

  #hold(): void {
    const { experiment, halted, asking } = this;
    experiment?.pause(halted || asking);
    if (experiment && (halted || asking)) untracked(() => (this.app.status.value = this.#progressed(experiment)));
  }

  #progressed(current: Experiment): string {
    const { elapsed, share } = current;
    if (this.halted || this.asking) return `${percent(current)} · paused`;
    if (share === 0 || elapsed < 1000) return percent(current);
    return `${percent(current)} · about ${duration(((1 - share) / share) * (elapsed / 1000))} left`;
  }
}

const percentOf = (share: number): string => `${Math.floor(100 * share)}%`;
const percent = ({ share }: Experiment): string => percentOf(share);

/** Whether an experiment takes or will take more than the budget, in seconds of one worker. */
function spent({ elapsed, header, share }: Experiment, budget: number): boolean {
  const worked = (elapsed / 1000) * workers(header.spec);
  return elapsed > firstLook && worked / (share || 1) > budget;
}
