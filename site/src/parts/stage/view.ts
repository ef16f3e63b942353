// The film, and the button that opens the stage. The stage itself is loaded when someone
// presses the button or a link says what is watched.

import { effect, untracked } from "@preact/signals-core";
import { html, render } from "lit-html";
import { byId } from "../../dom";
import { detailOf } from "../../engine/engine";
import { later } from "../../lost";
import type { Playground } from "../../state/playground";
import { figureName } from "../../state/figures";
import { styled } from "../../styles";
import type { Projector } from "./film";

export function stage(playground: Playground): void {
  const { root, app } = playground;
  let film: Projector | undefined;
  if (playground.shows("stage")) void showFilm(playground).then((shown) => (film = shown));
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
  byId(root, "watch-open", HTMLButtonElement).addEventListener("click", () => playground.watching.watch(film?.episode ?? 1));
  effect(() => {
    if (app.view.value.watched && playground.shows("stage")) untracked(() => void load());
  });
}

/**
 * Shows a film of the run in the stage's place, until the stage is painted: the preset's film, or after an edit the one
 * that the engine draws of the run with the new settings. The stage takes 3.5 MB and is loaded only on request.
 */
async function showFilm({ root, app, watching, preview }: Playground): Promise<Projector | undefined> {
  const made = await later(() => import("./film")); // the page has the film's first picture
  if (!made) return;
  const film = byId(root, "film", HTMLElement);
  const projector = new made.Projector(
    film,
    () => app.phase.value === "running" || app.view.value.watched !== undefined,
    () => watching.passing.value ?? app.view.value.watched?.episode,
    (of) => void (app.filmed.value = of),
    (episode) => (app.view.value.watched ? watching.seek(episode) : watching.watch(episode)),
  );
  const about = byId(root, "watch-about", HTMLElement);
  const usual = about.textContent;
  about.replaceChildren(); // lit-html adds to what is there
  effect(() => {
    const asks = preview.asks.value;
    const failure = preview.failure.value;
    render(
      failure
        ? `This run cannot be shown: ${failure}`
        : asks !== undefined
          ? html`<button type="button" @click=${() => preview.press()}>Play the whole run</button>`
          : usual,
      about,
    );
    about.classList.toggle("asks", asks !== undefined || failure !== "");
  });
  effect(() => {
    const own = figureName(app.preset.value);
    const subject = preview.subject.value;
    const drawn = preview.film.value;
    if ((app.view.value.watched && watching.stage.value) || preview.bare.value) projector.show(undefined);
    else if (subject) projector.show({ of: subject.key, film: drawn?.key === subject.key ? drawn : undefined });
    else if (own !== undefined) projector.show({ of: own, preset: own });
  });
  return projector;
}
