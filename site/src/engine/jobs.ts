// An experiment as jobs, one for each run and agent. The records of a job depend only on
// the job's own spec, so they need to be computed only once.

import { asksFor } from "../agents";
import type { Spec } from "../formats";

/** The records of jobs that were computed, by keyOf. */
export type Known = ReadonlyMap<string, Blob>;

/** The jobs of a spec, in the order of the records. */
export function jobsOf(spec: Spec): Spec[] {
  const first = spec.firstRun ?? 0;
  return Array.from({ length: spec.runs }, (_, i) => first + i).flatMap((firstRun) =>
    spec.agents.map((agent) => ({ ...spec, firstRun, runs: 1, agents: [agent] })),
  );
}

/** What the records of a job depend on: all of its spec, except for the named priors that its agent does not ask for. */
export function keyOf(job: Spec): string {
  const named = Object.entries(job.priors ?? {}).filter(([name]) => asksFor(job.agents[0]!, name));
  return JSON.stringify({ ...job, priors: named.length === 0 ? undefined : Object.fromEntries(named) });
}
