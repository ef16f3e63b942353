// The edges of a posterior, in the order of a reader. Package answer has the same rule.

import type { Edge, Posterior } from "../formats";

type Edges = Posterior["edges"];

/** An edge whose probability is from the least to the most trust is uncertain; as a prior, no edge gets less or more. */
const [leastTrust, mostTrust] = [0.01, 0.99];

export interface Ranked {
  readonly uncertain: Edges;
  readonly certain: Edges;
  /** All but excluded. */
  readonly excluded: Edges;
}

/** The edges in three groups, the most probable first in each. */
export function ranked(edges: Edges): Ranked {
  const order = edges.toSorted((a, b) => b.p - a.p);
  return {
    uncertain: order.filter(({ p }) => p >= leastTrust && p <= mostTrust),
    certain: order.filter(({ p }) => p > mostTrust),
    excluded: order.filter(({ p }) => p < leastTrust),
  };
}

/** The edges of the prior that trusts each edge as much as it is probable. A probability of ½ says nothing. */
export function trusted(edges: Edges): Edge[] {
  return edges.flatMap(({ from, to, p }): Edge[] => {
    const trust = Math.min(mostTrust, Math.max(leastTrust, Math.round(p * 1e4) / 1e4));
    return trust === 0.5 ? [] : [[from, to, trust]];
  });
}
