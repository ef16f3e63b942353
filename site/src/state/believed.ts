// What a film says of an agent's beliefs.

import type { Film, Frame } from "../formats";
import type { Sampled } from "./app";

/** What the agent believes at a picture of a film. */
export function believed({ beliefs = [] }: Film, { belief = 0 }: Frame): Sampled | undefined {
  const of = beliefs[belief - 1];
  return of && { graph: of.graph.map((parents) => parents ?? []), ...(of.edges && { belief: of.edges.map((row) => row.map((p) => p / 100)) }) };
}
