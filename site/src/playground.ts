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

const css = `:host{display:block}
  button{display:block;width:100%;padding:0;border:0;background:none;color:inherit;font:inherit;cursor:pointer}
  img{display:block;width:100%;height:auto}
  .blank{display:grid;place-content:center;aspect-ratio:16/9;padding:1em;box-sizing:border-box;overflow-wrap:anywhere}
  .call{display:inline-block;margin:.5em;padding:.3em .9em}
  .blank,.call{border:var(--playground-border,1px solid);border-radius:var(--playground-radius,4px)}
  iframe{display:block;width:100%;height:var(--playground-height,640px);border:0}
  ::slotted(a){display:inline-block;margin-top:.25em}`;
let style: CSSStyleSheet | undefined;

/** The attributes that are also properties of the same name. HTML has title already. */
const texts = ["preset", "link", "theme", "ui", "heading", "poster"];

/** After so many milliseconds without a word, the page in a frame is not ours. */
const patience = 3000;

/** An element's part, for the styles of other pages. */
const part = (name: string): DOMTokenList => name as unknown as DOMTokenList; // the browser takes a text

// A server has no elements; there, the module can be imported and does nothing.
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

export class Playground extends Base {
  static readonly observedAttributes = [...texts, "title", "inline"];

  readonly #root = this.attachShadow({ mode: "open" });
  /** What shows the playground: its frame, or its box in the page. */
  #frame: HTMLElement | undefined;
  /** The playground in the box, once it is loaded. */
  #inlined: Inlined | undefined;
  /** The commands to send when the playground is ready. Undefined: it is ready. */
  #waiting: Command[] | undefined;
  #changed = false;
  /** Whether the playground has said anything. */
  #heard = false;

  /** Opens the playground, which shows what is asked for and runs nothing that a link would not. */
  open(): void {
    this.#settle(); // the call is about the attributes that were set before it
    if (!this.isConnected) return;
    const refusal = this.#refusal;
    if (refusal) this.#fail(refusal);
    else if (!this.#frame) this.#open();
  }

  /** Frees what the playground holds, and shows the picture again. */
  stop(): void {
    this.#leave();
    if (this.isConnected) this.#draw();
  }

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
    if (!style) (style = new CSSStyleSheet()).replaceSync(css);
    this.#root.adoptedStyleSheets = [style];
    // Properties that were set before the element was defined hide those of the class.
    for (const name of [...texts, "inline"] as (keyof this)[]) {
      if (!Object.hasOwn(this, name)) continue;
      const value = this[name];
      delete this[name];
      this[name] = value;
    }
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

  /** The link with the heading, if it has none of its own. */
  get #hash(): string {
    const link = this.#get("link").replace(/^#/, "");
    const heading = this.#get("heading");
    return heading && !/(^|&)heading=/.test(link) ? `${link}${link && "&"}heading=${encodeURIComponent(heading)}` : link;
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
      this.#refuse(refusal);
    } else if (this.#frame) this.#open();
    else if (image && src)
      Object.assign(image, { src, alt: this.#title }); // the button keeps the focus
    else this.#put(this.#picture());
  }

  /** Shows a sentence in place of the playground, and says it in an event. */
  #refuse(detail: string): void {
    this.#leave(); // the next command tries again
    this.#put(make("p", { part: part("message"), textContent: detail }));
    this.#fail(detail);
  }

  /** Whoever has just put the element into the page may still be about to listen. */
  #fail(detail: string): void {
    setTimeout(() => this.#dispatch({ type: "error", detail }));
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
      { className: "blank", part: part("poster") },
      make("strong", { textContent: title }),
      make("span", { textContent: "Causal PSRL, computed in this page" }),
    );
    const image = make("img", { part: part("poster"), loading: "lazy", src: poster, alt: title, width: 720, height: 405 });
    image.onerror = () => image.replaceWith(blank);
    const button = make(
      "button",
      { part: part("button"), type: "button" },
      poster ? image : blank,
      make("span", { part: part("call"), className: "call", textContent: "▶ Try it here" }),
    );
    button.onclick = () => {
      this.run();
      this.#frame?.focus();
    };
    return button;
  }

  #leave(): void {
    this.#inlined?.leave();
    const open = this.#frame;
    this.#frame = this.#inlined = undefined;
    if (open) this.#dispatch({ type: "closed" });
  }

  #open(): void {
    this.#leave();
    this.#waiting = [];
    this.#heard = false;
    if (!FRAMES || this.hasAttribute("inline")) this.#mount();
    else this.#load();
  }

  /** Shows the playground in the page. */
  #mount(): void {
    const box = (this.#frame = make("div", { part: part("frame"), tabIndex: -1 }));
    this.#put(box);
    load()
      .then(({ inline }) =>
        inline(
          box.attachShadow({ mode: "open" }),
          (name) => (name === "link" ? this.#hash : this.#get(name)),
          (message) => box === this.#frame && this.#said(message),
        ),
      )
      .then(
        (inlined) => (box === this.#frame ? (this.#inlined = inlined) : inlined.leave()),
        ({ message }: Error) => {
          if (box === this.#frame) this.#refuse(`The playground could not be loaded: ${message}`);
        },
      );
  }

  /** Shows the playground in a frame. */
  #load(): void {
    const preset = this.#get("preset");
    const url = new URL(preset ? `${preset}/` : ".", site);
    url.search = String(new URLSearchParams({ embed: "1", theme: this.#get("theme"), ui: this.#get("ui") }));
    url.hash = this.#hash;
    const frame = (this.#frame = make("iframe", { part: part("frame"), src: url.href, title: this.#title, allow: "clipboard-write" }));
    // A browser does not tell that the page of a frame could not be loaded.
    frame.onload = () =>
      setTimeout(() => frame === this.#frame && !this.#heard && this.#fail(`The playground could not be loaded: ${site} does not answer.`), patience);
    this.#put(frame);
  }

  /** Sends a command to the playground, and opens it if need be. */
  tell(command: Command): void {
    this.open();
    if (!this.#frame) return;
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
    this.#heard = true;
    if (type === "height") this.#frame!.style.height = `${height}px`;
    if (type === "ready") {
      const waiting = this.#waiting ?? [];
      this.#waiting = undefined;
      for (const command of waiting) this.tell(command);
    }
    if (type !== "height") this.#dispatch(data);
  }

  #dispatch(detail: Message): void {
    this.dispatchEvent(new CustomEvent(detail.type, { detail }));
  }
}

for (const name of texts) {
  Object.defineProperty(Playground.prototype, name, {
    get(this: Playground) {
      return this.getAttribute(name) ?? "";
    },
    set(this: Playground, text: unknown) {
      if (text == null) this.removeAttribute(name);
      else this.setAttribute(name, `${text}`);
    },
  });
}
Object.defineProperty(Playground.prototype, "inline", {
  get(this: Playground) {
    return this.hasAttribute("inline");
  },
  set(this: Playground, on: unknown) {
    this.toggleAttribute("inline", Boolean(on));
  },
});

const elements = globalThis.customElements;
if (elements && !elements.get("cpsrl-playground")) elements.define("cpsrl-playground", Playground);
