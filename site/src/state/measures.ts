// The engine's measures. The first is shown by default or, where there is no regret, the return of an episode.

import catalogue from "cpsrl:catalogue";
import type { Measure } from "../formats";

export const { measures } = catalogue;

/** The measure that is shown by default of results, or of an experiment, whose header may say why there is no regret. */
export const usual = (of: { readonly regret?: string | undefined } | undefined): Measure => (of?.regret === undefined ? measures[0]! : measureOf("return"));

/** The name of a measure in a problem with these kinds of ends. */
export const nounOf = ({ noun, end = 0 }: Measure, ends: readonly string[] = []): string =>
  ends[end - 1] === undefined ? noun : `Episodes that ended: ${ends[end - 1]}`;

export function measureOf(key: string): Measure {
  const found = measures.find((measure) => measure.key === key);
  if (!found) throw new Error(`there is no measure ${key}`);
  return found;
}
