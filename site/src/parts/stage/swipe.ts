// Whether world and graph are side by side, or a swipe leads from one to the other (style.css).

import { type ReadonlySignal, signal } from "@preact/signals-core";
import { onResize } from "../../dom";

/** The least width that shows both, in CSS px. */
const wide = 568;

/** Whether there is room for only one of them in an element, so that a swipe leads to the other. Undefined: the element is not displayed. */
export function swipes(host: Element): ReadonlySignal<boolean | undefined> {
  const swiped = signal<boolean | undefined>(undefined);
  onResize(({ contentRect: { width } }) => {
    swiped.value = width === 0 ? undefined : width < wide;
  }, host);
  return swiped;
}
