// The spread of the runs: medians with quantiles, a line for each run, or a dot for each run,
// instead of means with intervals. The engine reads them from the records. Loaded when one of
// them is first wanted.

import { computed, effect, type ReadonlySignal } from "@preact/signals-core";
import { html, nothing, render } from "lit-html";
import { make } from "../../dom";
import type { Spread } from "../../formats";
import type { Playground } from "../../state/playground";
import { Asked, type Said } from "../../state/asked";
import { type Curve, numberFormat, numbers, type Result, runsWords } from "../../state/results";
import { played } from "../../state/view";
import type { Dotted, Line } from "./chart";
import { dotted } from "./dots";
import { captionOf } from "./words";

export type Spreading = ReturnType<typeof spreading>;

/** Why single runs of a result cannot be shown; "" if they can. */
function absentWords(result: Result, running: boolean): string {
  if (running) return "Single runs are shown when all have ended.";
  if (result.source === "figure") return "The precomputed figure holds means only. Its runs must be computed here first.";
  return result.records ? "" : "The records are too large to keep in a page, so single runs cannot be shown. The command can: cpsrl plot -band runs.";
}

type Drawn = ReturnType<typeof drawnOf>;

/** A spread, with its medians and its runs as the chart draws them. */
function drawnOf(spread: Spread) {
  const { measure } = spread;
  const medians = spread.quantiles.map(({ agent, median, q25, q75, least, most }) => ({
    agent,
    measure,
    episodes: Float64Array.from(median, (_, k) => k + 1),
    mean: numbers(median),
    lo: numbers(q25),
    hi: numbers(q75),
    least: numbers(least),
    most: numbers(most),
  }));
  const lines = spread.lines.map(({ agent, run, values }) => {
    const mean = numbers(values);
    const none = new Float64Array(mean.length).fill(NaN);
    const episodes = Float64Array.from(spread.episodes.slice(0, mean.length));
    return { curve: { agent, measure, episodes, mean, lo: none, hi: none }, mark: "", run };
  });
  return { spread, medians, lines };
}

/** Prepares the spread of the runs. While the chart cannot show what the menu asks for, a sentence after the toolbar says why. */
export function spreading(
  playground: Playground,
  main: { readonly value: Result | undefined },
  measure: ReadonlySignal<string>,
  paired: { readonly value: boolean },
  toolbar: HTMLElement,
) {
  const { app, comparison, runner } = playground;
  const box = make("p", { className: "source", id: "band-words", hidden: true });
  toolbar.after(box);

  const spreads = new Asked<Drawn>();
  const of = (result: Result, key: string): Said<Drawn> => {
    const { records } = result;
    return records ? spreads.of(result, key, () => ({ path: `/v1/spread?of=${key}`, body: new Blob([records]), made: (line) => drawnOf(line as Spread) })) : {};
  };

  const asked = computed(() => (paired.value ? undefined : app.view.value.band));
  /** What the main result is shown as. Undefined: as means with intervals. */
  const shown = computed(() => (asked.value && main.value && of(main.value, measure.value).answer ? asked.value : undefined));

  /** The curves that replace the means of a result, if any do. */
  const curves = (result: Result): readonly Curve[] | undefined => (asked.value === "quantiles" ? of(result, measure.value).answer?.medians : undefined);

  /** The lines of the chart, with the lines of the runs. */
  const dress = (lines: readonly Line[], hidden: ReadonlySet<string>): readonly Line[] => {
    const { answer } = shown.value === "runs" ? of(main.value!, measure.value) : {};
    if (!answer) return lines;
    return [...answer.lines.filter(({ curve }) => !hidden.has(curve.agent)), ...lines.map((line) => ({ ...line, bare: true }))];
  };

  /** The dots of the runs, if these are shown. */
  const dots = (hidden: ReadonlySet<string>): Dotted | undefined => {
    const kind = shown.value;
    if (kind !== "final" && kind !== "learned") return undefined;
    const list = [{ mark: "", result: main.value! }, ...comparison.beside.value].flatMap(({ mark, result }) => {
      const { answer } = of(result, measure.value);
      return answer ? [{ mark, result, spread: answer.spread }] : [];
    });
    return dotted(kind, list, hidden, numberFormat(list.flatMap(({ result }) => result.curves.filter((curve) => curve.measure === measure.value))));
  };

  /** The caption of the main result. Undefined: it is shown as means with intervals. */
  const caption = (count: number): string | undefined => {
    const [kind, result] = [shown.value, main.value];
    const { answer } = kind && result ? of(result, measure.value) : {};
    if (!kind || !result || !answer) return undefined;
    const n = `n\u00a0=\u00a0${result.runs}`;
    if (kind === "learned") return `Episodes until an agent has learned: each dot is one of ${n} runs, bars are medians. ${answer.spread.learning}`;
    const words = {
      quantiles: `Median over ${n} runs; dark bands hold their middle half, from the 25% to the 75% quantile (linear interpolation), pale ones their whole range.`,
      runs: `Each thin line is one of ${n} runs; heavy lines are their means.`,
      final: `Each dot is one of ${n} runs after its last episode; bars are medians.`,
    };
    return captionOf(result, measure.value, count, false, words[kind as keyof typeof words]);
  };

  const same = computed(() => main.value !== undefined && played(main.value.spec) === played(app.spec.value));
  /** Whether the stage would show the same run as the main result. */
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
    const { answer, failure } = of(result, measure.value);
    const spread = answer?.spread;
    const absent = absentWords(result, running);
    const still = "The chart shows means with 95% intervals.";
    const behind = band === "quantiles" && comparison.beside.value.some(({ result }) => !result.records) ? " Thin lines of precomputed figures are means." : "";
    const drawn = spread && band === "runs" && spread.drawn < spread.runs ? spread.drawn : dots(new Set())?.few;
    const few = spread && drawn !== undefined ? ` The chart shows the first ${drawn} of ${runsWords(spread.runs)} of each agent.` : "";
    const changed = band !== "quantiles" && !same.value ? " The settings have changed since: Run again to watch one of the runs." : "";
    const words = paired.value
      ? "A difference is shown as its mean with a 95% interval."
      : absent
        ? `${absent} ${still}`
        : (failure ?? (spread ? `${few}${changed}${behind}`.trim() : `Reading the runs… ${still}`));
    box.hidden = words === "";
    const run = html`<button type="button" @click=${() => void runner.begin(true)}>Run them here</button>`;
    render(html`${words} ${!paired.value && result.source === "figure" && !running ? run : nothing}`, box);
  });

  return { curves, dress, dots, caption, watchable };
}
