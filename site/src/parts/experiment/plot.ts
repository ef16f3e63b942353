// The chart: its size, and the figure that the engine draws for it.

import { batch, effect, signal, untracked } from "@preact/signals-core";
import { byId, onResize } from "../../dom";
import { detailOf, draw } from "../../engine/engine";
import type { Playground } from "../../state/playground";
import { figureName } from "../../state/figures";
import { once } from "../../lost";
import { Latest } from "../../state/latest";
import { measureOf, nounOf } from "../../state/measures";
import type { Chart, Picture } from "./chart";
import type { Showing } from "./showing";
import { emptyWords } from "./words";

const noDifference = "These two lines have no difference in this measure.";

export function plot(playground: Playground, showing: Showing, box: HTMLElement): void {
  const { root, app, comparison: results } = playground;
  const { main, measure, paired, pairing, picture, chart } = showing;

  /** The module that writes the request and shows the answer. The page comes with a picture of its figure, so it is loaded once a figure is to be drawn. */
  const drawer = signal<typeof import("./chart") | undefined>(undefined);
  const wantDrawer = once(
    () => import("./chart"),
    (made) => void (drawer.value = made),
  );
  const width = signal(0);
  const height = signal(0);
  onResize(
    () =>
      batch(() => {
        width.value = box.clientWidth;
        height.value = box.clientHeight;
      }),
    box,
  );
  const empty = byId(root, "empty", HTMLElement);
  const put = (content: Element): void => {
    delete box.dataset["still"];
    empty.hidden = false;
    box.replaceChildren(content);
  };
  /** The last figure that was asked for, the figure that is shown, and whether the engine is drawing. */
  let wanted: { readonly figure: string; readonly picture: Picture; readonly high: number; readonly made: typeof import("./chart") } | undefined;
  let drawn = "";
  let drawing = false;
  /** Clearing the chart cancels the figures that were asked for before. */
  const cleared = new Latest();
  const clear = (): void => {
    cleared.next();
    drawn = "";
    chart.value = undefined;
    put(empty);
  };
  const drawWanted = async (): Promise<void> => {
    if (drawing) return;
    drawing = true;
    try {
      for (let next = wanted; next && next.figure !== drawn; next = wanted) {
        const { figure, picture, high, made } = next;
        const show = (of: Chart | undefined): void => {
          drawn = figure;
          of?.name(group.ariaLabel ?? "");
          put(of?.element ?? empty);
          if (performance.getEntriesByName("chart").length === 0) performance.mark("chart");
          chart.value = of;
        };
        if (picture.lines.length === 0) {
          show(undefined);
          empty.textContent = "Every curve is hidden: tick a box below.";
          continue;
        }
        box.ariaBusy = "true";
        const [begun, before] = [performance.now(), cleared.signal];
        const document = await draw(figure);
        app.fail("chart");
        main.took(performance.now() - begun);
        if (wanted && wanted.high !== high) continue; // this one would be cut off or leave a gap
        if (!before.aborted) show(picture.dots?.chart(document) ?? new made.Chart(document, picture.lines));
      }
    } catch (error) {
      empty.textContent = "The chart could not be drawn.";
      app.fail("chart", `The chart could not be drawn: ${detailOf(error)}`);
    } finally {
      box.ariaBusy = null;
      drawing = false;
    }
  };
  const input = byId(root, "chart-episode", HTMLInputElement);
  const group = box.parentElement!;
  effect(() => {
    const loading = results.loading.value;
    const still = box.dataset["still"];
    const own = still !== undefined && still === figureName(app.preset.value);
    if (still !== undefined && !own) clear();
    input.hidden = !picture.value;
    if (!picture.value) {
      if (loading && own) return; // the page came with the figure's picture
      wanted = undefined;
      clear();
      group.role = group.ariaLabel = null;
      empty.textContent = loading
        ? ""
        : paired.value
          ? (pairing.value?.words.value ?? "") || noDifference
          : emptyWords(main.value, measure.value, results.running.value, playground.shows("controls"));
      empty.classList.toggle("waiting", loading);
      return;
    }
    group.role = "group";
    group.ariaLabel = `${nounOf(measureOf(measure.value), app.about.value?.ends)}${paired.value ? ", difference" : ""} by episode${paired.value ? "" : ", by agent"}`;
    input.max = String(picture.value.episodes);
    if (width.value === 0) return;
    const made = drawer.value;
    if (!made) return wantDrawer();
    const figure = made.figureOf(picture.value, { width: width.value, height: height.value, type: 13, theme: "page", inline: true });
    wanted = { picture: picture.value, figure, high: height.value, made };
    untracked(() => void drawWanted());
  });
}
