// What runs before the page is painted, under a name that stays: it sets the
// theme, and hears of a page whose own script or style the site no longer has.

import { setText } from "./dom";
import { tellLost } from "./lost";
import { chosenTheme } from "./theme";

document.documentElement.dataset["theme"] = chosenTheme();

addEventListener(
  "error",
  ({ target }) => {
    if (!(target instanceof HTMLScriptElement || target instanceof HTMLLinkElement)) return;
    if (document.readyState === "loading") addEventListener("DOMContentLoaded", say);
    else say();
  },
  true,
);

function say(): void {
  if (!document.getElementById("notices")) return; // a document, which can be read all the same
  document.documentElement.dataset["state"] = "failed";
  setText("status", "Not ready.");
  void tellLost();
}
