// The edges of a posterior, ordered by probability.

import type { Posterior } from "../formats";

type Edges = Posterior["edges"];

/** How many edges the page shows at least, if there are so many, and at most. */
const [least, most] = [12, 200];

/** The edges to show and the rest, the most probable first. All edges that are likelier than not are shown, as far as there is room, and a few more. */
export function rankedEdges(edges: Edges): { readonly shown: Edges; readonly rest: Edges } {
  const ranked = edges.toSorted((a, b) => b.p - a.p);
  const likely = ranked.findIndex(({ p }) => p < 0.5);
  const n = Math.min(most, Math.max(least, likely < 0 ? ranked.length : likely));
  return { shown: ranked.slice(0, n), rest: ranked.slice(n) };
}
