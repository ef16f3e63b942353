// What a kept result and the main one differ in, in one sentence: which of two lines pays more, run by
// run, or what each pays if one of them has no records. Loaded when there is a result to compare.

import { computed, type ReadonlySignal } from "@preact/signals-core";
import { sampling, styleOf } from "../../agents";
import type { Series } from "../../formats";
import { apart, sameLine } from "../../state/arms";
import { Asked } from "../../state/asked";
import { measures } from "../../state/measures";
import type { Playground } from "../../state/playground";
import { byMeasure, numberFormat, type Result } from "../../state/results";

/** What an agent has paid in the end, with its interval, such as "40.6 (38.0–43.1)". */
function paid({ curves }: Result, agent: string): string | undefined {
  const all = byMeasure(curves, measures[0]!.key);
  const curve = all.find((one) => one.agent === agent);
  const last = (curve?.mean.length ?? 0) - 1;
  if (!curve || last < 0) return undefined;
  const number = numberFormat(all);
  const [mean, lo, hi] = [curve.mean[last]!, curve.lo[last]!, curve.hi[last]!];
  return Number.isNaN(lo) ? number(mean) : `${number(mean)} (${number(lo)}–${number(hi)})`;
}

export function compared({ comparison }: Playground, main: { readonly value: Result | undefined }): ReadonlySignal<string> {
  const verdicts = new Asked<string>();
  return computed(() => {
    const of = main.value;
    if (!of || comparison.running.value) return "";
    const { spec, records } = of;
    for (const { result: kept } of comparison.beside.value.toReversed()) {
      const label = sampling(spec.agents).find((agent) => kept.spec.agents.includes(agent) && !sameLine(spec, kept.spec, agent));
      const [mine, theirs] = apart(spec, kept.spec);
      if (label === undefined || mine === "") continue;
      const { name } = styleOf(label);
      if (!records || !kept.records) {
        const [a, b] = [paid(of, label), paid(kept, label)];
        if (a === undefined || b === undefined || spec.episodes !== kept.spec.episodes) continue;
        return `${name}, ${mine}, pays ${a}; ${name}, ${theirs}, ${b}.`;
      }
      const query = new URLSearchParams({
        agent: label,
        base: label,
        split: String(records.size),
        agentName: `${name}, ${mine}`,
        baseName: `${name}, ${theirs}`,
      });
      const { answer = "" } = verdicts.of(of, JSON.stringify([label, kept.fingerprint]), () => ({
        path: `/v1/difference?${query}`,
        body: new Blob([records, kept.records!]),
        made: (line) => (line as readonly Series[]).find(({ verdict }) => verdict)?.verdict ?? "",
      }));
      return answer;
    }
    return "";
  });
}
