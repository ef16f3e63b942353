// What a result beside the main one and the main one differ in: which of two lines pays more, run by run, or whether
// the intervals of their means overlap if one of them has no records.

import { computed, type ReadonlySignal } from "@preact/signals-core";
import { sampling } from "../../agents";
import type { Series, Spec } from "../../formats";
import { sameLine } from "../../state/arms";
import { Asked } from "../../state/asked";
import type { Playground } from "../../state/playground";
import type { Result } from "../../state/results";
import { paid, short } from "./words";

/** What is compared with the main result, and what comes out. */
export interface Compared {
  readonly base: Spec;
  readonly words: string;
}

export function compared({ comparison }: Playground, main: { readonly value: Result | undefined }): ReadonlySignal<Compared | undefined> {
  const verdicts = new Asked<string>();
  return computed(() => {
    const of = main.value;
    if (!of || comparison.running.value) return undefined;
    const { spec, records } = of;
    for (const { result: kept } of comparison.beside.value.toReversed()) {
      const label = sampling(spec.agents).find((agent) => kept.spec.agents.includes(agent) && !sameLine(spec, kept.spec, agent));
      const [mine, theirs] = label === undefined || spec.episodes !== kept.spec.episodes ? [] : [paid(of, label), paid(kept, label)];
      if (!mine || !theirs) continue;
      const values = `${short(mine.mean)} instead of ${short(theirs.mean)}`;
      if (!records || !kept.records) {
        const overlap = mine.lo <= theirs.hi && theirs.lo <= mine.hi;
        const known = !Number.isNaN(mine.lo + theirs.lo);
        return { base: kept.spec, words: `${values}${known ? ` – the 95% intervals ${overlap ? "overlap" : "are apart"}` : ""}.` };
      }
      const query = new URLSearchParams({ agent: label!, base: label!, split: String(records.size) });
      const { answer = "" } = verdicts.of(of, JSON.stringify([label, kept.fingerprint]), () => ({
        path: `/v1/difference?${query}`,
        body: new Blob([records, kept.records!]),
        made: (line) => (line as readonly Series[]).find(({ verdict }) => verdict)?.verdict ?? "",
      }));
      return { base: kept.spec, words: answer ? `${values} – ${answer}.` : `${values}.` };
    }
    return undefined;
  });
}
