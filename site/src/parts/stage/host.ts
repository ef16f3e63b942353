// The page's end of the stage: it answers a stage's first words with a port and
// tells each stage that starts what to show.

import { type FromStage, hello, helloStill, type StageView, type ToStage } from "../../stage-messages";

/** How many canvases may be lost before the stage does without. */
const patience = 3;

export class StageHost {
  readonly #frame: HTMLIFrameElement;
  readonly #listener: (message: FromStage) => void;
  #port: MessagePort | undefined;
  #ready = false;
  #met = false;
  #lost = 0;
  #trace: Uint8Array<ArrayBuffer> | undefined;
  #view: StageView = {};

  constructor(frame: HTMLIFrameElement, listener: (message: FromStage) => void) {
    this.#frame = frame;
    this.#listener = listener;
    addEventListener("message", this.#meet);
  }

  /** Shows a trace. */
  show(trace: Uint8Array<ArrayBuffer>, view: StageView): void {
    this.#trace = trace;
    this.#view = view;
    this.send({ kind: "trace", trace, view });
  }

  /** Shows another view of the trace. */
  look(view: StageView): void {
    this.#view = view;
    this.send({ kind: "view", view });
  }

  /** Says something to the stage, if there is one: it is told the trace and the view anyway. */
  send(message: ToStage): void {
    if (this.#ready) this.#port?.postMessage(message);
  }

  /** Whether the stage has spoken at all. */
  get met(): boolean {
    return this.#met;
  }

  close(): void {
    removeEventListener("message", this.#meet);
    this.#port?.close();
  }

  readonly #meet = ({ source, data }: MessageEvent<unknown>): void => {
    if (source !== this.#frame.contentWindow || data !== hello) return;
    this.#port?.close();
    this.#ready = false;
    this.#met = true;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.onmessage = ({ data: message }: MessageEvent<FromStage>) => this.#hear(message);
    // A sandboxed page has no origin to name; the source was checked.
    this.#frame.contentWindow?.postMessage(this.#lost > patience ? helloStill : hello, "*", [port2]);
  };

  #hear(message: FromStage): void {
    switch (message.kind) {
      case "ready":
        this.#ready = true;
        if (this.#trace) this.show(this.#trace, this.#view);
        break;
      case "moment":
        this.#view = { ...this.#view, moment: message.moment, step: message.step };
        break;
      case "lost":
        this.#ready = false;
        this.#lost++;
        break;
    }
    this.#listener(message);
  }
}
