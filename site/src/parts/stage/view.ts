// The stage's invitation. The rest is loaded when someone asks for it: a person, or a
// link that says what is watched.

import { effect, untracked } from "@preact/signals-core";
import { byId, make } from "../../dom";
import { detailOf } from "../../engine/engine";
import { later, tellLost } from "../../lost";
import type { Playground } from "../../mount";
import { figureName } from "../../state/figures";
import type { Projector } from "./film";

/** The style of the open stage, filled in by build.mjs. */
declare const WATCH_STYLE: string;

/** Loads the style of the open stage. False: it did not come. */
const styled = (section: HTMLElement): Promise<boolean> =>
  new Promise((resolve) => {
    const onload = (): void => resolve(true);
    const onerror = (): void => {
      void tellLost();
      resolve(false);
    };
    section.prepend(make("link", { rel: "stylesheet", onload, onerror, href: new URL(WATCH_STYLE, import.meta.url).href }));
  });

export function stage(playground: Playground): void {
  const { root, app } = playground;
  if (playground.shows("stage")) void showFilm(playground);
  let loading = false;
  const load = async (): Promise<void> => {
    if (loading) return;
    loading = true;
    try {
      const module = await later(() => import("./watch"));
      if (module && (await styled(byId(root, "watch", HTMLElement)))) {
        new module.Watch(playground);
        return;
      }
    } catch (error) {
      app.failure.value = detailOf(error);
    }
    loading = false;
    app.look({ watched: undefined });
  };
  byId(root, "watch-open", HTMLButtonElement).addEventListener("click", () => playground.watching.watch(1));
  effect(() => {
    if (app.view.value.watched && playground.shows("stage")) untracked(() => void load());
  });
}

/** Plays the film of the preset that is shown, until the stage is open. A change of the settings takes it away. */
async function showFilm({ root, app }: Playground): Promise<void> {
  let projector: Projector;
  try {
    projector = new (await import("./film")).Projector(byId(root, "film", HTMLElement));
  } catch {
    return; // the page works without its film
  }
  effect(() => {
    const preset = app.preset.value;
    const own = app.spec.value === preset.spec || app.checked.value?.link === preset.link;
    projector.show(own && !app.view.value.watched ? figureName(preset) : undefined);
  });
}
