// An experiment as jobs, one for each run and agent. The records of a job depend only on
// the job's own spec, so they need to be computed only once.

import { asksFor } from "../agents";
import type { Spec } from "../formats";

/** The records of jobs that were computed, by keysOf. */
export type Known = ReadonlyMap<string, Blob>;

/** The jobs of a spec, in the order of the records. */
export function jobsOf(spec: Spec): Spec[] {
  const first = spec.firstRun ?? 0;
  return Array.from({ length: spec.runs }, (_, i) => first + i).flatMap((firstRun) =>
    spec.agents.map((agent) => ({ ...spec, firstRun, runs: 1, agents: [agent] })),
  );
}

/** The numbers of what jobs share, which may hold a large model. */
const shared = new Map<string, number>();

/**
 * The key of each job, in the same order. It stands for what the records depend on: all of
 * the job's spec, except for the named priors that its agent does not ask for.
 */
export function keysOf(spec: Spec): string[] {
  const { agents: _agents, firstRun: _firstRun, runs: _runs, priors = {}, ...rest } = spec;
  const text = JSON.stringify(rest);
  if (!shared.has(text)) shared.set(text, shared.size);
  return jobsOf(spec).map(({ firstRun, agents }) => {
    const named = Object.entries(priors).filter(([name]) => asksFor(agents[0]!, name));
    return JSON.stringify([shared.get(text), firstRun, ...agents, ...named]);
  });
}
