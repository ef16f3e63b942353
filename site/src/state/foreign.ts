// Results of another program, which were not computed here. They are drawn over the present chart.

import type { Foreign as Answer, Spec } from "../formats";
import { type Curve, numbers, runsWords } from "./results";

export interface Foreign {
  /** The name of the file. */
  readonly name: string;
  readonly file: Blob;
  /** That of the results over which the file was opened. */
  readonly spec: Spec;
  readonly labels: Answer["labels"];
  /** A sentence that says that they were not computed here. */
  readonly about: string;
  readonly curves: readonly Curve[];
  readonly medians: readonly Curve[];
}

export function foreignOf({ labels, about, curves }: Answer, file: File, spec: Spec): Foreign {
  const known = new Map(labels.map((of) => [of.label, of]));
  const of = ({ label, measure, mean }: Answer["curves"][number]) => ({
    agent: known.get(label)!.name,
    foreign: label,
    runs: known.get(label)!.runs,
    measure,
    episodes: Float64Array.from(mean, (_, k) => k + 1),
  });
  return {
    name: file.name,
    file,
    spec,
    labels,
    about,
    curves: curves.map((c) => ({ ...of(c), mean: numbers(c.mean), lo: numbers(c.lo), hi: numbers(c.hi) })),
    medians: curves.map((c) => ({
      ...of(c),
      mean: numbers(c.median),
      lo: numbers(c.q25),
      hi: numbers(c.q75),
      least: numbers(c.least),
      most: numbers(c.most),
    })),
  };
}

/** Whether results are of the problem over which the file was opened. */
export const suits = ({ spec }: Foreign, other: Spec): boolean => JSON.stringify(spec.domain) === JSON.stringify(other.domain);

/** The labels with their numbers of runs, such as "ucrl, 5 runs". */
export const labelWords = ({ labels }: Foreign): string => labels.map(({ label, runs }) => `${label}, ${runsWords(runs)}`).join("; ");
