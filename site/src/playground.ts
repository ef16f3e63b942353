// <cpsrl-playground preset="fig2c">a link for everyone else</cpsrl-playground>
// shows a picture. On click it shows the playground and runs it, in a frame or, with the
// attribute inline, in the page itself. site/docs/host.md describes its commands and events.
// A page may include this file as a script or as a module, and more than once.

import { load, pictureOf, site } from "cpsrl:home";
import { make } from "./dom";
import type { Message } from "./embed";
import type { Inlined } from "./inline";

/** The names of the presets, each of which has a picture. */
declare const PRESETS: readonly string[];
/** Whether the playground may be in a frame. The npm package has no page to frame. */
declare const FRAMES: boolean;

/** A message, perhaps from the frame (site/host-api.schema.json), perhaps from someone else. */
type Said = (Message & { readonly cpsrl?: unknown }) | null | undefined;
/** A command (site/host-api.schema.json); the playground checks it. */
type Command = { readonly type: string; readonly [member: string]: unknown };

const style = new CSSStyleSheet();
style.replaceSync(`:host{display:block}
  button{display:block;width:100%;padding:0;border:0;background:none;color:inherit;font:inherit;cursor:pointer}
  img{display:block;width:100%;height:auto}
  .blank{display:grid;place-content:center;aspect-ratio:16/9;padding:1em;box-sizing:border-box;overflow-wrap:anywhere}
  .call{display:inline-block;margin:.5em;padding:.3em .9em}
  .blank,.call{border:1px solid;border-radius:4px}
  iframe{display:block;width:100%;height:640px;border:0}
  ::slotted(a){display:inline-block;margin-top:.25em}`);

class Playground extends HTMLElement {
  static readonly observedAttributes = ["preset", "link", "theme", "ui", "title", "poster", "inline"];

  readonly #root = this.attachShadow({ mode: "open" });
  /** What shows the playground: its frame, or its box in the page. */
  #frame: HTMLElement | undefined;
  /** The playground in the box, once it is loaded. */
  #inlined: Inlined | undefined;
  /** The commands to send when the playground is ready. Undefined: it is ready. */
  #waiting: Command[] | undefined;
  #changed = false;

  /** Runs what is shown, if that is within the budget of links, or goes on after a pause. */
  run(): void {
    this.tell({ type: "run" });
  }

