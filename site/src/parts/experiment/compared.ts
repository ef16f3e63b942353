// What a kept result and the main one differ in, in one sentence: which of two lines pays more, run by
// run. Loaded when a result is first kept.

import { computed, type ReadonlySignal } from "@preact/signals-core";
import { sampling, styleOf } from "../../agents";
import type { Series } from "../../formats";
import { apart, sameLine } from "../../state/arms";
import { Asked } from "../../state/asked";
import type { Playground } from "../../state/playground";
import type { Result } from "../../state/results";

export function compared({ comparison }: Playground, main: { readonly value: Result | undefined }): ReadonlySignal<string> {
  const verdicts = new Asked<string>();
  return computed(() => {
    const of = main.value;
    if (!of?.records || comparison.running.value) return "";
    const { spec, records } = of;
    for (const { result: kept } of comparison.pins.value.toReversed()) {
      const label = sampling(spec.agents).find((agent) => kept.spec.agents.includes(agent) && !sameLine(spec, kept.spec, agent));
      const [mine, theirs] = apart(spec, kept.spec);
      if (kept === of || !kept.records || label === undefined || mine === "") continue;
      const { name } = styleOf(label);
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
