// The cursor of the chart, which stands at the episode that the stage shows. Dragging it, or
// dragging anywhere on the chart, goes through the episodes, and so do the keys (reading.ts).

import { effect, type ReadonlySignal } from "@preact/signals-core";
import { make, onResize } from "../../dom";
import type { Playground } from "../../state/playground";
import type { Chart } from "./chart";

/** How far a pointer has to move to drag, in CSS px. */
const slack = 3;

/** Puts the cursor after the box of the chart. It is shown while the chart belongs to the domain that is watched (own). */
export function cursor({ watching }: Playground, chart: ReadonlySignal<Chart | undefined>, own: ReadonlySignal<boolean>, box: HTMLElement): void {
  const thumb = make("div", { id: "chart-cursor", className: "thumb", ariaHidden: "true", hidden: true });
  box.after(thumb);
  const stand = (): void => {
    const episode = own.value ? watching.episode.value : undefined;
    const foot = chart.value?.stand(episode);
    thumb.hidden = !foot;
    if (!foot || episode === undefined) return;
    thumb.style.left = `${foot.x}px`;
    thumb.style.top = `${foot.y}px`;
    thumb.textContent = String(episode);
  };
  effect(stand);
  onResize(stand, box);

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
