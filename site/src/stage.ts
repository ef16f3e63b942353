// The boot script of the stage's page. It loads the Go program, passes messages between the
// program and the parent page, and keeps Ebitengine away from the keyboard, the wheel and
// the clock. Without WebGL 2 the same program draws SVG, and everything else is the same.

/// <reference path="./engine/go.d.ts" />
import "wasm_exec";
import { drawing } from "./markup";
import { hello, helloLetters, helloStill, type FromStage, type ToStage } from "./stage-messages";

/** What the Go program finds as cpsrlStage. */
interface Host {
  /** Whether to draw SVG. */
  still: boolean;
  draw(svg: string): void;
  send(json: string): void;
  wake(): void;
  started(): void;
  failed(reason: string): void;
  receive?: (json: string, trace?: Uint8Array) => void;
}

const root = document.documentElement;
/** The addresses of what the stage loads; they are in the attributes of this script's tag. */
const { program, regular, bold } = document.currentScript!.dataset as { readonly program: string; readonly regular: string; readonly bold: string };
let port: MessagePort;
/** Why the stage draws SVG, if it does. */
let reason: string | undefined;
/** Ebitengine's canvas, or the element that replaces it. */
let surface: HTMLElement | undefined;

function post(message: FromStage): void {
  port.postMessage(message);
}

// --- Frames ---------------------------------------------------------------------
// Ebitengine asks for a frame after each frame. It gets one only when there is
// something to draw, so a page at rest does nothing.

const nextFrame = requestAnimationFrame.bind(window);
let asked: FrameRequestCallback | undefined;
let wanted = true;

function wake(): void {
  wanted = true;
  if (!asked) return;
  const frame = asked;
  asked = undefined;
  wanted = false;
  nextFrame(frame);
}

window.requestAnimationFrame = (frame) => {
  asked = frame;
  if (wanted) wake();
  return 0;
};

// --- Pixels ---------------------------------------------------------------------
// Ebitengine gives the canvas as many pixels as the body is wide and high. With
// device pixels the picture stays sharp at any ratio, even if the ratio changes.

Object.defineProperties(document.body, {
  clientWidth: { get: () => Math.round(innerWidth * devicePixelRatio) },
  clientHeight: { get: () => Math.round(innerHeight * devicePixelRatio) },
});

function watchRatio(): void {
  matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener(
    "change",
    () => {
      dispatchEvent(new Event("resize"));
      watchRatio();
    },
    { once: true },
  );
}

// --- The program ------------------------------------------------------------------

/** How many traces have come. */
let traces = 0;

const host: Host = {
  still: false,
  wake,
  draw(svg) {
    surface?.replaceChildren(drawing(svg));
  },
  send(json) {
    const message = JSON.parse(json) as FromStage;
    if (message.kind === "letters") location.reload(); // the parent then asks for SVG
    if (message.kind === "moment" || message.kind === "passed") {
      root.dataset["painted"] = "";
      surface?.setAttribute("aria-label", message.text);
    }
    if (message.kind === "focus") surface?.toggleAttribute("data-pointing", message.focus !== undefined);
    post(message.kind === "moment" || message.kind === "passed" || message.kind === "done" ? { ...message, traces } : message);
  },
  started() {
    // Ebitengine's loop begins later in this task.
    setTimeout(begin);
  },
  failed(reason) {
    post({ kind: "unavailable", detail: `The stage stopped: ${reason}.` });
  },
};
Object.assign(window, { cpsrlStage: host });

function tell(message: { readonly kind: string } & Record<string, unknown>, trace?: Uint8Array): void {
  host.receive?.(JSON.stringify(message), trace);
}

function tellSize(): void {
  if (innerWidth > 0) tell({ kind: "size", width: innerWidth, height: innerHeight, scale: devicePixelRatio });
}

const dark = matchMedia("(prefers-color-scheme: dark)");
const still = matchMedia("(prefers-reduced-motion: reduce)");

function tellMedia(): void {
  tell({ kind: "media", dark: dark.matches, still: still.matches });
}

function begin(): void {
  surface = takeSurface();
  if (!surface) return;
  surface.tabIndex = 0;
  surface.setAttribute("role", "img");
  surface.setAttribute("aria-label", "The stage");
  tellSize();
  tellMedia();
  addEventListener("resize", tellSize);
  dark.addEventListener("change", tellMedia);
  still.addEventListener("change", tellMedia);
  watchRatio();
  listen(surface);
  post({ kind: "ready", ...(reason !== undefined && { still: reason }) });
}

/** Returns the element that shows the picture. Ebitengine always makes a canvas; SVG needs an element in its place. */
function takeSurface(): HTMLElement | undefined {
  const canvas = document.querySelector("canvas") ?? undefined;
  if (!host.still || !canvas) return canvas;
  const sheet = document.createElement("div");
  sheet.id = "sheet";
  canvas.replaceWith(sheet);
  return sheet;
}

