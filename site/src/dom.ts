// Small helpers for the document.

/** What a playground is mounted in: the document of its page, or the shadow root of an element. */
export type Root = Document | ShadowRoot;

/** Returns the element with that id, which must exist. */
export function byId<T extends HTMLElement>(root: Root, id: string, kind: { new (): T }): T {
  const element = root.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`the page has no ${kind.name} #${id}`);
  return element;
}

/** The element whose attributes hold the phase, the theme and the parts, on which the styles depend: <html>, or the box in a shadow root. */
export const hostOf = (root: Root): HTMLElement => (root instanceof Document ? root.documentElement : root.querySelector<HTMLElement>(".playground")!);

/**
 * Acts before the next picture whenever an element gets another size. What is drawn in the callback of an observer may change that
 * size again, and then the browser reports an error to the page, which may be someone else's.
 */
export function onResize(act: (last: ResizeObserverEntry) => void, ...elements: readonly Element[]): ResizeObserver {
  let last: ResizeObserverEntry | undefined;
  const observer = new ResizeObserver((entries) => {
    if (!last)
      requestAnimationFrame(() => {
        const entry = last!;
        last = undefined;
        act(entry);
      });
    last = entries.at(-1);
  });
  for (const element of elements) observer.observe(element);
  return observer;
}

/** Puts words into the element with that id, and hides the element if there are none. */
export function say(root: Root, id: string, words: string): void {
  const place = byId(root, id, HTMLElement);
  place.textContent = words;
  place.hidden = words === "";
}

export function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

export function takeDrops(place: HTMLElement, take: (files: readonly File[]) => void): void {
  const mark = (on: boolean): void => void place.classList.toggle("drop", on);
  place.addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    event.stopPropagation();
    mark(true);
  });
  place.addEventListener("dragleave", ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && place.contains(relatedTarget))) mark(false);
  });
  place.addEventListener("drop", (event) => {
    mark(false);
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    take(files);
  });
}

/** Keeps the browser from opening a dropped file in place of the page, where nothing takes the file. */
export function keepPage(place: HTMLElement): void {
  place.addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "none";
  });
}

/** Copies a text. If the browser does not allow that, it selects the text in its field instead. Returns a sentence for the visitor. */
export async function copy(text: string, field: HTMLInputElement | HTMLTextAreaElement | null): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return "Copied.";
  } catch {
    field?.focus();
    field?.select();
    const key = /Mac|iP(hone|ad)/.test(navigator.platform) ? "⌘C" : "Ctrl+C";
    return `Copying is not allowed here. The text is selected: press ${key}.`;
  }
}

export function download(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Keeps "C-PSRL (η = 1)" and "10 ± 3" on one line. */
export function typeset(text: string): string {
  return text
    .replaceAll("-PSRL", "\u2011PSRL")
    .replaceAll(/ ?([±=]) /g, "\u00a0$1\u00a0")
    .replaceAll("PSRL (η", "PSRL\u00a0(η")
    .replaceAll(/(?<=^|\s)-(?=\d)/g, "−");
}

/** An error of the engine as a sentence. */
export function sentence(detail: string): string {
  return detail.charAt(0).toUpperCase() + detail.slice(1) + (/[.!?]$/.test(detail) ? "" : ".");
}
