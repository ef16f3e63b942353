// What the chart compares: the main result, which is a run, a file or a preset's figure,
// and beside it the results that are kept. Each agent of a result is a line.

import { batch, computed, signal } from "@preact/signals-core";
import { mostBytes } from "../engine/record-store";
import type { Header, PresetEntry, Snapshot } from "../formats";
import { later } from "../lost";
import type { App } from "./app";
import { alike, titleOf } from "./differences";
import type { Foreign } from "./foreign";
import { hasFigure, loadFigure } from "./figures";
import { Latest } from "./latest";
import { parsed } from "./pairs";
import { nothing, ofSnapshot, precomputed, type Kept, type Result } from "./results";

const marks = [..."ABCD"];

/** How many results are kept to come back with their settings, unless their records are larger together than mostBytes. */
const most = 4;

export class Comparison {
  /** The precomputed figure of the preset. Null: someone has hidden it. */
  readonly figure = signal<Result | undefined | null>(undefined);
  readonly loading = signal(false);
  /** The current or last run, or the file. */
  readonly result = signal<Result | undefined>(undefined);
  readonly running = signal(false);
  readonly kept = signal<readonly Kept[]>([]);
  /** The files of other programs that are laid over the chart. */
  readonly foreign = signal<readonly Foreign[]>([]);
  /** The result of the settings: the last run or the file or, where the settings are the figure's, the figure. */
  readonly main = computed(() => {
    const [result, figure, spec] = [this.result.value, this.#own.value, this.app.spec.value];
    const over = result?.source === "run" && !this.running.value && !alike(result.spec, spec);
    return result && !(over && figure && alike(figure.spec, spec)) ? result : figure;
  });
  /** The results beside it: those that someone keeps and, if no other is kept or the settings are those of the precomputed figure, that figure. */
  readonly beside = computed<readonly Kept[]>(() => {
    const [main, figure, kept] = [this.main.value, this.figure.value, this.kept.value];
    const wanted = figure && (kept.every(({ result }) => result === main) || alike(figure.spec, this.app.spec.value));
    // A result with the figure's fingerprint has the same lines, so the figure is not drawn again.
    const near =
      wanted &&
      main?.spec.domain.name === figure.spec.domain.name &&
      ![main, ...kept.map(({ result }) => result)].some(({ fingerprint }) => fingerprint === figure.fingerprint);
    return [...kept.filter(({ result }) => result !== main), ...(near ? [{ mark: precomputed, result: figure }] : [])];
  });
  /** The figure, if it belongs to the domain that is shown. */
  readonly #own = computed(() => {
    const figure = this.figure.value;
    return figure?.spec.domain.name === this.app.spec.value.domain.name ? figure : undefined;
  });
  /** The result before the current run. It comes back if the run ends without a whole run. */
  #before: Result | undefined;
  /** The results that have been on the chart, the last one first. */
  #earlier: readonly Result[] = [];
  /** The requests to put a file, a run or a preset's figure on the chart. */
  readonly #wishes = new Latest();
  /** The requests for kept runs. */
  readonly #recalls = new Latest();

  constructor(private readonly app: App) {}

  get full(): boolean {
    return this.kept.value.length === marks.length;
  }

  /** The letter that the next kept result gets. Undefined: as many are kept as can be. */
  get next(): string | undefined {
    return marks.find((letter) => this.kept.value.every(({ mark }) => mark !== letter));
  }

  /** The letter of a result, if it is kept. */
  markOf(result: Result): string | undefined {
    return this.kept.value.find((kept) => kept.result === result)?.mark;
  }

  async open(preset: PresetEntry): Promise<void> {
    this.#wishes.next();
    this.unrecall();
    this.figure.value = undefined;
    this.app.dismiss("file");
    if (this.running.value) this.#before = undefined;
    else this.#restore();
    this.loading.value = hasFigure(preset);
    this.app.rest();
    const figure = await loadFigure(preset);
    if (this.app.preset.value !== preset) return;
    batch(() => {
      this.loading.value = false;
      if (this.figure.value === undefined) this.figure.value = figure;
    });
  }

  /** Shows the result that was computed with the present settings, or none. The one before may come back. */
  #restore(): void {
    const { value } = this.result;
    let size = 0;
    if (value)
      this.#earlier = [value, ...this.#earlier.filter((other) => other !== value)]
        .filter(({ records }) => (size += records?.size ?? 0) <= mostBytes)
        .slice(0, most);
    this.result.value = this.#earlier.find(({ spec }) => alike(spec, this.app.spec.value));
  }

  begin(header: Header): void {
    this.#wishes.next();
    const title = titleOf(header.spec, this.app.preset.value, this.app.checked.value?.problem.name);
    this.#before = this.result.value;
    batch(() => {
      this.running.value = true;
      this.result.value = nothing(header, { source: "run", ...title });
    });
  }

  update(snapshot: Snapshot, header: Header): void {
    if (this.running.value && this.result.value) this.result.value = ofSnapshot(snapshot, header, this.result.value);
  }

  /** Shows the end of the run. Without a whole run, the result before it comes back. */
  end(snapshot?: Snapshot, header?: Header, records?: Blob): void {
    const { value } = this.result;
    this.app.dismiss("busy");
    batch(() => {
      this.running.value = false;
      this.result.value = snapshot && header && value && snapshot.runs > 0 ? ofSnapshot(snapshot, header, value, records) : this.#before;
    });
    this.#before = undefined;
  }

  /**
   * Shows runs that were computed before the page was loaded, once they are there and nothing runs, unless there is a result by then or
   * another experiment was opened. Whatever else was asked for meanwhile has come to nothing, so it hinders nothing.
   */
  async recall<T extends { readonly snapshot: Snapshot; readonly records: Blob }>(
    header: Header,
    load: (signal: AbortSignal) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const signal = this.#recalls.next();
    if (!this.app.runs && this.result.value) return undefined;
    const runs = await load(signal);
    await this.app.ended(signal);
    if (!runs || signal.aborted || this.result.value) return undefined;
    const title = titleOf(header.spec, this.app.preset.value, this.app.checked.value?.problem.name);
    this.result.value = ofSnapshot(runs.snapshot, header, { source: "run", ...title }, runs.records);
    return runs;
  }

  /** Lets no kept runs be shown that were asked for. */
  unrecall(): void {
    this.#recalls.next();
  }

  /** Reads files: the records of one experiment, which may be in several, and results of other programs. */
  async read(files: readonly File[]): Promise<void> {
    if (this.running.value) {
      this.app.notify("busy", "Results cannot be opened while a run goes on. Open them once it has ended, or stop it.");
      return;
    }
    const signal = this.#wishes.next();
    const upload = await later(() => import("../parts/experiment/upload"));
    for (const piece of (await upload?.sorted(files)) ?? []) {
      const spec = this.main.value?.spec ?? this.app.spec.value;
      const result = await upload?.readResults(piece, this.app, spec, this.foreign.value, signal);
      if (!result) return;
      if ("labels" in result) this.foreign.value = [...this.foreign.value.filter(({ name }) => name !== result.name), result];
      else this.result.value = result;
    }
  }

  /** Takes the results of another program from the chart. */
  forget(gone: Foreign): void {
    this.foreign.value = this.foreign.value.filter((other) => other !== gone);
  }

  /** Keeps the main result, so that it stays beside the next one. */
  keep(): void {
    const main = this.main.value;
    const mark = this.next;
    if (!main || mark === undefined || this.markOf(main)) return;
    this.kept.value = [...this.kept.value, { mark, result: main }].sort((a, b) => a.mark.localeCompare(b.mark));
    this.app.announce(`Kept as ${mark}. The next run is drawn beside it.`);
  }

  /** Drops a kept result, or hides the figure. */
  remove(mark: string): void {
    if (mark === precomputed) this.figure.value = null;
    else
      batch(() => {
        this.kept.value = this.kept.value.filter((kept) => kept.mark !== mark);
        // The letter may be another result's next.
        if (this.app.view.value.pair?.some((ref) => parsed(ref).mark === mark)) this.app.look({ pair: undefined });
      });
  }
}
