// An experiment as jobs, one for each run and agent. The records of a job depend only on
// the job's own spec, so they need to be computed only once.

import { asksFor, isTold } from "../agents";
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

/** Short names of specs without their runs and agents, because a key must not hold a large model. The last specs have one. */
const names = new Map<string, number>();
const mostNames = 16;
let last = 0;

function nameOf(spec: object): number {
  const text = JSON.stringify(spec);
  const name = names.get(text) ?? ++last;
  names.delete(text);
  names.set(text, name);
  for (const [oldest] of names) if (names.size > mostNames) names.delete(oldest);
  return name;
}

/**
 * The key of each job, in the same order. It stands for what the records depend on: all of
 * the job's spec, except for the named priors that its agent does not ask for and, if the
 * agent is not told it, the prior. The problem may be drawn by the prior's η, and every agent
 * starts from the prior's data.
 */
export function keysOf(spec: Spec): string[] {
  const { agents: _agents, firstRun: _firstRun, runs: _runs, prior, priors = {}, ...rest } = spec;
  const told = nameOf({ ...rest, prior });
  const untold = nameOf({ ...rest, eta: prior && "eta" in prior ? prior.eta : undefined, data: prior?.data });
  return jobsOf(spec).map(({ firstRun, agents }) => {
    const own = Object.entries(priors).filter(([prior]) => asksFor(agents[0]!, prior));
    return JSON.stringify([isTold(agents[0]!) ? told : untold, firstRun, ...agents, ...own]);
  });
}
