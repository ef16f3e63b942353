// Sentences about results: where each comes from, how it differs from the settings, and captions.

import { rankOf, sampling, styleOf } from "../../agents";
import type { Spec } from "../../formats";
import { differences, listed } from "../../state/differences";
import { measureOf } from "../../state/measures";
import { leaks } from "../../state/spec";
import { type Curve, type Result, runsWords } from "../../state/results";

const fingerprintWords = ({ fingerprint }: Result): string => (fingerprint === undefined ? "" : `, fingerprint ${fingerprint.slice(0, 8)}`);

export function origin(result: Result): string {
  const { source, title, runs, engine } = result;
  const whose = source === "figure" ? `our own ${runsWords(runs)}` : runsWords(runs);
  return `${source === "figure" ? "" : `${title}: `}${whose}, engine ${engine}${fingerprintWords(result)}`;
}

/** How a result differs from the present spec. */
export function comparison(result: Result, current: Spec): string {
  const list = differences(result.spec, current);
  return list.length === 0 ? "The same settings." : `Computed with ${listed(list)}.`;
}

/** What the main result is, in relation to the settings and to the precomputed figure. Controls: whether there is a button Run. */
export function sourceWords(main: Result, current: Spec, running: boolean, controls: boolean, figure?: Result | null): string {
  if (main.source === "figure") {
    const changes = differences(main.spec, current);
    const words =
      changes.length > 0
        ? `Precomputed with ${listed(changes)}.`
        : `Precomputed: our own ${runsWords(main.runs)}, engine ${main.engine}${fingerprintWords(main)}.`;
    const press = changes.length === 0 ? "Press Run to compute them here." : "Press Run to compute yours.";
    return [words, controls ? press : ""].filter(Boolean).join(" ");
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
  return measureOf(measure).absent ?? "";
}
