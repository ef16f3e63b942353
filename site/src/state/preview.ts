// The watched run, played anew after an edit, before anyone presses Run: its film, and its curves as
// they grow. What an edit cannot change of this run stays as it is.

import { batch, computed, effect, type ReadonlySignal, signal, untracked } from "@preact/signals-core";
import { standardOf } from "../agents";
import { detailOf, send } from "../engine/engine";
import type { Experiment } from "../engine/experiment";
import { keysOf } from "../engine/jobs";
import { Stopwatch } from "../engine/stopwatch";
import type { Checked, Film, Spec } from "../formats";
import { later } from "../lost";
import type { App } from "./app";
import type { Comparison } from "./comparison";
import { alike } from "./differences";
import { nothing, ofSnapshot, type Result } from "./results";
import type { Runner } from "./run";

/** So many seconds of one worker are played without being asked. */
const budget = 2;

/** How often the progress is looked at, in milliseconds. */
const often = 250;

/** So many milliseconds without another edit pass before the run is played. */
const rest = 120;

/** One agent in one run of a spec. */
export interface Subject {
  readonly agent: string;
  readonly run: number;
  /** What its records depend on. */
  readonly key: string;
}

function subjectOf(spec: Spec, watched: { readonly agent?: string; readonly run?: number } = {}): Subject {
  const { agents, firstRun = 0, runs } = spec;
  const run = watched.run !== undefined && watched.run >= firstRun && watched.run < firstRun + runs ? watched.run : firstRun;
  const agent = watched.agent !== undefined && agents.includes(watched.agent) ? watched.agent : standardOf(agents);
  return { agent, run, key: keysOf({ ...spec, agents: [agent], firstRun: run, runs: 1 })[0]! };
}

/** The run from the first episode to this one, as an experiment of its own. */
const alone = (spec: Spec, { agent, run }: Subject, episodes: number): Spec => ({ ...spec, agents: [agent], firstRun: run, runs: 1, episodes });

export class Preview {
  /** The film of the run, as far as it has been drawn. Undefined: the preset's film shows the run. */
  readonly film = signal<(Film & { readonly key: string }) | undefined>(undefined);
  /** The curves of the run, as far as it has been played. */
  readonly result = signal<Result | undefined>(undefined);
  /** Why the run cannot be played. */
  readonly failure = signal("");
  /** If the whole run takes longer than the page may play unasked: the run's seconds, and the number of episodes that were played. */
  readonly asks = signal<{ readonly seconds: number; readonly episodes: number } | undefined>(undefined);
  /** The subject, if it differs from that of the preset. */
  readonly subject = computed(() => {
    const checked = this.app.checked.value;
    if (!checked || checked.header.spec !== this.app.spec.value) return undefined;
    const { watched } = this.app.view.value;
    const own = subjectOf(checked.header.spec, watched);
    return own.key === subjectOf(this.app.preset.value.spec, watched).key ? undefined : own;
  });
  /** The curves that the chart shows beside the results: none if the results are of the present settings. */
  readonly beside: ReadonlySignal<Result | undefined> = computed(() => {
    const { main, running } = this.comparison;
    const spec = this.app.spec.value;
    return running.value || (main.value && alike(main.value.spec, spec)) ? undefined : this.result.value;
  });
  #of = "";
  #pause: ReturnType<typeof setTimeout> | undefined;
  #end: AbortController | undefined;
  #experiment: Experiment | undefined;
  readonly #unfollow: () => void;

  constructor(
    private readonly app: App,
    private readonly comparison: Comparison,
    private readonly runner: Runner,
    /** Whether nobody sees the playground. */
    held: ReadonlySignal<boolean>,
  ) {
    this.#unfollow = effect(() => {
      const subject = this.subject.value;
      // A run that someone has pressed for needs the machine, and draws its own curves.
      const rests = held.value || comparison.running.value;
      untracked(() => (rests ? this.leave() : this.#follow(subject)));
    });
  }

  /** Plays the whole run, however long that takes. */
  press(): void {
    const subject = this.subject.peek();
    if (subject) this.#play(subject, true);
  }

  /** Ends what is computed. It begins anew when the run is followed again. */
  leave(): void {
    this.#stop();
    this.#of = "";
  }

