// The parts of a playground, each listed once. Its name is the option ui= of an embed,
// a box of the dialog Embed and the scope of its style: the elements with this
// data-part are it.

import { later } from "../lost";
import type { Playground } from "../mount";
import { agents } from "./agents/view";
import { controls } from "./controls/view";
import { experiment } from "./experiment/view";
import { problem } from "./problem/view";
import { stage } from "./stage/view";

export interface Part {
  readonly name: string;
  readonly title: string;
  /** An embed shows it if it is not told which parts to show. */
  readonly usual?: boolean;
  /** Has the part follow the playground; resolves when it does. */
  readonly show: (playground: Playground) => void | Promise<void>;
}

/** The prior's views show nothing before the engine is there, so they are loaded beside it. */
async function loadPrior(playground: Playground): Promise<void> {
  if (playground.shows("prior")) (await later(() => import("./prior/view")))?.prior(playground);
}

export const parts: readonly Part[] = [
  { name: "problem", title: "Problem", show: problem },
  { name: "prior", title: "Prior", show: loadPrior },
  { name: "agents", title: "Agents and sizes", show: agents },
  { name: "stage", title: "Stage", show: stage },
  { name: "experiment", title: "Figure", usual: true, show: experiment },
  { name: "controls", title: "Run and Stop", usual: true, show: controls },
];

export const usual: readonly string[] = parts.filter(({ usual }) => usual).map(({ name }) => name);

/** The parts of a list of names, in any order; those that an embed shows if there is none. */
export function chosenParts(names: string): readonly string[] {
  const chosen = names.split(",").filter((name) => parts.some((part) => part.name === name));
  return chosen.length > 0 ? chosen : usual;
}
