// The page in a frame of another page: messages to and from its parent, and its height.

import { Guest, type Message } from "./embed";
import type { Playground } from "./mount";

export function frame(playground: Playground): void {
  const say = (message: Message): void => {
    // Nothing of it is secret: any page may frame this one.
    if (parent !== window) parent.postMessage({ cpsrl: 1, ...message }, "*");
  };
  const guest = new Guest(playground, document.body, say);
  if (parent !== window) {
    addEventListener("message", ({ source, data }: MessageEvent<unknown>) => {
      if (source === parent && typeof data === "object" && data !== null && "cpsrl" in data) guest.hear(data);
    });
  }
  const height = new Height(playground, say);
  new ResizeObserver(() => height.measure()).observe(document.body);
  void playground.ready.then(() => height.measure());
  playground.hearers.add({ progress() {}, finished: () => void setTimeout(() => height.measure()) });
}

/** Tells the host how high the frame has to be. */
class Height {
  /** The heights last told, at the widths of then. */
  #sizes: readonly { readonly width: number; readonly height: number }[] = [];
  #settling: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly playground: Playground,
    private readonly say: (message: Message) => void,
  ) {}

  /** Tells a greater height at once, and a smaller one when it has stood still for a moment. */
  measure(settled = false): void {
    clearTimeout(this.#settling);
    const now = { width: innerWidth, height: Math.ceil(document.documentElement.getBoundingClientRect().height) };
    const { width, height } = this.#sizes.at(-1) ?? { width: 0, height: 0 };
    if (now.height === height) return;
    if (now.height < height) {
      if (this.playground.runner.experiment) return; // a host's text stands still
      if (!settled) {
        this.#settling = setTimeout(() => this.measure(true), 250);
        return;
      }
      // The height may bring the host a scroll bar, which makes the frame narrower and so, at times, less
      // high, which takes the scroll bar away. The second time round the frame stays as high as it is.
      const bar = now.width !== width && Math.abs(now.width - width) <= 20;
      if (bar && this.#sizes.some((told) => told.width === now.width && told.height === now.height)) return;
    }
    this.#sizes = [...this.#sizes.slice(-5), now];
    this.say({ type: "height", height: now.height });
  }
}
