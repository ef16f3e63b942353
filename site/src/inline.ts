// A playground in another page, without a frame. Its markup and style are in a shadow root,
// which keeps its ids and styles apart from those of the page. The element
// <cpsrl-playground inline> loads this module.

import { addressOf, pageOf } from "cpsrl:edition";
import { Guest, type Message } from "./embed";
import { keep } from "./engine/engine";
import { parsedPage } from "./markup";
import type { mount as Mount, Options } from "./mount";

/** Reads an attribute of the element; "" if it is missing. */
export type Get = (name: string) => string;

/** Takes commands for the playground, and ends it. */
export interface Inlined {
  hear(command: object): void;
  leave(): void;
}

/** Shows a playground in an empty shadow root. It sends the same messages as a frame. */
export async function inline(
  mount: typeof Mount,
  shown: Pick<Options, "parts" | "theme">,
  root: ShadowRoot,
  get: Get,
  say: (message: Message) => void,
): Promise<Inlined> {
  const preset = get("preset");
  const [{ text, address }, href] = await Promise.all([pageOf(preset), addressOf("page.css")]);
  const page = parsedPage(text);
  for (const name of ["href", "src", "srcset"]) {
    for (const element of page.body.querySelectorAll(`[${name}]`)) {
      try {
        element.setAttribute(name, new URL(element.getAttribute(name)!, address).href);
      } catch {
        // A page of a blob has no addresses.
      }
    }
  }
  const box = document.createElement("div");
  box.className = "playground";
  for (const script of page.querySelectorAll("noscript, script")) script.remove();
  box.append(...page.body.children);
  // The host page may style the parts from outside.
  const named = [...box.querySelectorAll<HTMLElement>("[data-part], [data-detail]")].map(
    (element) => (element.part.value = element.dataset["part"] ?? element.dataset["detail"]!),
  );
  root.host.setAttribute("exportparts", [...new Set(named)].join());
  const style = document.createElement("link");
  style.rel = "stylesheet";
  style.href = href;
  const styled = new Promise((resolve) => {
    style.onload = style.onerror = resolve;
  });
  box.hidden = true;
  root.append(style, box);
  await styled;
  const free = keep();
  const playground = mount(root, { ...shown, link: get("link").replace(/^#/, ""), preset });
  box.hidden = false;
  const guest = new Guest(playground, box, (message) => say({ cpsrl: 1, ...message }));
  return {
    hear: (command) => guest.hear(command),
    leave() {
      guest.leave();
      playground.leave();
      void playground.runner.stop().then(free);
    },
  };
}
