// The map of beliefs as plain data. Its rows are edges, grouped by their next value, and its
// columns are episodes.

import type { Episode, Variable } from "../../formats";
import { next } from "../prior/model";

/** What a cell says about an edge: how probable it is after the episode, or whether the sampled graph has it. */
export type Shown = "belief" | "sampled";

/** The edge X_i → Y_j. */
export interface Edge {
  readonly i: number;
  readonly j: number;
  readonly name: string;
}

/** The edges into one next value. */
export interface Group {
  readonly name: string;
  readonly edges: readonly Edge[];
}

/** The edges that data can tell anything about, grouped by their next value. Edges of variables with one value are left out. */
export function groupsOf(state: readonly Variable[], action: readonly Variable[]): readonly Group[] {
  const inputs = [...state, ...action];
  return state.flatMap(({ name, size }, j) => {
    const edges = inputs.flatMap((x, i) => (x.size > 1 ? [{ i, j, name: x.name }] : []));
    return size > 1 ? [{ name: next(name), edges }] : [];
  });
}

/** The value of an edge after an episode, from 0 to 1. */
export function cellOf({ record: { belief } }: Episode, { i, j }: Edge, shown: Shown): number {
  return shown === "belief" ? (belief?.edges?.[j]?.[i] ?? 0) : belief?.graph?.[j]?.includes(i) ? 1 : 0;
}

/** The opacity of the value 0. It is more than 0, so that the cell differs from one that is not computed yet. */
const least = 0.06;
export const opacity = (value: number): number => Math.round(255 * (least + (1 - least) * Math.min(1, Math.max(0, value))));

/** The pixels of a group in RGBA: a row for each edge and a column for each episode of the list. Missing episodes are transparent. */
export function pixels(edges: readonly Edge[], episodes: readonly (Episode | undefined)[], shown: Shown, [r, g, b]: readonly [number, number, number]) {
  const data = new Uint8ClampedArray(4 * edges.length * episodes.length);
  let at = 0;
  for (const edge of edges) {
    for (const episode of episodes) {
      if (episode) data.set([r, g, b, opacity(cellOf(episode, edge, shown))], at);
      at += 4;
    }
  }
  return data;
}

/** The red, green and blue of a colour written #rrggbb. */
export function channels(color: string): readonly [number, number, number] {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** The episodes that a table lists, of so many: the first, the last, some evenly between, and the watched one. */
export function listed(count: number, watched: number | undefined): readonly number[] {
  const parts = [1, Math.round(count / 4), Math.round(count / 2), Math.round((3 * count) / 4), count, ...(watched === undefined ? [] : [watched])];
  return [...new Set(parts)].filter((episode) => episode >= 1 && episode <= count).sort((a, b) => a - b);
}
