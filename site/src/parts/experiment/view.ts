// The figure: the chart with its results, and everything around it.

import { byId } from "../../dom";
import { once } from "../../lost";
import type { Playground } from "../../state/playground";
import { captions } from "./captions";
import { menus } from "./menus";
import { mini } from "./mini";
import { plot } from "./plot";
import { reading } from "./reading";
import { showing } from "./showing";
import { watching } from "./watching";

export function experiment(playground: Playground): void {
  const box = byId(playground.root, "chart", HTMLElement);
  const shown = showing(playground);
  plot(playground, shown, box);
  reading(playground, shown, box);
  watching(playground, shown, box);
  captions(playground, shown);
  menus(playground, shown);
  if (playground.shows("prior")) mini(playground, shown);
  const load = once(
    () => import("./results"),
    (made) => made.results(playground, shown, box),
  );
  load(); // after the first paint
  byId(playground.root, "experiment", HTMLElement).addEventListener("click", load); // if it could not be loaded
}
