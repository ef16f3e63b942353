// What the views of a prior show: what is stated about each edge, the true graph, and what
// an agent believes.

import { listed } from "../../state/differences";
import { brief, edgesOf } from "../../state/edges";
import type { About, Edge } from "../../formats";
import type { Sampled } from "../../state/app";
import type { Known } from "../../state/history";

/** Edges by index: which X lead to each Y. */
export type Graph = readonly ReadonlySet<number>[];

/** The probability that a prior states for each edge, by Y, then X: 1 is known, 0 is forbidden. A missing edge is unknown. */
type Stated = readonly ReadonlyMap<number, number>[];

export interface Look {
  /** The variables X with their numbers of values. The first of them are also the variables Y. */
  readonly x: readonly { readonly name: string; readonly size: number }[];
  readonly ySize: number;
  readonly stated: Stated;
  /** The true graph, once it is revealed. */
  readonly truth: Graph | undefined;
  /** The graph that an agent has sampled, and its belief in each edge, by Y, then X. */
  readonly sampled: Graph | undefined;
  readonly belief: readonly (readonly number[])[] | undefined;
}

/** The edges between the problem's variables, by index. */
const graphOf = (edges: readonly Edge[], about: About): Graph => statedOf(edges, about).map((parents) => new Set(parents.keys()));

/** What a list of edges states about the problem's variables. */
export function statedOf(edges: readonly Edge[], { state, action }: About): Map<number, number>[] {
  const index = new Map([...state, ...action].map(({ name }, i) => [name, i]));
  const stated = state.map(() => new Map<number, number>());
  for (const [from, to, p = 1] of edges) {
    const i = index.get(from);
    if (i !== undefined) stated[index.get(to) ?? -1]?.set(i, p);
  }
  return stated;
}

/** The inverse of statedOf. It lists edges by Y, then X, as the engine does. */
export function edgeList(stated: Stated, x: Look["x"]): Edge[] {
  return stated.flatMap((parents, j) =>
    [...parents].sort(([a], [b]) => a - b).map(([i, p]): Edge => (p === 1 ? [x[i]!.name, x[j]!.name] : [x[i]!.name, x[j]!.name, p])),
  );
}

/** The prior that states this. Undefined: this is the domain's suggestion. */
export function priorOf(stated: Stated, about: About): Known {
  const list = (all: Stated): Edge[] => edgeList(all, [...about.state, ...about.action]);
  const edges = list(stated);
  return JSON.stringify(edges) === JSON.stringify(list(statedOf(about.suggested, about))) ? undefined : { edges };
}

/** The trust of the edges that are offered for a problem without a suggestion. */
const offeredTrust = 0.9;

/**
 * A prior that also says of every edge from an action that it is likely, unless the prior says something about it. Undefined: nothing is
 * offered, because the problem has a suggestion of its own or no action is left.
 */
export function withActions(prior: Known, about: About): Known {
  if (about.suggested.length > 0) return undefined;
  const stated = statedOf(edgesOf(prior, about), about);
  const first = about.state.length;
  let more = 0;
  for (const [j, parents] of stated.entries()) {
    for (const [k, { size }] of about.action.entries()) {
      if (parents.has(first + k) || size === 1 || about.state[j]!.size === 1) continue;
      parents.set(first + k, offeredTrust);
      more++;
    }
  }
  return more > 0 ? priorOf(stated, about) : undefined;
}

/**
 * A prior that also says what an agent believes, by Y, then X: an edge is likely if its probability is at least the trust, and unlikely if
 * that of its absence is. What is known or forbidden stays. Undefined: nothing is offered, because the prior says so already.
 */
export function withLearned(prior: Known, belief: NonNullable<Look["belief"]>, about: About): Known {
  const x = [...about.state, ...about.action];
  if (belief.length !== about.state.length || belief.some((row) => row.length !== x.length)) return undefined; // of another problem
  const stated = statedOf(edgesOf(prior, about), about);
  let more = 0;
  for (const [j, parents] of stated.entries()) {
    for (const [i, { size }] of x.entries()) {
      const p = belief[j]![i]!;
      const said = p >= offeredTrust ? offeredTrust : p <= 1 - offeredTrust + 1e-9 ? 0.1 : undefined;
      if (said === undefined || size === 1 || about.state[j]!.size === 1) continue;
      if ([0, 1, said].includes(parents.get(i) ?? -1)) continue;
      parents.set(i, said);
      more++;
    }
  }
  return more > 0 ? priorOf(stated, about) : undefined;
}

