// The way from the chart to the stage: a button beside the chosen episode watches it.

import { computed, effect, signal } from "@preact/signals-core";
import { standardOf, styleOf } from "../../agents";
import { calm } from "../../calm";
import { byId, onResize } from "../../dom";
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
  const { chart, own, picked, spread } = showing;

  if (!playground.shows("stage")) return;
  const hint = byId(root, "chart-hint", HTMLElement);
  const usual = hint.textContent;
  hint.hidden = false;
  effect(() => void (hint.textContent = chart.value?.hint ?? usual));
  const button = byId(root, "chart-watch", HTMLButtonElement);
  const size = signal(0);
  onResize(() => (size.value = box.clientWidth), box);
  /** What the button watches. */
  const offered = computed(() => {
    const { episode = 0, whose: of } = picked.value ?? {};
    const whose = own.value ? of : undefined;
    if (episode < 1 || episode > app.spec.value.episodes || (whose?.run !== undefined && !spread.value?.watchable(whose.run))) return undefined;
    return { episode, whose };
  });
  effect(() => {
    const { episode = 0, whose } = offered.value ?? {};
    void size.value;
    const spot = offered.value && chart.value?.spot(episode, whose);
    button.hidden = !spot;
    if (!spot) return;
    const of = [
      ...(whose && whose.agent !== standardOf(app.spec.value.agents) ? [styleOf(whose.agent).name] : []),
      ...(whose?.run === undefined ? [] : [`run ${whose.run}`]),
    ];
    button.textContent = `Watch episode ${episode}${of.length > 0 ? ` of ${of.join(", ")}` : ""}`;
    button.classList.toggle("before", spot.right);
    button.style.left = `${spot.x}px`;
    button.style.top = `${spot.y}px`;
  });
  button.addEventListener("click", () => {
    const { episode, whose } = offered.value!;
    // The button goes. From the button that opens the stage, the focus goes on to Play.
    byId(root, app.view.value.watched ? "chart-episode" : "watch-open", HTMLElement).focus({ preventScroll: true });
    watch(playground, showing, episode, whose);
    picked.value = undefined;
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
