// How the runs are spread: medians with quantiles, each run's line, or a dot for each run,
// in the place of means with intervals. The engine reads them off the records. Loaded when first wanted.

import { computed, effect, type ReadonlySignal } from "@preact/signals-core";
import { html, nothing, render } from "lit-html";
import { make } from "../../dom";
import type { MeasureKey, Spread, View } from "../../formats";
import type { Playground } from "../../mount";
import { Asked, type Said } from "../../state/asked";
import { type Curve, numberFormat, type Result, runsWords } from "../../state/results";
import { played } from "../../state/view";
import type { Dotted, Line } from "./chart";
import { dotted } from "./dots";
import { captionOf } from "./words";

export interface Spreading {
  /** The spread of a result, which is asked for if there are records of it. */
  of(result: Result, measure: MeasureKey): Said<Spread>;
  /** The curves of a result that take the place of its means, if any do. */
  curves(result: Result): readonly Curve[] | undefined;
  /** The lines of the chart with those of the runs. */
  dress(lines: readonly Line[], hidden: ReadonlySet<string>): readonly Line[];
  /** The dots of the runs, if these are shown. */
  dots(hidden: ReadonlySet<string>): Dotted | undefined;
  /** The caption of what is shown of the main result, if that is not means with intervals. */
  caption(curves: number): string | undefined;
  /** What the main result is shown as: undefined where its means with intervals are. */
  readonly shown: ReadonlySignal<View["band"]>;
  /** Whether the runs of the main result are those that the stage would show. */
  watchable(run: number): boolean;
}

const listsOf = (list: readonly (number | null)[]): Float64Array => Float64Array.from(list, (x) => x ?? NaN);

/** Why a result has no runs to show, if it has none; the caller ends the sentence where it may be run. */
export function absentWords(result: Result, running: boolean): string {
  if (running) return "Single runs are shown when all have ended.";
  if (result.source === "figure") return "The precomputed figure holds means only. Its runs must be computed here first.";
  return result.records ? "" : "The records are too large to keep in a page, so single runs cannot be shown. The command can: cpsrl plot -band runs.";
}

/** Offers to compute the runs here. */
export const compute = ({ runner }: Playground) => html`<button type="button" class="compute" @click=${() => void runner.begin(true)}>Run them here</button>`;

