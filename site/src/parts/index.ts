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

/** Something that an embed can leave out of its parts: the elements with this data-detail, and what a part does not offer without it (shows). */
export interface Detail {
  readonly title: string;
  /** The parts that have it. */
  readonly of: readonly string[];
}

const names = parts.map(({ name }) => name);

export const details: Readonly<Record<string, Detail>> = {
  toolbar: { title: "Toolbar of the figure", of: ["experiment"] },
  caption: { title: "Caption of the figure", of: ["experiment"] },
  keep: { title: "Keep", of: ["experiment"] },
  export: { title: "Export", of: ["experiment"] },
  reveal: { title: "The true graph", of: ["prior", "stage", "experiment"] },
  speed: { title: "Speed", of: ["stage"] },
  open: { title: "Link to the playground", of: names },
};

export type Chosen = ReturnType<typeof chosen>;

/**
 * Reads the words of the option ui=: the names of parts, in any order, and of parts and details that are left out, each after a
 * minus. Returns the parts that are shown, which are the usual ones if none is named; the details that are left out; and the
 * words that are neither.
 */
export function chosen(words: readonly string[]) {
  const left = (name: string): boolean => words.includes(`-${name}`);
  const named = names.filter((name) => words.includes(name));
  const without = Object.keys(details).filter(left);
  const strange = words.filter((word) => word !== "" && ![...names, ...Object.keys(details)].some((name) => word === `-${name}`) && !names.includes(word));
  return { parts: (named.length > 0 ? named : usual).filter((name) => !left(name)), without, strange };
}

/** Whether an embed shows a part, or does not leave out a detail. Undefined: the page shows everything. */
export const has = (shown: Chosen | undefined, name: string): boolean =>
  !shown || shown.parts.includes(name) || (name in details && !shown.without.includes(name));
