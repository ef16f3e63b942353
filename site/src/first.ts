// What runs before the page is painted, under a name that stays: it sets the
// theme, hears of a page whose own script or style the site no longer has, and asks for
// the engine, which is most of the wait on a slow line. A frame of another page waits until it is seen.

import { here } from "./address";
import { make } from "./dom";
import { boards, tellLost } from "./lost";
import { chosenTheme, tint } from "./theme";

document.documentElement.dataset["theme"] = chosenTheme();
tint(chosenTheme());

const { early } = document.currentScript?.dataset ?? {};
if (early !== undefined && here.query.get("embed") !== "1") {
  document.head.append(make("link", { rel: "preload", as: "fetch", crossOrigin: "", fetchPriority: "low", href: early }));
}

addEventListener(
  "error",
  ({ target }) => {
    // Of what comes later, who asked for it says that it did not come; the engine is asked for once more.
    const own = target instanceof HTMLLinkElement ? target.rel === "stylesheet" && !target.onerror : target instanceof HTMLScriptElement;
    if (!own) return;
    if (document.readyState === "loading") addEventListener("DOMContentLoaded", say);
    else say();
  },
  true,
);

function say(): void {
  const [place, status] = [document.getElementById("notices"), document.getElementById("status")];
  if (!place || !status) return; // a document, which can be read all the same
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
    place.replaceChildren(notice);
  });
  void tellLost();
}
