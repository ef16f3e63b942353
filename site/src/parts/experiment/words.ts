// Sentences about results: where each comes from, how it differs from the settings, and captions.

import { rankOf, sampling, styleOf } from "../../agents";
import type { Spec } from "../../formats";
import { differences, listed } from "../../state/differences";
import { measureOf, usual } from "../../state/measures";
import { leaks } from "../../state/spec";
import { byMeasure, type Curve, type Result, runsWords } from "../../state/results";

export const fingerprintWords = ({ fingerprint }: Result): string => (fingerprint === undefined ? "" : `, fingerprint ${fingerprint.slice(0, 8)}`);

/** What an agent has paid in the end, or so far; where there is no regret, what it has collected. Undefined: nothing yet. */
export function paid(result: Result, agent: string): { readonly episode: number; readonly mean: number; readonly lo: number; readonly hi: number } | undefined {
  const curve = byMeasure(result.curves, usual(result).key).find((one) => one.agent === agent);
  const last = (curve?.mean.length ?? 0) - 1;
  return curve && last >= 0 ? { episode: curve.episodes[last]!, mean: curve.mean[last]!, lo: curve.lo[last]!, hi: curve.hi[last]! } : undefined;
}

const digits = new Intl.NumberFormat("en", { maximumSignificantDigits: 3, useGrouping: false });

/** A regret with three digits. */
export const short = (y: number): string => digits.format(y).replace("-", "−");

/** What agents do with the numbers of paid. */
export const verbOf = ({ regret }: Result): string => (regret === undefined ? "pays" : "collects");

/** What each agent of a result has paid, such as "C-PSRL pays 41, PSRL 190 (20 runs)."; "" if there is nothing yet. */
export function costs(result: Result): string {
  const list = result.spec.agents.flatMap((agent) => {
    const end = paid(result, agent);
    return end ? [`${styleOf(agent).name} ${short(end.mean)}`] : [];
  });
  return list.length === 0 ? "" : `${list.join(", ").replace(/ (?=\S+($|,))/, ` ${verbOf(result)} `)} (${runsWords(result.runs)}).`;
}

/** What the main result is, in relation to the settings and to the precomputed figure. */
export function sourceWords(main: Result, current: Spec, running: boolean, figure?: Result | null): string {
  if (main.source === "figure") {
    const changes = differences(main.spec, current);
    return changes.length > 0
      ? `Precomputed with ${listed(changes)}.`
      : `Precomputed: our own ${runsWords(main.runs)}, engine ${main.engine}${fingerprintWords(main)}.`;
  }
  if (running) {
    const list = differences(main.spec, current);
    return list.length === 0 ? "" : `This run goes on as it began, with ${listed(list)}.`;
  }
  const changes = differences(current, main.spec);
  const same = figure && main.fingerprint === figure.fingerprint ? `The same as the precomputed ${runsWords(figure.runs)}, bit for bit.` : "";
  const from = main.source === "file" ? "From a file." : "";
  const since = changes.length === 0 ? "" : `The settings have ${from ? "" : "changed since: "}${listed(changes)}.`;
  return [from, same, since].filter(Boolean).join(" ");
}

export function columnTitle({ source, runs }: Result, running: boolean): string {
  if (source === "figure") return `Our ${runsWords(runs)}`;
  if (source === "file") return `File, ${runsWords(runs)}`;
  return running && runs === 0 ? "First run" : runsWords(runs);
}

/** The caption of a chart with so many curves of a result. Shown: a sentence about the runs, if the chart does not show their mean with an interval. */
export function captionOf({ runs, spec }: Result, measure: string, curves: number, paired: boolean, shown?: string): string {
  const { noun, caption, absent = "" } = measureOf(measure);
  const interval =
    runs === 0
      ? "The first run, as it is computed."
      : runs === 1
        ? "One run: no interval yet."
        : (shown ?? `Mean over n\u00a0=\u00a0${runs} runs; bands are 95% confidence intervals, Student’s t across runs.`);
  const missing = !paired && curves < spec.agents.length ? absent : "";
  const what = paired ? `Difference of two agents in each run, which met the same true model. ${noun}: ${caption}.` : `${noun}: ${caption}.`;
  const leak = leaks(spec) ? "Known rewards depend on the true parents, so they tell about the graph." : "";
  return [what, interval, missing, leak].filter(Boolean).join(" ");
}

/** A question that these curves of regret raise: why the agent that knows the whole graph pays more. "" if it pays least. */
export function question(curves: readonly Curve[]): string {
  const of = new Map(curves.map((curve) => [curve.agent, curve]));
  const agents = sampling([...of.keys()]);
  const [some = "", all = ""] = [agents[0], agents.at(-1)];
  const [{ name }, whole] = [styleOf(some), styleOf(all)];
  const end = (label: string): number => of.get(label)?.mean.at(-1) ?? NaN;
  return rankOf(all) > rankOf(some) && end(some) < end(all) ? `Why can ${name} pay less than ${whole.name}, which ${whole.gloss}?` : "";
}

/** What the page says instead of a chart without curves. */
export function emptyWords(main: Result | undefined, measure: string, running: boolean, controls: boolean): string {
  if (running && main?.curves.length === 0) return "The first episodes are on their way.";
  if (!main) return `${controls ? "Press Run: the" : "The"} curves grow here as they are computed.`;
  if (measure === "model-error" && main.modelError) return `Model error: ${main.modelError}.`;
  if (measureOf(measure).solved && main.regret) return `${measureOf(measure).noun}: ${main.regret}.`;
  return measureOf(measure).absent ?? "";
}
