// Notices: one sentence each, below the header, until they are closed or no
// longer true. Whatever they say is text, never HTML.

import { byId, make } from "./dom";

export type Tone = "plain" | "good" | "bad";

interface Action {
  readonly label: string;
  readonly act: () => void;
}

/** Shows a notice; a later one of the same name takes its place. */
export function notify(name: string, text: string, tone: Tone = "plain", action?: Action): void {
  dismiss(name);
  const close = make("button", { type: "button", className: "close", textContent: "×" });
  close.setAttribute("aria-label", "Close this notice");
  close.addEventListener("click", () => dismiss(name));
  const notice = make("div", { className: `notice ${tone}` }, make("p", { textContent: text }));
  notice.dataset["notice"] = name;
  if (action) {
    const button = make("button", { type: "button", textContent: action.label });
    button.addEventListener("click", action.act);
    notice.append(button);
  }
  notice.append(close);
  byId("notices", HTMLElement).append(notice);
}

export function dismiss(...names: string[]): void {
  for (const name of names) document.querySelector(`[data-notice="${name}"]`)?.remove();
}
