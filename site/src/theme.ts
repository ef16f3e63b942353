// Light, dark, or as the system says: what is asked for and what is remembered.

import { here } from "./address";

export type Theme = "auto" | "light" | "dark";
export const themes: readonly Theme[] = ["auto", "light", "dark"];

/** The theme of that name. */
export const chosen = (name: string | null): Theme | undefined => themes.find((theme) => theme === name);

/** The theme that the address asks for, or else the one that is remembered. */
export function chosenTheme(): Theme {
  const asked = chosen(here.query.get("theme"));
  if (asked) return asked;
  try {
    return chosen(localStorage.getItem("theme")) ?? "auto";
  } catch {
    return "auto";
  }
}

export const nextTheme = (theme: Theme): Theme => themes[(themes.indexOf(theme) + 1) % themes.length]!;

/** Remembers a theme. False: this browser keeps nothing for this site. */
export function rememberTheme(theme: Theme): boolean {
  try {
    localStorage.setItem("theme", theme);
    return true;
  } catch {
    return false;
  }
}
