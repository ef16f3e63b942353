// The theme: light, dark, or that of the system. The address may ask for one, and the browser remembers one.

import { here } from "./address";

export type Theme = "auto" | "light" | "dark";
export const themes: readonly Theme[] = ["auto", "light", "dark"];

/** The theme of that name. */
export const chosen = (name: string | null): Theme | undefined => themes.find((theme) => theme === name);

/** The theme that the address asks for, or else the remembered one. */
export function chosenTheme(): Theme {
  const asked = chosen(here.query.get("theme"));
  if (asked) return asked;
  try {
    return chosen(localStorage.getItem("theme")) ?? "auto";
  } catch {
    return "auto";
  }
}

/** Gives the theme to what the browser draws around the page. */
export function tint(theme: Theme): void {
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const dark = theme === "auto" ? meta.media.includes("dark") : theme === "dark";
    meta.content = dark ? "#121212" : "#ffffff"; // --paper
  }
}

export const nextTheme = (theme: Theme): Theme => themes[(themes.indexOf(theme) + 1) % themes.length]!;

/** Remembers a theme. Returns false if the browser stores nothing for this site. */
export function rememberTheme(theme: Theme): boolean {
  try {
    localStorage.setItem("theme", theme);
    return true;
  } catch {
    return false;
  }
}