  /** Ends what is computed, for good: a run that ends afterwards lets nothing begin. */
  end(): void {
    this.#unfollow();
    this.leave();
  }

  #follow(subject: Subject | undefined): void {
    if (subject?.key === this.#of) return;
    this.#stop();
    this.#of = subject?.key ?? "";
    if (subject) this.#pause = setTimeout(() => this.#play(subject, false), rest);
    else
      batch(() => {
        this.film.value = this.result.value = this.asks.value = undefined;
        this.failure.value = "";
      });
  }

  #stop(): void {
    clearTimeout(this.#pause);
    this.#end?.abort();
    this.#end = undefined;
    this.#experiment?.stop();
    this.#experiment = undefined;
  }

  #play(subject: Subject, pressed: boolean): void {
    this.#stop();
    const checked = this.app.checked.peek()!;
    const { spec } = checked.header;
    const each = checked.cost.episodes[spec.agents.indexOf(subject.agent)] ?? 0;
    const within = Math.max(1, Math.floor(budget / (each || Number.MIN_VALUE)));
    const episodes = pressed ? spec.episodes : Math.min(spec.episodes, within);
    const end = (this.#end = new AbortController());
    batch(() => {
      this.result.value = undefined;
      this.failure.value = "";
      this.asks.value = episodes < spec.episodes ? { seconds: each * spec.episodes, episodes } : undefined;
    });
    if (each > budget && !pressed) {
      this.asks.value = { seconds: each * spec.episodes, episodes: 0 };
      return;
    }
    const drawn = this.film.peek();
    if (drawn?.key !== subject.key || drawn.frames.at(-1)?.episode !== episodes) void this.#draw(subject, spec, episodes, end.signal);
    void this.#run(subject, checked, episodes, pressed, end);
  }

  /** Draws the film. */
  async #draw({ agent, run, key }: Subject, spec: Spec, last: number, signal: AbortSignal): Promise<void> {
    let film: (Film & { readonly key: string }) | undefined;
    const take = (piece: Film): void => {
      if (signal.aborted) return;
      film = film ? { ...piece, key, marks: [...film.marks, ...piece.marks], frames: [...film.frames, ...piece.frames] } : { ...piece, key };
      this.film.value = film;
    };
    try {
      await send(`/v1/film?run=${run}&agent=${encodeURIComponent(agent)}&last=${last}`, JSON.stringify(spec), "json", take, signal);
    } catch (error) {
      if (!signal.aborted) this.failure.value = detailOf(error);
    }
  }

  /** Plays the run for its curves. Its records need not be computed again for Run. */
  async #run(subject: Subject, checked: Checked, episodes: number, pressed: boolean, end: AbortController): Promise<void> {
    const { header } = checked;
    const made = await later(() => import("../engine/experiment"));
    if (!made || end.signal.aborted) return;
    const own = { ...header, spec: alone(header.spec, subject, episodes) };
    const empty = nothing(own, { source: "run", name: "preview", title: "" });
    const experiment: Experiment = new made.Experiment(own, this.runner.known, {
      progress: () => {},
      snapshot: (snapshot) => {
        if (!end.signal.aborted) this.result.value = ofSnapshot(snapshot, own, empty);
      },
    });
    this.#experiment = experiment;
    const watch = new Stopwatch();
    // By its own progress, too, it may not take much longer than it was estimated to.
    const timer = setInterval(() => {
      const seconds = watch.elapsed / 1000;
      if (pressed || seconds < 2 * budget || experiment.share > seconds / (seconds + budget)) return;
      const whole = (seconds / Math.max(experiment.share, 1e-3)) * (header.spec.episodes / episodes);
      end.abort();
      experiment.stop();
      this.asks.value = { seconds: whole, episodes: Math.floor(experiment.share * episodes) };
    }, often);
    end.signal.addEventListener("abort", () => clearInterval(timer));
    try {
      const { snapshot, known } = await experiment.outcome;
      if (end.signal.aborted) return;
      this.result.value = ofSnapshot(snapshot, own, empty);
      if (episodes === header.spec.episodes) this.runner.keep(known);
    } catch (error) {
      if (!end.signal.aborted) this.failure.value = detailOf(error);
    } finally {
      clearInterval(timer);
      if (this.#experiment === experiment) this.#experiment = undefined;
    }
  }
}
