// This script runs before the page is painted. Its file name has no hash, so older pages find
// it, too. It sets the theme, marks an embed, reports a script or style of the page that could not be loaded,
// and asks for the engine early, because the engine is most of the wait on a slow line. A
// frame in another page asks for the engine only when it is seen.

import { here } from "./address";
import { make } from "./dom";
import { boards, tellLost } from "./lost";
import { chosenTheme, tint } from "./theme";

document.documentElement.dataset["theme"] = chosenTheme();
tint(chosenTheme());

const embedded = here.query.get("embed") === "1";
if (embedded) document.documentElement.dataset["embed"] = "chosen"; // until the script has read which parts (mount.ts)

const { early } = document.currentScript?.dataset ?? {};
if (early !== undefined && !embedded) {
  document.head.append(make("link", { rel: "preload", as: "fetch", crossOrigin: "", fetchPriority: "low", href: early }));
}

addEventListener(
  "error",
  ({ target }) => {
    // Only scripts and styles of this site, whose addresses are relative: an extension has others. Styles that are loaded later have a handler of their own, and the engine is requested again.
    if (!(target instanceof HTMLElement) || target.onerror || !target.matches('script:not([src*="//"]), [rel=stylesheet]:not([href*="//"])')) return;
    if (document.readyState === "loading") addEventListener("DOMContentLoaded", say);
    else say();
  },
  true,
);

function say(): void {
  const [place, status] = [document.getElementById("notices"), document.getElementById("status")];
  if (!place || !status || boards.size > 0) return; // a document can be read without them, and one notice is enough
  document.documentElement.dataset["state"] = "failed";
  status.textContent = "Not ready.";
  boards.add(({ text, actions }) => {
    const notice = make("div", { className: "notice bad" }, make("p", {}, text));
    notice.dataset["notice"] = "changed";
    for (const { label, act } of actions) {
      const onclick = (): void => {
        notice.remove();
        act();
      };
      notice.append(make("button", { type: "button", onclick }, label));
    }
    place.prepend(notice);
  });
  void tellLost();
}
