// The read-out: the values at the episode that the pointer or the keys lead to.

import { batch, effect } from "@preact/signals-core";
import { render } from "lit-html";
import { styleOf } from "../../agents";
import { byId } from "../../dom";
import type { Playground } from "../../state/playground";
import { ledTo } from "./keys";
import { readout, spoken } from "./readout";
import type { Showing } from "./showing";
import { watch } from "./watching";

export function reading(playground: Playground, showing: Showing, box: HTMLElement): void {
  const { root, app } = playground;
  const { columns, curves, number, hidden, picture, pointed, held, chart } = showing;

  const body = byId(root, "readout", HTMLTableElement);
  effect(() => {
    const last = Math.max(1, ...curves.value.map(({ episodes }) => episodes.at(-1) ?? 1));
    const episode = pointed.value ?? last;
    chart.value?.point(pointed.value, held.value);
    body.hidden = picture.value === undefined;
    const hide = (label: string, on: boolean): void => {
      const now = app.view.value.hidden ?? [];
      const labels = on ? [...now, label] : now.filter((other) => other !== label);
      app.look({ hidden: labels.length === 0 ? undefined : labels });
    };
    render(readout(columns.value, hidden.value, hide, episode, number.value, chart.value?.dashes), body);
    if (!picture.value) return;
    box.ariaValueNow = String(episode);
    const run = chart.value?.runsAt(episode).find(({ agent, run }) => agent === held.value?.agent && run === held.value.run);
    box.ariaValueText =
      (run ? `${styleOf(run.agent).name}, run ${run.run}: ${run.words ?? number.value(run.value)}. ` : "") +
      spoken(columns.value, hidden.value, episode, number.value);
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
  const follow = (event: PointerEvent): void => {
    if (!chart.value) return;
    const { dotted } = chart.value;
    const whose = chart.value.whoseAt(event.clientX, event.clientY);
    batch(() => {
      held.value = whose?.run === undefined ? undefined : whose;
      pointed.value = dotted ? whose?.episode : snapped(chart.value!.episodeAt(event.clientX));
    });
  };
  let focused = false;
  box.addEventListener("pointermove", follow);
  box.addEventListener("pointerdown", follow);
  box.addEventListener("pointerleave", () => {
    if (!focused) pointed.value = held.value = undefined;
  });
  box.addEventListener("focus", () => (focused = true));
  box.addEventListener("blur", () => {
    focused = false;
    pointed.value = held.value = undefined;
  });
  box.addEventListener("keydown", (event) => {
    if (!chart.value || event.ctrlKey || event.altKey || event.metaKey) return;
    const list = steps();
    const now = pointed.value === undefined ? list.length : list.findIndex((episode) => episode >= pointed.value!);
    const to = ledTo(event, now, list.length);
    const { dotted } = chart.value;
    const runs = chart.value.runsAt(pointed.value ?? list.at(-1) ?? 1);
    const forward = event.key === "ArrowDown" || (dotted && event.key === "ArrowRight");
    const back = event.key === "ArrowUp" || (dotted && event.key === "ArrowLeft");
    if (event.key === "Escape") pointed.value = held.value = undefined;
    else if (event.key === "Enter" && playground.shows("stage")) watch(playground, showing, pointed.value ?? list.at(-1) ?? 1, held.value);
    else if (runs.length > 0 && (forward || back)) {
      const place = runs.findIndex(({ agent, run }) => agent === held.value?.agent && run === held.value.run);
      const next = forward ? place + 1 : place < 0 ? runs.length - 1 : place - 1;
      batch(() => {
        held.value = runs[Math.min(runs.length - 1, Math.max(0, next))];
        pointed.value = held.value?.episode ?? pointed.value ?? list.at(-1) ?? 1;
      });
    } else if (!dotted && to !== undefined) pointed.value = list[to];
    else return;
    event.preventDefault();
  });
}
