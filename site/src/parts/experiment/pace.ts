// How often the chart is drawn during a run.

import { effect, signal, untracked } from "@preact/signals-core";
import { calm } from "../../calm";

/** The least time between two pictures of a run, in milliseconds, and the same with reduced motion. */
const pace = 200;
const calmPace = 1000;
/** The time between two pictures is also at least this many times as long as drawing one takes. */
const share = 10;

/** A signal that follows another one: at once, or while busy only as often as leaves time to compute. */
export function paced<T>(source: { readonly value: T }, busy: () => boolean) {
  const shown = signal(source.value);
  /** How long the last picture took to draw, in milliseconds. */
  let cost = 0;
  let last = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const take = (): void => {
    clearTimeout(timer);
    timer = undefined;
    last = performance.now();
    shown.value = source.value;
  };
  let wasBusy = false;
  effect(() => {
    void source.value;
    const now = busy();
    untracked(() => {
      const wait = now && wasBusy ? last + Math.max(calm.matches ? calmPace : pace, share * cost) - performance.now() : 0;
      wasBusy = now;
      if (!now || (wait <= 0 && !timer)) take();
      else timer ??= setTimeout(() => requestAnimationFrame(take), Math.max(0, wait));
    });
  });
  return {
    get value(): T {
      return shown.value;
    },
    /** Notes how long a picture took to draw. */
    took: (milliseconds: number): void => void (cost = milliseconds),
  };
}
