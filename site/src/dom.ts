// Small helpers on the document.

/** Where a playground is: the document of its page, or the shadow root of an element. */
export type Root = Document | ShadowRoot;

/** Returns the element of that id, which every playground has. */
export function byId<T extends HTMLElement>(root: Root, id: string, kind: { new (): T }): T {
  const element = root.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`the page has no ${kind.name} #${id}`);
  return element;
}

/** What the looks of all of a playground hang on, its phase, its theme and its parts: the document's element, or the box in a shadow root. */
export const hostOf = (root: Root): HTMLElement => (root instanceof Document ? root.documentElement : root.querySelector<HTMLElement>(".playground")!);

/** Says words in the element of that id, which is there only for them. */
export function say(root: Root, id: string, words: string): void {
  const place = byId(root, id, HTMLElement);
  place.textContent = words;
  place.hidden = words === "";
}

/** Makes an element with its children. */
export function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

/** Takes files that are dropped on a place. */
export function takeDrops(place: HTMLElement, take: (file: File) => void, busy = (): boolean => false): void {
  const mark = (on: boolean): void => void place.classList.toggle("drop", on);
  place.addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files") || busy()) return;
    event.preventDefault();
    mark(true);
  });
  place.addEventListener("dragleave", ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && place.contains(relatedTarget))) mark(false);
  });
  place.addEventListener("drop", (event) => {
    mark(false);
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    event.stopPropagation();
    take(file);
  });
}

/** Copies the text of a field; where the browser does not allow it, selects it for the person to copy. Returns what to say. */
export async function copy(text: string, field: HTMLInputElement | HTMLTextAreaElement | null): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return "Copied.";
  } catch {
    field?.focus();
    field?.select();
    const key = /Mac|iP(hone|ad)/.test(navigator.platform) ? "⌘C" : "Ctrl+C";
    return `This frame or browser does not let the page copy. The text is selected: press ${key}.`;
  }
}

/** Saves a file. */
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