/** Says after the toolbar what is shown, and why not what is asked for. */
export function spreading(
  playground: Playground,
  main: { readonly value: Result | undefined },
  measure: ReadonlySignal<MeasureKey>,
  paired: { readonly value: boolean },
  toolbar: HTMLElement,
): Spreading {
  const { app, comparison } = playground;
  const box = make("p", { className: "source", id: "band-words", hidden: true });
  toolbar.after(box);

  const spreads = new Asked<Spread>();
  const of = (result: Result, key: MeasureKey): Said<Spread> => {
    const { records } = result;
    return records ? spreads.of(result, key, () => ({ path: `/v1/spread?of=${key}`, body: new Blob([records]), made: (line) => line as Spread })) : {};
  };

  const asked = computed(() => (paired.value ? undefined : app.view.value.band));
  const shown = computed(() => (asked.value && main.value && of(main.value, measure.value).answer ? asked.value : undefined));

  const medians = new WeakMap<Spread, readonly Curve[]>();
  const curves = (result: Result): readonly Curve[] | undefined => {
    const { answer: spread } = asked.value === "quantiles" ? of(result, measure.value) : {};
    if (!spread) return undefined;
    const made =
      medians.get(spread) ??
      spread.quantiles.map(({ agent, median, q25, q75, least, most }) => ({
        agent,
        measure: spread.measure as MeasureKey,
        episodes: Float64Array.from(median, (_, k) => k + 1),
        mean: listsOf(median),
        lo: listsOf(q25),
        hi: listsOf(q75),
        least: listsOf(least),
        most: listsOf(most),
      }));
    medians.set(spread, made);
    return made;
  };

  const runs = new WeakMap<Spread, readonly Line[]>();
  const dress = (lines: readonly Line[], hidden: ReadonlySet<string>): readonly Line[] => {
    const { answer: spread } = shown.value === "runs" ? of(main.value!, measure.value) : {};
    if (!spread) return lines;
    const made =
      runs.get(spread) ??
      spread.lines.map(({ agent, run, values }) => {
        const mean = listsOf(values);
        const none = new Float64Array(mean.length).fill(NaN);
        const episodes = Float64Array.from(spread.episodes.slice(0, mean.length));
        return { curve: { agent, measure: spread.measure as MeasureKey, episodes, mean, lo: none, hi: none }, mark: "", run };
      });
    runs.set(spread, made);
    return [...made.filter(({ curve }) => !hidden.has(curve.agent)), ...lines.map((line) => ({ ...line, bare: true }))];
  };

  const dots = (hidden: ReadonlySet<string>): Dotted | undefined => {
    const kind = shown.value;
    if (kind !== "final" && kind !== "learned") return undefined;
    const list = [{ mark: "", result: main.value! }, ...comparison.ghosts.value].flatMap(({ mark, result }) => {
      const { answer } = of(result, measure.value);
      return answer ? [{ mark, result, spread: answer }] : [];
    });
    return dotted(kind, list, hidden, numberFormat(list.flatMap(({ result }) => result.curves.filter((curve) => curve.measure === measure.value))));
  };

  const caption = (count: number): string | undefined => {
    const [kind, result] = [shown.value, main.value];
    const { answer } = kind && result ? of(result, measure.value) : {};
    if (!kind || !result || !answer) return undefined;
    const n = `n\u00a0=\u00a0${result.runs}`;
    if (kind === "learned") return `Episodes until an agent has learned: each dot is one of ${n} runs, bars are medians. ${answer.learning}`;
    const words = {
      quantiles: `Median over ${n} runs; dark bands hold their middle half, from the 25% to the 75% quantile (linear interpolation), pale ones their whole range.`,
      runs: `Each thin line is one of ${n} runs; heavy lines are their means.`,
      final: `Each dot is one of ${n} runs after its last episode; bars are medians.`,
    };
    return captionOf(result, measure.value, count, false, words[kind as keyof typeof words]);
  };

  const same = computed(() => main.value !== undefined && played(main.value.spec) === played(app.spec.value));
  const watchable = (run: number): boolean => {
    const { firstRun = 0, runs } = app.spec.value;
    return same.value && run >= firstRun && run < firstRun + runs;
  };

  effect(() => {
    const band = app.view.value.band;
    const result = main.value;
    box.hidden = !band || !result || result.curves.length === 0;
    if (box.hidden || !result) return;
    const running = comparison.running.value;
    const { answer: spread, failure } = of(result, measure.value);
    const absent = absentWords(result, running);
    const still = "Shown are means with 95% intervals.";
    const behind =
      band === "quantiles" && comparison.ghosts.value.some((ghost) => !ghost.result.records) ? " Thin lines of precomputed figures are means." : "";
    const drawn = spread && band === "runs" && spread.drawn < spread.runs ? spread.drawn : dots(new Set())?.few;
    const few = spread && drawn !== undefined ? ` Drawn are the first ${drawn} of ${runsWords(spread.runs)} of each agent.` : "";
    const changed = band !== "quantiles" && !same.value ? " The settings have changed since: Run again to watch one of the runs." : "";
    const words = paired.value
      ? "A difference is shown as its mean with a 95% interval."
      : absent
        ? `${absent} ${still}`
        : (failure ?? (spread ? `${few}${changed}${behind}`.trim() : `Reading the runs… ${still}`));
    box.hidden = words === "";
    render(html`${words} ${!paired.value && result.source === "figure" && !running ? compute(playground) : nothing}`, box);
  });

  return { of, curves, dress, dots, caption, shown, watchable };
}
