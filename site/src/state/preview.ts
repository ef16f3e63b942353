// The watched run, played anew after an edit, before anyone presses Run: its film, and its curves as
// they grow. What an edit cannot change of this run stays as it is.

import { batch, computed, effect, type ReadonlySignal, signal, untracked } from "@preact/signals-core";
import { standardOf } from "../agents";
import { keysOf } from "../engine/jobs";
import type { Spec } from "../formats";
import { later } from "../lost";
import type { App } from "./app";
import type { Comparison } from "./comparison";
import { alike } from "./differences";
import type { How, Player, Subject } from "./replay";
import type { Result } from "./results";
import type { Runner } from "./run";

/** So many milliseconds without another edit pass before the run is played. */
const rest = 120;

function subjectOf(spec: Spec, watched: { readonly agent?: string; readonly run?: number } = {}): Subject {
  const { agents, firstRun = 0, runs } = spec;
  const run = watched.run !== undefined && watched.run >= firstRun && watched.run < firstRun + runs ? watched.run : firstRun;
  const agent = watched.agent !== undefined && agents.includes(watched.agent) ? watched.agent : standardOf(agents);
  return { agent, run, key: keysOf({ ...spec, agents: [agent], firstRun: run, runs: 1 })[0]! };
}

export class Preview implements Player {
  readonly film: Player["film"] = signal(undefined);
  readonly result: Player["result"] = signal(undefined);
  readonly failure = signal("");
  readonly asks: Player["asks"] = signal(undefined);
  readonly none = signal("");
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
  /** Whether there is no film of the subject, and none is on its way. */
  readonly bare = computed(() => {
    const key = this.subject.value?.key;
    return key !== undefined && key === this.none.value && key !== this.film.value?.key;
  });
  #of = "";
  #pause: ReturnType<typeof setTimeout> | undefined;
  #end: AbortController | undefined;
  readonly #unfollow: () => void;

  constructor(
    readonly app: App,
    private readonly comparison: Comparison,
    readonly runner: Runner,
    sweep: ReadonlySignal<{ readonly running: ReadonlySignal<boolean> } | undefined>,
    /** Whether nobody sees the playground. */
    held: ReadonlySignal<boolean>,
  ) {
    this.#unfollow = effect(() => {
      const subject = this.subject.value;
      // A run or a sweep that someone has pressed for needs the machine, and a run draws its own curves.
      const running = comparison.running.value || sweep.value?.running.value === true;
      const seen = !held.value;
      untracked(() => {
        if (seen && !running) {
          this.#follow(subject);
          return;
        }
        this.leave();
        if (!seen || (subject && subject.key === this.film.peek()?.key)) return;
        this.#quiet();
        if (subject) this.#play(subject, "glimpse");
      });
    });
  }

  #play(subject: Subject, how: How): void {
    this.#stop();
    const end = (this.#end = new AbortController());
    void later(() => import("./replay")).then((made) => end.signal.aborted || made?.replay(this, subject, how, end));
  }

  /** Says nothing about a run. */
  #quiet(): void {
    batch(() => {
      this.asks.value = undefined;
      this.failure.value = "";
    });
  }

  /** Plays the whole run, however long that takes. */
  press(): void {
    const subject = this.subject.peek();
    if (subject) this.#play(subject, "whole");
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
    this.result.value = undefined; // the words are about this run from now on, and so are the curves
    this.#quiet();
    if (subject) this.#pause = setTimeout(() => this.#play(subject, "unasked"), rest);
    else this.film.value = undefined;
  }

  #stop(): void {
    clearTimeout(this.#pause);
    this.#end?.abort();
    this.#end = undefined;
  }
}
