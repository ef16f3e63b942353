// The curves once more, small at the foot of a narrow page, while someone is at the prior and the chart is out of sight.

import { effect, signal } from "@preact/signals-core";
import { byId } from "../../dom";
import type { Playground } from "../../state/playground";
import type { Showing } from "./showing";

export function mini({ root, ends }: Playground, { chart }: Showing): void {
  const place = byId(root, "mini", HTMLElement);
  const prior = byId(root, "prior", HTMLElement);
  const box = byId(root, "chart", HTMLElement);
  const seen = signal({ prior: false, chart: false });
  const touched = signal(false);
  const watch = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) seen.value = { ...seen.value, [target === prior ? "prior" : "chart"]: isIntersecting };
  });
  watch.observe(prior);
  watch.observe(box);
  ends.add(() => watch.disconnect());
  for (const type of ["pointerdown", "keydown"])
    prior.addEventListener(type, ({ target }) => (touched.value ||= !(target instanceof Element && target.closest('[role="tablist"]'))));
  effect(() => {
    const of = chart.value;
    const { prior, chart: near } = seen.value;
    place.hidden = !of || !touched.value || !prior || near;
    if (of && !place.hidden) place.replaceChildren(of.miniature());
  });
}