/** Whether the names of the variables Y stand upright above a matrix. */
export const isLong = ({ x, ySize }: Pick<Look, "x" | "ySize">): boolean => x.slice(0, ySize).some(({ name }) => [...name].length > 2);

/** How many rows and columns of a matrix are shown at once. */
export const mostShown = 64;

/** The first row or column that is shown, so that one of them is: the present first one, or the nearest other. */
export const windowTo = (k: number, first: number, of: number): number =>
  Math.max(0, Math.min(k < first ? k : k >= first + mostShown ? k - mostShown + 1 : first, of - mostShown));

/** Which rows or columns are shown: "rows 65 to 128 of 256". */
export const partOf = (first: number, of: number, what: string): string =>
  of > mostShown ? `${what} ${first + 1} to ${Math.min(first + mostShown, of)} of ${of}` : `all ${what}`;

export const next = (name: string): string => `${name}′`;

/** How many edges with one reason are named. */
const mostNamed = 4;

/** The reasons of the domain's own prior, each once, with its edges: "a → b′, .9". */
export function reasonsOf(suggestions: NonNullable<About["suggestions"]>): readonly { readonly why: string; readonly edges: string }[] {
  return [...new Set(suggestions.map(({ why }) => why))].map((why) => {
    const names = suggestions.filter((edge) => edge.why === why).map(({ from, to, p }) => `${from} → ${next(to)} ${p === 0 ? "forbidden" : brief(p)}`);
    const more = names.length - mostNamed;
    return { why, edges: more > 1 ? `${names.slice(0, mostNamed).join(", ")} and ${more} more` : names.join(", ") };
  });
}

export type Mark = "unknown" | "known" | "likely" | "forbidden" | "misspecified" | "excluded" | "missed" | "misjudged";

/** Whether an edge is true. Undefined while the truth is hidden, and always for a variable with one value, about which data cannot tell. */
function truthOf({ x, truth }: Look, i: number, j: number): boolean | undefined {
  return x[i]!.size === 1 || x[j]!.size === 1 ? undefined : truth?.[j]?.has(i);
}

export function markOf(look: Look, i: number, j: number): Mark {
  const p = look.stated[j]!.get(i);
  const isTrue = truthOf(look, i, j);
  if (p === undefined) return isTrue ? "missed" : "unknown";
  if (p === 1) return isTrue === false ? "misspecified" : "known";
  if (p === 0) return isTrue ? "excluded" : "forbidden";
  return isTrue !== undefined && p !== 0.5 && p > 0.5 !== isTrue ? "misjudged" : "likely";
}

/** Whether an edge has a probability that is stated, and shown. */
export const hasNumber = (mark: Mark): boolean => mark === "likely" || mark === "misjudged";

/** The probability that a key states. A digit stands for tenths. Five tenths say nothing, so the edge becomes unknown. */
export const statements: Readonly<Record<string, number | undefined>> = {
  k: 1,
  x: 0,
  Delete: undefined,
  Backspace: undefined,
  5: undefined,
  ...Object.fromEntries([1, 2, 3, 4, 6, 7, 8, 9].map((digit) => [String(digit), digit / 10])),
};

/** The letter or the name of a key, whatever Caps Lock says. A letter or digit of another script counts as the one of the Latin layout at its place. */
export function keyOf({ key, code }: Pick<KeyboardEvent, "key" | "code">): string {
  if ([...key].length > 1) return key;
  return (key > "~" ? (/^(?:Key|Digit)(.)$/.exec(code)?.[1] ?? key) : key).toLowerCase();
}

