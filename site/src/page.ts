// The page: a playground in its own document, with the address bar, a remembered theme, and
// a copy for offline use. In a frame of another page it is a guest. The element
// <cpsrl-playground inline> also loads this module, to show a playground in its page.

import { computed, effect, signal, untracked } from "@preact/signals-core";
import { BrowserAddress, here } from "./address";
import { later } from "./lost";
import { mount } from "./mount";
import { sandboxed } from "./site";
import { chosenTheme, rememberTheme, tint } from "./theme";

export { inline } from "./guest";

// A page of this site marks itself as waiting for its playground.
if (document.documentElement.dataset["state"] === "loading") begin();

function begin(): void {
  const embedded = here.query.get("embed") === "1";
  if (embedded && parent !== window) parent.postMessage({ cpsrl: 1, type: "loading" }, "*");
  const playground = mount(document, {
    preset: document.documentElement.dataset["preset"] ?? "",
    parts: embedded ? (here.query.get("ui") ?? "").split(",") : undefined,
    theme: chosenTheme(),
    address: new BrowserAddress(embedded),
  });
  const { app, links, ready, runner } = playground;

  /** How much is done of the run or the sweep that is under way. */
  const share = computed(() => (app.run.value === "running" ? app.progress.value : playground.sweep.value?.share.value));
  if (embedded) {
    const guest = later(() => import("./frame")).then((module) => module?.frame(playground));
    playground.links.auto.before.add(async () => void (await guest));
  } else {
    links.sweeps = true;
    if (!sandboxed) runner.store = async () => (await later(() => import("./state/stored")))?.open();
    // Only during a run, because some browsers keep no page with such a listener for Back.
    const warn = (event: Event): void => event.preventDefault();
    effect(() => (share.value === undefined ? removeEventListener : addEventListener)("beforeunload", warn));
    void ready.then(async () => {
      (await later(() => import("./large")))?.large(playground);
      if (app.engine.value !== "failed") await (await later(() => import("./offline")))?.keepOffline();
    });
  }

  // The fragment is the link to what is shown, so the skip link must not change it.
  document.querySelector<HTMLElement>(".skip")!.onclick = () => {
    document.getElementById("experiment")!.focus();
    return false;
  };
  // The title follows the address, so that each entry of the history keeps its own. During a run, its progress is before it.
  const title = signal(document.title);
  const own = title.value;
  effect(() => {
    if (links.link.value === "") return;
    title.value = untracked(() => {
      const { heading } = app.view.value;
      if (heading === undefined && app.preset.value === app.own && app.unchanged.value) return own;
      return `${heading ?? app.title.value.title} · C-PSRL playground`;
    });
  });
  effect(() => void (document.title = `${share.value === undefined ? "" : `${Math.floor(100 * share.value)}% · `}${title.value}`));
  let shown = app.theme.value;
  effect(() => {
    const theme = app.theme.value;
    if (theme === shown) return;
    shown = theme;
    tint(theme);
    // A sandboxed frame already says that nothing is remembered.
    if (!embedded && !rememberTheme(theme) && !sandboxed)
      app.notify("storage", "This browser keeps nothing for this site; the theme lasts as long as the page.");
  });
}
