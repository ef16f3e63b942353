// The way from the chart to the stage: a click on the chart watches an episode.

import { computed, effect, signal } from "@preact/signals-core";
import { calm } from "../../calm";
import { byId } from "../../dom";
import { once } from "../../lost";
import type { Playground } from "../../state/playground";
import { styled } from "../../styles";
import type { Whose } from "./chart";
import type { Showing } from "./showing";

/** Watches an episode. If the line of a single run was chosen, it is that run's, provided the stage would show the same run. */
export function watch({ root, watching }: Playground, { spread }: Showing, episode: number, whose: Whose | undefined): void {
  if (whose?.run !== undefined && !spread.value?.watchable(whose.run)) return;
  watching.watch(episode, whose?.agent, whose?.run);
  const stage = byId(root, "watch", HTMLElement);
  if (stage.getBoundingClientRect().bottom < 64) stage.scrollIntoView({ behavior: calm.matches ? "auto" : "smooth" }); // on a narrow page it may be far above
}

export function watching(playground: Playground, showing: Showing, box: HTMLElement): void {
  const { root, app } = playground;
  const { main, chart } = showing;

  if (!playground.shows("stage")) return;
  const hint = byId(root, "chart-hint", HTMLElement);
  const usual = hint.textContent;
  hint.hidden = false;
  effect(() => void (hint.textContent = chart.value?.hint ?? usual));
  const own = computed(() => main.value?.spec.domain.name === app.spec.value.domain.name);
  box.addEventListener("click", ({ clientX, clientY }) => {
    if (!chart.value) return;
    const whose = own.value ? chart.value.whoseAt(clientX, clientY) : undefined;
    if (whose || !chart.value.dotted) watch(playground, showing, whose?.episode ?? chart.value.episodeAt(clientX), whose);
  });
  const map = byId(root, "heat", HTMLDetailsElement);
  map.hidden = false;
  const open = signal(false);
  const wantMap = once(
    () => styled(map, "heat.css").then(() => import("./heat")),
    (made) => made.heat(playground, chart, own, open, byId(root, "heat-body", HTMLElement)),
  );
  map.addEventListener("toggle", () => {
    open.value = map.open;
    wantMap();
  });
  const wantCursor = once(
    () => import("./cursor"),
    (made) => made.cursor(playground, chart, own, box),
  );
  const watches = computed(() => app.view.value.watched !== undefined);
  effect(() => {
    if (watches.value) wantCursor();
  });
}
