// The read-out: the values at the episode that the pointer leads to, or that a click or the keys have
// chosen. The chart is a group of its picture and an input for the episode. While the stage shows an
// episode, the input goes through the stage's episodes.

import { batch, computed, effect } from "@preact/signals-core";
import { render } from "lit-html";
import { standardOf, styleOf } from "../../agents";
import { byId } from "../../dom";
import type { Playground } from "../../state/playground";
import { figureName } from "../../state/figures";
import { ledTo } from "./keys";
import { readout, spoken } from "./readout";
import type { Picked, Showing } from "./showing";
import { watch } from "./watching";

export function reading(playground: Playground, showing: Showing, box: HTMLElement): void {
  const { root, app, watching } = playground;
  const { columns, curves, number, hidden, picture, pointed, picked, own, held, chart } = showing;

  const body = byId(root, "readout", HTMLTableElement);
  const input = byId(root, "chart-episode", HTMLInputElement);
  /** The episode that the stage shows, if the chart has it. */
  const watched = computed(() => (own.value && playground.shows("stage") && !chart.value?.dotted ? watching.episode.value : undefined));
  const read = computed<Picked | undefined>(() => {
    if (pointed.value !== undefined) return { episode: pointed.value, whose: held.value };
    return picked.value && picked.value.episode <= (picture.value?.episodes ?? 0) ? picked.value : undefined;
  });
  const last = computed(() => Math.max(1, ...curves.value.map(({ episodes }) => episodes.at(-1) ?? 1)));
  effect(() => {
    const episode = read.value?.episode ?? last.value;
    chart.value?.point(read.value?.episode, read.value?.whose);
    if (body.dataset["still"] !== undefined) {
      // The page came with the numbers of its figure, which are of its preset and no other experiment.
      const its = app.checked.value === undefined || app.unchanged.value;
      if (!picture.value && its && body.dataset["still"] === figureName(app.preset.value)) return;
      delete body.dataset["still"];
      body.replaceChildren();
    }
    body.hidden = picture.value === undefined;
    const hide = (label: string, on: boolean): void => {
      const now = app.view.value.hidden ?? [];
      const labels = on ? [...now, label] : now.filter((other) => other !== label);
      app.look({ hidden: labels.length === 0 ? undefined : labels });
    };
    render(readout(columns.value, hidden.value, hide, episode, number.value, chart.value?.dashes), body);
  });
  effect(() => {
    if (!picture.value) return;
    const episode = read.value?.episode ?? watched.value ?? last.value;
    const { agents, firstRun = 0 } = app.spec.value;
    const { agent = standardOf(agents), run = firstRun } = app.view.value.watched ?? {};
    const whose = read.value?.whose;
    const line = chart.value?.runsAt(episode).find((of) => of.agent === whose?.agent && of.run === whose.run);
    const words = [
      `${episode} of ${picture.value.episodes}${watched.value === episode ? ", on the stage" : ""}`,
      ...(watched.value === episode ? [`${styleOf(agent).name}, run ${run}`] : []),
      ...(line ? [`${styleOf(line.agent).name}, run ${line.run}: ${line.words ?? number.value(line.value)}`] : []),
      spoken(columns.value, hidden.value, episode, number.value),
    ];
    input.value = String(episode);
    input.ariaValueText = words.join(". ");
  });
  /** The episodes that the keys step through: those of the longest curve of the main result. */
  const steps = (): Float64Array => {
    const { curves = [] } = columns.value.find((column) => column.curves.length > 0) ?? {};
    const [first, ...others] = curves.map(({ episodes }) => episodes);
    return others.reduce((longest, list) => (list.length > longest.length ? list : longest), first ?? new Float64Array());
  };
  const snapped = (episode: number): number => {
    const list = Array.from(steps());
    const after = list.find((e) => e >= episode) ?? list.at(-1) ?? 1;
    const before = list.findLast((e) => e <= episode) ?? after;
    return episode - before < after - episode ? before : after;
  };
  const pick = (now: Picked | undefined): void =>
    batch(() => {
      pointed.value = held.value = undefined;
      picked.value = now;
    });
  /** What is at a place of the chart. */
  const at = ({ clientX, clientY }: MouseEvent): Picked | undefined => {
    if (!chart.value) return undefined;
    const whose = chart.value.whoseAt(clientX, clientY);
    if (chart.value.dotted) return whose?.episode === undefined ? undefined : { episode: whose.episode, whose };
    return { episode: snapped(chart.value.episodeAt(clientX)), whose };
  };
  const follow = (event: PointerEvent): void => {
    const here = at(event);
    batch(() => {
      held.value = here?.whose?.run === undefined ? undefined : here.whose;
      pointed.value = here?.episode;
    });
  };
  box.addEventListener("pointermove", follow);
  box.addEventListener("pointerdown", follow);
  box.addEventListener("pointerleave", () => (pointed.value = held.value = undefined));
  box.addEventListener("pointerup", (event) => {
    if (event.pointerType !== "mouse" && watched.value === undefined) pick(at(event)); // a finger that was drawn across the chart
  });
  // A click moves the reading. If the stage is open, it moves the stage's episode; nothing is loaded for a click.
  box.addEventListener("click", (event) => {
    const here = at(event);
    if (!here) return;
    if (app.view.value.watched && playground.shows("stage")) {
      const whose = own.value ? here.whose : undefined;
      watch(playground, showing, whose?.episode ?? chart.value!.episodeAt(event.clientX), whose);
    } else pick(here);
    input.focus({ preventScroll: true });
  });
  input.addEventListener("input", () => {
    const episode = Number(input.value);
    if (watched.value !== undefined) watching.seek(episode);
    else if (!chart.value?.dotted) pick({ episode: snapped(episode) });
  });
  input.addEventListener("keydown", (event) => {
    if (!chart.value || event.ctrlKey || event.altKey || event.metaKey) return;
    const list = steps();
    const now = read.value === undefined ? list.length : list.findIndex((episode) => episode >= read.value!.episode);
    const to = ledTo(event, now, list.length);
    const { dotted } = chart.value;
    const runs = chart.value.runsAt(read.value?.episode ?? watched.value ?? list.at(-1) ?? 1);
    const forward = event.key === "ArrowDown" || (dotted && event.key === "ArrowRight");
    const back = event.key === "ArrowUp" || (dotted && event.key === "ArrowLeft");
    const whose = read.value?.whose;
    if (event.key === "Escape") pick(undefined);
    else if (runs.length > 0 && (forward || back)) {
      const place = runs.findIndex(({ agent, run }) => agent === whose?.agent && run === whose.run);
      const next = forward ? place + 1 : place < 0 ? runs.length - 1 : place - 1;
      const run = runs[Math.min(runs.length - 1, Math.max(0, next))];
      pick({ episode: run?.episode ?? read.value?.episode ?? watched.value ?? list.at(-1) ?? 1, whose: run });
    } else if (watched.value !== undefined) {
      const episode = ledTo(event, watched.value - 1, app.spec.value.episodes);
      if (episode === undefined) return;
      pick(undefined);
      watching.seek(episode + 1);
    } else if (!dotted && to !== undefined) pick({ episode: list[to]!, whose });
    else return;
    event.preventDefault();
  });
}
