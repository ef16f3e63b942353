// Small helpers on the document.

/** Returns the element of that id, which the page always has. */
export function byId<T extends HTMLElement>(id: string, kind: { new (): T }): T {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`the page has no ${kind.name} #${id}`);
  return element;
}

export function setText(id: string, text: string): void {
  const element = byId(id, HTMLElement);
  if (element.textContent !== text) element.textContent = text;
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
