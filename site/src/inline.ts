// A playground in another page, without a frame: its markup and its style in a shadow
// root, where names and styles are its own. The element <cpsrl-playground inline> loads
// this module.

import { addressOf, pageOf } from "cpsrl:edition";
import { Guest, type Message } from "./embed";
import type { mount as Mount, Options } from "./mount";

/** An attribute of the element, or "". */
export type Get = (name: string) => string;

/** Commands to a playground, and its end. */
export interface Inlined {
  hear(command: object): void;
  leave(): void;
}

/** Shows a playground in an empty shadow root. It says what a frame would. */
export async function inline(
  mount: typeof Mount,
  shown: Pick<Options, "parts" | "theme">,
  root: ShadowRoot,
  get: Get,
  say: (message: Message) => void,
): Promise<Inlined> {
  const preset = get("preset");
  const [{ text, address }, href] = await Promise.all([pageOf(preset), addressOf("page.css")]);
  const page = new DOMParser().parseFromString(text, "text/html");
  for (const name of ["href", "src", "srcset"]) {
    for (const element of page.body.querySelectorAll(`[${name}]`)) element.setAttribute(name, new URL(element.getAttribute(name)!, address).href);
  }
  const box = document.createElement("div");
  box.className = "playground";
  for (const script of page.querySelectorAll("noscript, script")) script.remove();
  box.append(...page.body.children);
  const style = document.createElement("link");
  style.rel = "stylesheet";
  style.href = href;
  const styled = new Promise((resolve) => {
    style.onload = style.onerror = resolve;
  });
  box.hidden = true;
  root.append(style, box);
  await styled;
  const playground = mount(root, { ...shown, link: get("link").replace(/^#/, ""), preset });
  box.hidden = false;
  const guest = new Guest(playground, box, (message) => say({ cpsrl: 1, ...message }));
  return {
    hear: (command) => guest.hear(command),
    leave() {
      guest.leave();
      playground.leave();
    },
  };
}
