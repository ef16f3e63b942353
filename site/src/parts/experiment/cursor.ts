// The cursor of the chart, which stands at the episode that the stage shows. Dragging it, or
// dragging anywhere on the chart, goes through the episodes, and so do its keys.

import { effect, type ReadonlySignal } from "@preact/signals-core";
import { standardOf, styleOf } from "../../agents";
import { make, onResize } from "../../dom";
import type { Playground } from "../../state/playground";
import type { Chart } from "./chart";
import { ledTo } from "./keys";

/** How far a pointer has to move to drag, in CSS px. */
const slack = 3;

/** Puts the cursor after the box of the chart. It is shown while the chart belongs to the domain that is watched (own). */
export function cursor({ app, watching }: Playground, chart: ReadonlySignal<Chart | undefined>, own: ReadonlySignal<boolean>, box: HTMLElement): void {
  const thumb = make("div", { id: "chart-cursor", className: "thumb", role: "slider", tabIndex: 0, ariaLabel: "Watched episode", hidden: true });
  box.after(thumb);
  const stand = (): void => {
    const episode = own.value ? watching.episode.value : undefined;
    const foot = chart.value?.stand(episode);
    thumb.hidden = !foot;
    if (!foot || episode === undefined) return;
    const { agents, episodes, firstRun = 0 } = app.spec.value;
    const { agent = standardOf(agents), run = firstRun } = app.view.value.watched ?? {};
    thumb.style.left = `${foot.x}px`;
    thumb.style.top = `${foot.y}px`;
    thumb.textContent = String(episode);
    thumb.ariaValueMin = "1";
    thumb.ariaValueMax = String(episodes);
    thumb.ariaValueNow = String(episode);
    thumb.ariaValueText = `Episode ${episode} of ${episodes}, ${styleOf(agent).name}, run ${run}`;
  };
  effect(stand);
  onResize(stand, box);

  thumb.addEventListener("keydown", (event) => {
    const now = watching.episode.value;
    if (now === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    const to = ledTo(event, now - 1, app.spec.value.episodes);
    if (to === undefined) return;
    event.preventDefault();
    watching.seek(to + 1);
  });

  /** Where the pointer went down, until it goes up. */
  let down: { readonly id: number; readonly x: number; dragged: boolean } | undefined;
  for (const place of [box, thumb]) {
    place.addEventListener("pointerdown", (event) => {
      if (event.button === 0 && event.isPrimary && !thumb.hidden) down = { id: event.pointerId, x: event.clientX, dragged: false };
    });
    place.addEventListener("pointermove", ({ pointerId, clientX, buttons }) => {
      if (buttons === 0) down = undefined; // the button went up elsewhere
      if (down?.id !== pointerId || !chart.value || (!down.dragged && Math.abs(clientX - down.x) <= slack)) return;
      if (!down.dragged) place.setPointerCapture(pointerId);
      down.dragged = true;
      watching.seek(chart.value.episodeAt(clientX));
    });
    for (const end of ["pointerup", "pointercancel"] as const) {
      place.addEventListener(end, ({ pointerId }) => {
        if (down?.id === pointerId && down.dragged) watching.rest();
      });
    }
    // A click follows a drag, too. This listener comes before that of the box, and stops such a click.
    place.addEventListener(
      "click",
      (event) => {
        if (down?.dragged) event.stopImmediatePropagation();
        down = undefined;
      },
      { capture: true },
    );
  }
}
