// Light, dark, or as the system says.

import { notify } from "./notice";

const themes = ["auto", "light", "dark"];

export class Theme {
  #theme = 0;

  /** Goes on from the theme that first.ts has set. */
  constructor(private readonly button: HTMLButtonElement) {
    this.show(document.documentElement.dataset["theme"] ?? "auto");
    button.addEventListener("click", () => {
      const next = themes[(this.#theme + 1) % themes.length]!;
      this.show(next);
      try {
        localStorage.setItem("theme", next);
      } catch {
        // A sandboxed frame says so already.
        if (self.origin !== "null") notify("storage", "This browser keeps nothing for this site, so the theme lasts as long as the page.");
      }
    });
  }

  show(name: string): void {
    this.#theme = Math.max(0, themes.indexOf(name));
    document.documentElement.dataset["theme"] = themes[this.#theme];
    this.button.textContent = `Theme: ${themes[this.#theme]}`;
  }
}

/** The theme that the address asks for, or else the one that is remembered. */
export function chosenTheme(): string {
  const asked = new URLSearchParams(location.search).get("theme") ?? "";
  if (themes.includes(asked)) return asked;
  try {
    return localStorage.getItem("theme") ?? "auto";
  } catch {
    return "auto";
  }
}
