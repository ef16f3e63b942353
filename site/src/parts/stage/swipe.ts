// World and graph side by side, or one of them and a swipe to the other (style.css).

import { type ReadonlySignal, signal } from "@preact/signals-core";

/** The least width for both, in pixels. */
const wide = 568;

/** Whether a swipe leads from one to the other in an element; undefined: it is not displayed. */
export function swipes(host: Element): ReadonlySignal<boolean | undefined> {
  const swiped = signal<boolean | undefined>(undefined);
  new ResizeObserver(([entry]) => {
    const width = entry?.contentRect.width ?? 0;
    swiped.value = width === 0 ? undefined : width < wide;
  }).observe(host);
  return swiped;
}