/** What is known about an edge, in words. */
export function wordsOf(look: Look, i: number, j: number): string {
  const isTrue = truthOf(look, i, j);
  const p = look.stated[j]!.get(i);
  const words = {
    unknown: isTrue === undefined ? "unknown" : "unknown, not in the true graph",
    known: isTrue === undefined ? "known" : "known, true",
    likely: `likely, stated ${p}${isTrue === undefined ? "" : isTrue ? ", true" : ", not in the true graph"}`,
    forbidden: isTrue === undefined ? "forbidden" : "forbidden, not in the true graph",
    misspecified: "known, misspecified: not in the true graph",
    excluded: "forbidden, misspecified: in the true graph",
    missed: "true, but not known",
    misjudged: `stated ${p}, misjudged: ${isTrue ? "" : "not "}in the true graph`,
  }[markOf(look, i, j)];
  const sampled = look.sampled?.[j]?.has(i) ? ", sampled" : "";
  const belief = look.belief?.[j]?.[i];
  return `${words}${sampled}${belief === undefined ? "" : `, probability ${belief.toFixed(2)}`}`;
}

export function lookOf(prior: Known, problem: About, revealed: boolean, sampled: Sampled | undefined): Look {
  return {
    x: [...problem.state, ...problem.action],
    ySize: problem.state.length,
    stated: statedOf(edgesOf(prior, problem), problem),
    truth: revealed ? graphOf(problem.truth, problem) : undefined,
    sampled: sampled?.graph.map((parents) => new Set(parents)),
    belief: sampled?.belief,
  };
}

export function sentenceOf(look: Look, i: number, j: number): string {
  const [x, y] = [look.x[i]!, look.x[j]!];
  const trivial = [x, y].find(({ size }) => size === 1);
  const note = trivial ? ` (${trivial.name} has one value only: no data can tell)` : "";
  return `${x.name} → ${next(y.name)}: ${wordsOf(look, i, j)}${note}`;
}

/** How many graphs are left, in full or as a power of ten. */
export function graphsLeft({ consistent }: About): string {
  const power = consistent.length - 1;
  const words = power < 9 ? Number(consistent).toLocaleString("en") : `About 10${[...String(power)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("")}`;
  return `${words} ${consistent === "1" ? "graph is" : "graphs are"} left.`;
}

/** A sentence about the variables with one value; "" if there are none. */
export function untold({ state, action }: About): string {
  const names = [...state, ...action].filter(({ size }) => size === 1).map(({ name }) => name);
  return names.length === 0
    ? ""
    : `${listed(names)} ${names.length === 1 ? "has" : "have"} one value only: no data can show ${names.length === 1 ? "its" : "their"} edges, and they count neither in η nor in recall and precision.`;
}

/** How many edges are stated and, once the truth is revealed, how many of them are wrong or missing. */
export function summaryOf(look: Look): string {
  const counts = { known: 0, likely: 0, forbidden: 0, wrong: 0, misjudged: 0, missed: 0 };
  for (let j = 0; j < look.ySize; j++) {
    for (const [i, p] of look.stated[j]!) {
      counts[p === 1 ? "known" : p === 0 ? "forbidden" : "likely"]++;
      const mark = markOf(look, i, j);
      if (mark === "misjudged") counts.misjudged++;
      if (["misspecified", "excluded"].includes(mark)) counts.wrong++;
    }
    for (const i of look.truth?.[j] ?? []) if (markOf(look, i, j) === "missed") counts.missed++;
  }
  const { known, likely, forbidden, wrong, misjudged, missed } = counts;
  const more = [likely > 0 ? `${likely} likely` : "", forbidden > 0 ? `${forbidden} forbidden` : ""].filter((words) => words !== "");
  const none = known === 0 && more.length === 0;
  const size = none ? "No edge is known." : [`${known} known ${known === 1 ? "edge" : "edges"}`, ...more].join(", ");
  if (!look.truth) return none ? size : `${size}.`;
  const parts = `${wrong} misspecified${misjudged > 0 ? `, ${misjudged} misjudged` : ""}; ${missed} true ${missed === 1 ? "edge is" : "edges are"} not known.`;
  return none ? `${size} ${parts}` : `${size}, ${parts}`;
}
