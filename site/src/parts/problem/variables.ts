// The variables of a problem, in words.

import type { About } from "../../formats";

/** The names with their numbers of values, or only the number of variables if they are alike or many. */
export function variables(list: About["state"]): string {
  const [first] = list;
  if (first && list.length > 2 && list.every(({ size }) => size === first.size)) {
    return first.size === 2 ? `${list.length} binary variables` : `${list.length} variables of ${first.size} ${first.size === 1 ? "value" : "values"}`;
  }
  if (list.length > 12) return `${list.length} variables`;
  return list.map(({ name, size }) => `${name} ${size}`).join(list.length > 8 ? " · " : "\n");
}
