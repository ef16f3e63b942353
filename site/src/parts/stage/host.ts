// The page's end of the connection to the stage. It answers the stage's first message with
// a port, and tells each stage that starts what to show.

import type { StageView } from "../../formats";
import { type FromStage, hello, helloLetters, helloStill, type ToStage } from "../../stage-messages";

/** How many WebGL contexts may be lost before the stage draws without WebGL. */
const mostLost = 3;

export class StageHost {
  #port: MessagePort | undefined;
  #ready = false;
  #met = false;
  #lost = 0;
  /** Whether the canvas lacks letters of what is shown. */
  #letters = false;
  #trace: Uint8Array<ArrayBuffer> | undefined;
  #view: StageView = {};
  /** How many traces the present stage has been sent. */
  #traces = 0;

  constructor(
    private readonly frame: HTMLIFrameElement,
    private readonly listener: (message: FromStage) => void,
  ) {
    addEventListener("message", this.#meet);
  }

  show(trace: Uint8Array<ArrayBuffer>, view: StageView): void {
    this.#trace = trace;
    this.#view = view;
    if (this.#ready) this.#traces++;
    this.send({ kind: "trace", trace, view });
  }

  look(view: StageView): void {
    this.#view = view;
    this.send({ kind: "view", view });
  }

  /** Sends a message to the stage, if it is ready. A stage that becomes ready later gets the trace and the view in any case. */
  send(message: ToStage): void {
    if (this.#ready) this.#port?.postMessage(message);
  }

  /** Whether the stage has sent its first message. */
  get met(): boolean {
    return this.#met;
  }

  close(): void {
    removeEventListener("message", this.#meet);
    this.#port?.close();
  }

  readonly #meet = ({ source, data }: MessageEvent<unknown>): void => {
    if (source !== this.frame.contentWindow || data !== hello) return;
    this.#port?.close();
    this.#ready = false;
    this.#met = true;
    this.#traces = 0;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.onmessage = ({ data: message }: MessageEvent<FromStage>) => this.#hear(message);
    // A sandboxed page has no origin to name; the source was checked.
    this.frame.contentWindow?.postMessage(this.#letters ? helloLetters : this.#lost > mostLost ? helloStill : hello, "*", [port2]);
  };

  #hear(message: FromStage): void {
    if ("traces" in message && message.traces !== this.#traces) return; // it is about a trace that is not shown any more
    switch (message.kind) {
      case "ready":
        this.#ready = true;
        if (this.#trace) this.show(this.#trace, this.#view);
        break;
      case "moment":
        this.#view = { ...this.#view, moment: message.moment, step: message.step };
        break;
      case "letters":
        this.#ready = false;
        this.#letters = true;
        break;
      case "lost":
        this.#ready = false;
        this.#lost++;
        break;
    }
    this.listener(message);
  }
}
