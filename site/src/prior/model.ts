// The prior as the page holds it: what is known, with its past and its future,
// and what there is to see of it.

import type { Edge, Prior, About } from "../formats";

/** The prior of a spec; undefined is the domain's suggestion. */
export type Known = Prior | undefined;

/** The versions of a prior, to go back and forth on. */
export interface Line {
  readonly past: readonly Known[];
  readonly now: Known;
  readonly future: readonly Known[];
  readonly group?: string | undefined;
}

export const begin = (now: Known): Line => ({ past: [], now, future: [] });

/** A step forward; steps of one group in a row are undone as one. The same line: the prior is what it was. */
export function stepped(line: Line, now: Known, group?: string): Line {
  if (JSON.stringify(now) === JSON.stringify(line.now)) return line;
  const past = group === undefined || group !== line.group ? [...line.past, line.now] : line.past;
  return { past, now, future: [], group };
}

/** The same line: there is nothing to go to. */
export function moved(line: Line, by: "undo" | "redo"): Line {
  const { past, now, future } = line;
  if (by === "undo") return past.length === 0 ? line : { past: past.slice(0, -1), now: past.at(-1), future: [...future, now] };
  return future.length === 0 ? line : { past: [...past, now], now: future.at(-1), future: future.slice(0, -1) };
}

/** Edges by index: which X lead to each Y. */
export type Graph = readonly ReadonlySet<number>[];

/** What the views show. */
export interface Look {
  /** Names of X, the first of which are also those of Y, and their numbers of values. */
  readonly x: readonly { readonly name: string; readonly size: number }[];
  readonly ySize: number;
  readonly known: Graph;
  /** The true graph, once it is revealed. */
  readonly truth: Graph | undefined;
  /** A graph that an agent has sampled, and its belief in each edge, by Y, then X. */
  readonly sampled: Graph | undefined;
  readonly belief: readonly (readonly number[])[] | undefined;
}

/** The edges of the prior. */
export function edgesOf(prior: Known, problem: About): readonly Edge[] {
  if (prior === undefined) return problem.suggested;
  if ("edges" in prior) return prior.edges;
  return problem.revealed[Math.min(prior.eta, problem.revealed.length - 1)] ?? [];
}

/** The edges between the problem's variables, by index. */
export function graphOf(edges: readonly Edge[], { state, action }: About): Set<number>[] {
  const index = new Map([...state, ...action].map(({ name }, i) => [name, i]));
  const graph = state.map(() => new Set<number>());
  for (const [from, to] of edges) {
    const i = index.get(from);
    if (i !== undefined) graph[index.get(to) ?? -1]?.add(i);
  }
  return graph;
}

/** The inverse of graphOf, by Y, then X, as the engine lists edges. */
export function edgeList(graph: Graph, x: Look["x"]): Edge[] {
  return graph.flatMap((parents, j) => [...parents].sort((a, b) => a - b).map((i): Edge => [x[i]!.name, x[j]!.name]));
}

/** The name of a variable at the next step. */
export const next = (name: string): string => `${name}′`;

export type Mark = "unknown" | "known" | "misspecified" | "missed";

export function markOf({ known, truth }: Look, i: number, j: number): Mark {
  if (known[j]!.has(i)) return truth && !truth[j]!.has(i) ? "misspecified" : "known";
  return truth?.[j]?.has(i) ? "missed" : "unknown";
}

/** What there is to say of a pair of variables. */
export function wordsOf(look: Look, i: number, j: number): string {
  const revealed = look.truth !== undefined;
  const words = {
    unknown: revealed ? "unknown, not in the true graph" : "unknown",
    known: revealed ? "known, true" : "known",
    misspecified: "known, misspecified: not in the true graph",
    missed: "true, but not known",
  }[markOf(look, i, j)];
  const sampled = look.sampled?.[j]?.has(i) ? ", sampled" : "";
  const belief = look.belief?.[j]?.[i];
  return `${words}${sampled}${belief === undefined ? "" : `, probability ${belief.toFixed(2)}`}`;
}
