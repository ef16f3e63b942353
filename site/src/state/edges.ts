// What a prior states about the edges of a problem.

import type { About, Edge } from "../formats";
import type { Known } from "./history";

/** The edges of the prior. With a trust or false edges, they are those of the first run, which the engine has listed. */
export function edgesOf(prior: Known, problem: About): readonly Edge[] {
  if (prior === undefined) return problem.suggested;
  if ("edges" in prior) return prior.edges;
  if (prior.trust !== undefined || prior.false !== undefined) return listedEdges(problem);
  return prior.eta === undefined ? problem.suggested : (problem.revealed[Math.min(prior.eta, problem.revealed.length - 1)] ?? []);
}

const listedEdges = ({ parents }: About): Edge[] =>
  parents.flatMap(({ of, known, likely = [], forbidden = [] }) => [
    ...known.map((name): Edge => [name, of]),
    ...likely.map(({ name, p }): Edge => [name, of, p]),
    ...forbidden.map((name): Edge => [name, of, 0]),
  ]);

/** A short form of a probability: .9 for 0.9. */
export const brief = (p: number): string => String(p).replace(/^0\./, ".");