const spoken: ReadonlySet<string> = new Set<ToStage["kind"]>(["trace", "view", "episode", "play", "pause", "picture", "stats"]);

function hear({ data }: MessageEvent<ToStage>): void {
  if (!spoken.has(data?.kind)) {
    post({ kind: "refused", detail: "there is no message of this kind", pointer: "/kind" });
    return;
  }
  const { kind } = data;
  if (kind === "view" || kind === "trace") {
    if (data.view?.theme) root.dataset["theme"] = data.view.theme;
    else delete root.dataset["theme"];
  }
  if (kind === "trace") {
    traces++;
    const { trace, ...rest } = data;
    tell(rest, trace);
  } else {
    tell(data);
  }
}

async function load(): Promise<void> {
  if (typeof WebAssembly === "undefined") {
    post({ kind: "unavailable", detail: "This browser has no WebAssembly, so there is no stage." });
    return;
  }
  if (reason === undefined && !document.createElement("canvas").getContext("webgl2")) {
    reason = "This browser has no WebGL 2, so the stage is drawn without it, as SVG.";
  }
  host.still = reason !== undefined;
  const go = new Go();
  if (host.still) {
    document.fonts.add(new FontFace("Go", `url("${regular}")`, { weight: "400" }));
    document.fonts.add(new FontFace("Go", `url("${bold}")`, { weight: "700" }));
  }
  const file = await fetch(program);
  const typed = file.headers.get("content-type") === "application/wasm"; // needed to compile the file while it loads
  const { instance } = typed
    ? await WebAssembly.instantiateStreaming(file, go.importObject)
    : await WebAssembly.instantiate(await file.arrayBuffer(), go.importObject);
  await go.run(instance);
}

// The parent answers the stage's first message with a port.
function meet({ source, data, ports: [given] }: MessageEvent<unknown>): void {
  if (source !== parent || (data !== hello && data !== helloStill && data !== helloLetters) || !given) return;
  removeEventListener("message", meet);
  port = given;
  if (data === helloStill) reason = "The graphics context was lost too often, so the stage is drawn without it, as SVG.";
  if (data === helloLetters) reason = "The canvas has no font for some of the letters, so the stage is drawn as SVG.";
  port.onmessage = hear;
  load().catch((error: unknown) => {
    post({ kind: "unavailable", detail: `The stage could not be loaded: ${error instanceof Error ? error.message : String(error)}` });
  });
}

if (parent !== window) {
  addEventListener("message", meet);
  parent.postMessage(hello, "*");
}

// A file that is dropped on the stage would replace its page.
addEventListener(
  "dragover",
  (event) => {
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = "none";
  },
  { capture: true },
);

// --- Hands off ------------------------------------------------------------------
// Ebitengine prevents the default of every event on its canvas, and reloads the
// page when its context is lost. These listeners come before its own and keep the
// events from it, so that Tab leaves the stage, the page scrolls, and the parent
// is told of a lost context.

function listen(canvas: HTMLElement): void {
  const withheld = ["keydown", "keyup", "mousedown", "mouseup", "mousemove", "wheel", "touchstart", "touchend", "touchmove", "contextmenu", "dragover", "drop"];
  for (const name of withheld) addEventListener(name, (event) => event.stopPropagation(), { capture: true, passive: true });

  addEventListener(
    "webglcontextlost",
    (event) => {
      event.stopPropagation();
      post({ kind: "lost" });
      location.reload();
    },
    { capture: true },
  );

  const at = ({ clientX, clientY }: PointerEvent) => ({ x: clientX, y: clientY });
  addEventListener("pointermove", (event) => {
    if (event.pointerType !== "touch") tell({ kind: "point", ...at(event) });
  });
  root.addEventListener("pointerleave", () => tell({ kind: "leave" }));
  addEventListener("click", (event) => tell({ kind: "press", x: event.clientX, y: event.clientY }));

  // Enter gives the arrow keys to the picture, and Esc takes them away again.
  let active = false;
  const activate = (on: boolean): void => {
    active = on;
    canvas.toggleAttribute("data-active", on);
    if (!on) tell({ kind: "key", key: "leave" });
  };
  const walk: Readonly<Record<string, string>> = {
    ArrowRight: "next",
    ArrowDown: "next",
    ArrowLeft: "previous",
    ArrowUp: "previous",
    Enter: "select",
    " ": "select",
  };
  addEventListener(
    "keydown",
    (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (active) {
        const key = walk[event.key];
        if (key) tell({ kind: "key", key });
        else if (event.key === "Escape") activate(false);
        else return;
        event.preventDefault();
      } else if (event.key === "Enter" || event.key === " ") {
        activate(true);
        tell({ kind: "key", key: "next" });
        event.preventDefault();
      }
    },
    { capture: true },
  );
  canvas.addEventListener("blur", () => {
    if (active) activate(false);
  });
}
