// What one spec has that another has not, in words.

import type { Spec } from "./formats";

type Edge = readonly [string, string];

/** How each field is said, with a place for its value. */
const phrases: Readonly<Record<string, string>> = {
  "domain/name": "domain _", "domain/grid": "grid _", "domain/horizon": "H = _", "domain/stateVariables": "_ state variables",
  "domain/actionVariables": "_ action variables", "domain/values": "N = _", "domain/parents": "_ parents",
  "sparseness": "Z = _", "episodes": "K = _", "runs": "_ runs", "firstRun": "first run _", "seed": "seed _",
  "bound": "bound _", "update": "update _", "rewards": "rewards _",
};

const values: Readonly<Record<string, string>> = {
  "random-fmdp": "random FMDP", "taxi": "taxi", "figure1": "Figure 1’s example", "at-most": "|z| ≤ Z", "below": "|z| < Z",
};

/** Says how the spec differs from another one, "Z = 3 instead of 5"; nothing if they are the same. */
export function differences(spec: Spec, other: Spec): string[] {
  const list: string[] = [];
  const mine = flat(spec);
  const theirs = flat(other);
  const sameDomain = spec.domain.name === other.domain.name;
  for (const [key, phrase] of Object.entries(phrases)) {
    if (!sameDomain && key.startsWith("domain/") && key !== "domain/name") continue;
    const [a, b] = [mine(key), theirs(key)];
    if (a !== b) list.push(`${phrase.replace("_", a)} instead of ${b}`);
  }
  if (sameDomain && JSON.stringify(spec.domain["model"]) !== JSON.stringify(other.domain["model"])) list.push("another model");
  if (JSON.stringify(spec["prior"]) !== JSON.stringify(other["prior"])) list.push(prior(spec, other));
  return list;
}

function flat(spec: Spec): (key: string) => string {
  return (key) => {
    const value = key.startsWith("domain/") ? spec.domain[key.slice("domain/".length)] : spec[key];
    if (value === undefined) return key === "firstRun" || key === "seed" ? "0" : "none";
    return values[String(value)] ?? String(value);
  };
}

const most = 3;

function prior(spec: Spec, other: Spec): string {
  const mine = known(spec);
  const theirs = known(other);
  if (!("edges" in mine && "edges" in theirs)) return `prior: ${describe(mine)} instead of ${describe(theirs)}`;
  const only = (a: readonly Edge[], b: readonly Edge[]) => {
    const edges = a.filter((e) => !b.some((f) => f[0] === e[0] && f[1] === e[1])).map(([x, y]) => `${x} → ${y}`);
    return edges.length > most ? `${edges.length} edges` : edges.join(", ");
  };
  const more = only(mine.edges, theirs.edges);
  const less = only(theirs.edges, mine.edges);
  return ["prior", more && `with ${more}`, less && `without ${less}`].filter(Boolean).join(" ");
}

type Known = { readonly suggested: true } | { readonly eta: number } | { readonly edges: readonly Edge[] };

function known(spec: Spec): Known {
  return (spec["prior"] as Known | undefined) ?? { suggested: true };
}

function describe(prior: Known): string {
  if ("eta" in prior) return `η = ${prior.eta}`;
  if ("edges" in prior) return prior.edges.length === 0 ? "no edge" : prior.edges.length === 1 ? "1 edge" : `${prior.edges.length} edges`;
  return "the domain’s own";
}

/** Joins words as a list: "a", "a and b", "a, b and c". */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
