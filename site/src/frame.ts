// The page inside a frame: it exchanges messages with its parent and tells it how high the frame has to be.

import { onResize } from "./dom";
import { Guest, type Message } from "./embed";
import type { Playground } from "./state/playground";

export function frame(playground: Playground): void {
  const say = (message: Message): void => {
    // Any page may frame this one, and no message is secret.
    if (parent !== window) parent.postMessage({ cpsrl: 1, ...message }, "*");
  };
  const guest = new Guest(playground, document.body, say);
  if (parent !== window) {
    addEventListener("message", ({ source, data }: MessageEvent<unknown>) => {
      if (source === parent && typeof data === "object" && data !== null && "cpsrl" in data) guest.hear(data);
    });
  }
  const height = new Height(playground, say);
  onResize(() => height.measure(), document.body);
  void playground.ready.then(() => height.measure());
  playground.hearers.add({ progress() {}, finished: () => void setTimeout(() => height.measure()) });
}

class Height {
  /** The last sizes that the host was told. */
  #sizes: readonly { readonly width: number; readonly height: number }[] = [];
  #settling: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly playground: Playground,
    private readonly say: (message: Message) => void,
  ) {}

  /** Reports a greater height at once, and a smaller one after it has stayed the same for a moment. */
  measure(settled = false): void {
    clearTimeout(this.#settling);
    const now = { width: innerWidth, height: Math.ceil(document.documentElement.getBoundingClientRect().height) };
    const { width, height } = this.#sizes.at(-1) ?? { width: 0, height: 0 };
    if (now.height === height) return;
    if (now.height < height) {
      if (this.playground.runner.experiment) return; // during a run the host's text must not jump
      if (!settled) {
        this.#settling = setTimeout(() => this.measure(true), 250);
        return;
      }
      // A greater height may give the host a scroll bar. That makes the frame narrower and perhaps less
      // high, which takes the scroll bar away again. The second time, the frame keeps its height.
      const bar = now.width !== width && Math.abs(now.width - width) <= 20;
      if (bar && this.#sizes.some((told) => told.width === now.width && told.height === now.height)) return;
    }
    this.#sizes = [...this.#sizes.slice(-5), now];
    this.say({ type: "height", height: now.height });
  }
}
