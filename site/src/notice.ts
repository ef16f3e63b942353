// Notices: one sentence each, below the header, until they are closed or no
// longer true. Whatever they say is text, never HTML.

import { byId, make } from "./dom";

export type Tone = "plain" | "good" | "bad";

interface Action {
  readonly label: string;
  readonly act: () => void;
}

/** Shows a notice; a later one of the same name takes its place. An action closes it. One with actions has no other way to be closed. */
export function notify(name: string, text: string, tone: Tone = "plain", ...actions: Action[]): void {
  dismiss(name);
  const notice = make("div", { className: `notice ${tone}` }, make("p", { textContent: text }));
  notice.dataset["notice"] = name;
  for (const { label, act } of actions) {
    const button = make("button", { type: "button", textContent: label });
    button.addEventListener("click", () => {
      dismiss(name);
      act();
    });
    notice.append(button);
  }
  if (actions.length === 0) {
    const close = make("button", { type: "button", className: "close", textContent: "×" });
    close.setAttribute("aria-label", "Close this notice");
    close.addEventListener("click", () => dismiss(name));
    notice.append(close);
  }
  byId("notices", HTMLElement).append(notice);
}

export function dismiss(...names: string[]): void {
  for (const name of names) document.querySelector(`[data-notice="${name}"]`)?.remove();
}
