// The film, and the button that opens the stage. The stage itself is loaded when someone
// presses the button or a link says what is watched.

import { effect, untracked } from "@preact/signals-core";
import { byId } from "../../dom";
import { detailOf } from "../../engine/engine";
import { later } from "../../lost";
import type { Playground } from "../../state/playground";
import { figureName } from "../../state/figures";
import { styled } from "../../styles";

export function stage(playground: Playground): void {
  const { root, app } = playground;
  if (playground.shows("stage")) void showFilm(playground);
  let loading = false;
  const load = async (): Promise<void> => {
    if (loading) return;
    loading = true;
    app.fail("stage");
    try {
      const module = await later(() => styled(byId(root, "watch", HTMLElement), "watch.css").then(() => import("./watch")));
      if (module) {
        new module.Watch(playground);
        return;
      }
    } catch (error) {
      app.fail("stage", detailOf(error));
    }
    loading = false;
    app.look({ watched: undefined });
  };
  byId(root, "watch-open", HTMLButtonElement).addEventListener("click", () => playground.watching.watch(1));
  effect(() => {
    if (app.view.value.watched && playground.shows("stage")) untracked(() => void load());
  });
}

/**
 * Shows the preset's film until the stage is painted. When the settings change, the film stops, because it shows the
 * old ones; in another problem it is not seen at all, but keeps its room. The stage, which would show the new ones, takes 3.5 MB and is loaded only on request.
 */
async function showFilm({ root, app, watching }: Playground): Promise<void> {
  const made = await later(() => import("./film")); // the page has the film's first picture
  if (!made) return;
  const film = byId(root, "film", HTMLElement);
  const projector = new made.Projector(film, () => app.phase.value === "running" || app.view.value.watched !== undefined);
  const about = byId(root, "watch-about", HTMLElement);
  const usual = about.textContent;
  effect(() => {
    const preset = app.preset.value;
    const own = app.unchanged.value;
    about.textContent = own || !figureName(preset) ? usual : "Watch one run to see these settings at work.";
    film.style.opacity = app.spec.value.domain.name === preset.spec.domain.name ? "" : "0";
    projector.show(app.view.value.watched && watching.stage.value ? undefined : figureName(preset), own);
  });
}
