// The script of the documents: the theme button, and the buttons that change a figure of the article.

import { chosenTheme, nextTheme, rememberTheme, tint } from "./theme";

const button = document.querySelector<HTMLButtonElement>("#theme")!;
let theme = chosenTheme();
const show = (): void => {
  document.documentElement.dataset["theme"] = theme;
  button.textContent = `Theme: ${theme}`;
  tint(theme);
};
button.addEventListener("click", () => {
  theme = nextTheme(theme);
  rememberTheme(theme);
  show();
});
show();
button.hidden = false;

/** The part of the public element that the script uses; site/docs/host.md describes it. */
type Figure = HTMLElement & { show(link: string): void };

for (const step of document.querySelectorAll<HTMLButtonElement>("button[data-show]")) {
  step.onclick = () => {
    const { show = "", figure = "" } = step.dataset;
    (document.getElementById(figure) as Figure | null)?.show(show);
    for (const other of document.querySelectorAll(`button[data-figure="${figure}"]`)) other.setAttribute("aria-pressed", String(other === step));
  };
}
