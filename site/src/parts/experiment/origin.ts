// Sentences about results that are kept or exported: where each comes from, and how it differs from the settings.

import type { Spec } from "../../formats";
import { differences, listed } from "../../state/differences";
import { type Result, runsWords } from "../../state/results";
import { fingerprintWords } from "./words";

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