  pause(): void {
    if (this.#frame) this.tell({ type: "pause" });
  }

  /** Shows another experiment in the same playground. */
  show(link: string): void {
    this.tell({ type: "state", link });
  }

  setTheme(theme: string): void {
    this.setAttribute("theme", theme);
  }

  connectedCallback(): void {
    this.#root.adoptedStyleSheets = [style];
    addEventListener("message", this.#hear);
    this.#draw();
  }

  disconnectedCallback(): void {
    removeEventListener("message", this.#hear);
    this.#leave(); // a frame that is moved begins anew in any case
    this.#root.replaceChildren();
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    const drawn = this.#root.hasChildNodes(); // false while the parser sets the attributes of the tag
    if (!drawn || before === now) return;
    if (this.#frame && name === "theme" && !this.#changed) this.tell({ type: "theme", theme: now || "auto" });
    else if (this.#frame && name === "title") this.#frame.title = this.#title;
    else if (!this.#changed && !(this.#frame && name === "poster")) {
      this.#changed = true; // several attributes may change at once
      queueMicrotask(() => this.#settle());
    }
  }

  /** Draws the attributes that have changed. */
  #settle(): void {
    if (!this.#changed) return;
    this.#changed = false;
    if (this.isConnected) this.#draw();
  }

  #get(name: string): string {
    return (this.getAttribute(name) ?? "").trim();
  }

  get #title(): string {
    return this.#get("title") || this.textContent.trim() || "C-PSRL playground";
  }

  get #refusal(): string {
    const preset = this.#get("preset");
    const link = this.#get("link");
    if (preset && !PRESETS.includes(preset)) return `There is no preset “${preset.slice(0, 40)}”: the presets are ${PRESETS.join(", ")}.`;
    if (link && !/^#?\w+=[^#]*$/.test(link)) return "The link names no experiment, such as v=1&domain=figure1.";
    return "";
  }

  #draw(): void {
    const refusal = this.#refusal;
    const image = this.#root.querySelector("img");
    const src = this.#get("poster");
    if (refusal) {
      this.#leave();
      this.#put(make("p", { textContent: refusal }));
    } else if (this.#frame) this.#open();
    else if (image && src)
      Object.assign(image, { src, alt: this.#title }); // the button keeps the focus
    else this.#put(this.#picture());
  }

  /** Shows this content, and below it the children of the element: the link for everyone else. */
  #put(content: HTMLElement): void {
    this.#root.replaceChildren(content, document.createElement("slot"));
  }

  #picture(): HTMLElement {
    const preset = this.#get("preset");
    const link = this.#get("link");
    const problem = /\bdomain=([\w-]+)/.exec(link)?.[1];
    const poster = this.#get("poster") || (problem ? pictureOf(`problem-${problem}`) : preset && !link ? pictureOf(preset) : "");
    const title = this.#title;
    const blank = make(
      "span",
      { className: "blank" },
      make("strong", { textContent: title }),
      make("span", { textContent: "Causal PSRL, computed in this page" }),
    );
    const image = make("img", { loading: "lazy", src: poster, alt: title, width: 720, height: 405 });
    image.onerror = () => image.replaceWith(blank);
    const button = make("button", { type: "button" }, poster ? image : blank, make("span", { className: "call", textContent: "▶ Try it here" }));
    button.onclick = () => {
      this.run();
      this.#frame?.focus();
    };
    return button;
  }

  #leave(): void {
    this.#inlined?.leave();
    this.#frame = this.#inlined = undefined;
  }

  #open(): void {
    this.#leave();
    this.#waiting = [];
    if (!FRAMES || this.hasAttribute("inline")) this.#mount();
    else this.#load();
  }

  /** Shows the playground in the page. */
  #mount(): void {
    const box = (this.#frame = make("div", { tabIndex: -1 }));
    this.#put(box);
    load()
      .then(({ inline }) =>
        inline(
          box.attachShadow({ mode: "open" }),
          (name) => this.#get(name),
          (message) => box === this.#frame && this.#said(message),
        ),
      )
      .then(
        (inlined) => (box === this.#frame ? (this.#inlined = inlined) : inlined.leave()),
        ({ message }: Error) => {
          if (box !== this.#frame) return;
          this.#leave(); // the next command tries again
          this.#put(make("p", {}, `The playground could not be loaded: ${message}`));
        },
      );
  }

  /** Shows the playground in a frame. */
  #load(): void {
    const preset = this.#get("preset");
    const url = new URL(preset ? `${preset}/` : ".", site);
    url.search = String(new URLSearchParams({ embed: "1", theme: this.#get("theme"), ui: this.#get("ui") }));
    url.hash = this.#get("link");
    this.#frame = make("iframe", { src: url.href, title: this.#title, allow: "clipboard-write" });
    this.#put(this.#frame);
  }

  /** Sends a command to the playground, and opens it if need be. */
  tell(command: Command): void {
    this.#settle(); // the command is about the attributes that were set before it
    if (!this.isConnected || this.#refusal) return;
    if (!this.#frame) this.#open();
    if (this.#waiting) this.#waiting.push(command);
    else if (this.#inlined) this.#inlined.hear({ ...command, cpsrl: 1 });
    else (this.#frame as HTMLIFrameElement).contentWindow?.postMessage({ ...command, cpsrl: 1 }, "*"); // a sandboxed frame has no origin to name, and commands hold no secrets
  }

  /** Takes the messages of the frame. In a sandboxed page, both the page and its frames have the origin "null". */
  readonly #hear = ({ source, origin, data }: MessageEvent<Said>): void => {
    const { contentWindow } = (this.#frame ?? {}) as Partial<HTMLIFrameElement>;
    if (source && source === contentWindow && (origin === site.origin || origin === self.origin) && data?.cpsrl === 1) this.#said(data);
  };

  #said(data: Message): void {
    const { type, height } = data;
    if (type === "height") this.#frame!.style.height = `${height}px`;
    if (type === "ready") {
      const waiting = this.#waiting ?? [];
      this.#waiting = undefined;
      for (const command of waiting) this.tell(command);
    }
    if (type !== "height") this.dispatchEvent(new CustomEvent(type, { detail: data }));
  }
}

if (!customElements.get("cpsrl-playground")) customElements.define("cpsrl-playground", Playground);
