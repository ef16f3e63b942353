// The parts of a playground, each listed once. Its name is a word of an embed's option ui=,
// a box of the dialog Embed, and the data-part of the elements that belong to it.

import { byId } from "../dom";
import { later } from "../lost";
import type { Playground } from "../state/playground";
import { styled } from "../styles";
import { agents } from "./agents/view";
import { controls } from "./controls/view";
import { experiment } from "./experiment/view";
import { stage } from "./stage/view";

export interface Part {
  readonly name: string;
  readonly title: string;
  /** Whether an embed shows the part if its address names no parts. */
  readonly usual?: boolean;
  /** Shows the part in a playground from now on. Resolves when it is set up. */
  readonly show: (playground: Playground) => void | Promise<void>;
}

export const parts: readonly Part[] = [
  // The views of the problem and of the prior are almost empty until the engine has loaded, so they are loaded at the same time.
  { name: "problem", title: "Problem", show: async (playground) => (await later(() => import("./problem/view")))?.problem(playground) },
  {
    name: "prior",
    title: "Prior",
    show: async (playground) => {
      if (!playground.shows("prior")) return;
      const place = byId(playground.root, "prior", HTMLElement);
      const [made] = await Promise.all([later(() => import("./prior/view")), later(() => styled(place, "views.css"))]);
      made?.prior(playground);
    },
  },
  { name: "agents", title: "Agents and sizes", show: agents },
  { name: "stage", title: "Stage", show: stage },
  { name: "experiment", title: "Figure", usual: true, show: experiment },
  { name: "controls", title: "Run and Stop", usual: true, show: controls },
];

export const usual: readonly string[] = parts.filter(({ usual }) => usual).map(({ name }) => name);

/** What can be left out of the figure: the elements with this data-detail. */
export const details: Readonly<Record<string, string>> = { toolbar: "Toolbar", caption: "Caption" };

export type Chosen = ReturnType<typeof chosen>;

/**
 * Reads the words of the option ui=: the names of parts, in any order, and of details, each after a minus. Returns the parts
 * that are shown, which are the usual ones if none is named; the details that are left out; and the words that are neither.
 */
export function chosen(words: readonly string[]) {
  const named = words.filter((word) => parts.some(({ name }) => name === word));
  const without = Object.keys(details).filter((name) => words.includes(`-${name}`));
  const strange = words.filter((word) => word !== "" && !named.includes(word) && !without.some((name) => word === `-${name}`));
  return { parts: named.length > 0 ? named : usual, without, strange };
}
