// The script of the documents: the theme button, and the steps that set a figure of the article.

import type { PlaygroundElement } from "../npm/playground";
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
  for (const figure of document.querySelectorAll<PlaygroundElement>("cpsrl-playground[data-started]")) figure.setTheme?.(theme);
});
show();
button.hidden = false;

const steps = [...document.querySelectorAll<HTMLElement>("[data-show]")];
/** Marks a figure that the reader has started, also for the style. */
function begin(figure: PlaygroundElement): void {
  figure.dataset["started"] = "";
}

/** Whether a figure stays in view while its steps scroll past. A started one is too high for that in a narrow window. */
const stays = (figure: PlaygroundElement): boolean => getComputedStyle(figure).position === "sticky";

const figureOf = (step: HTMLElement): PlaygroundElement => document.getElementById(step.dataset["figure"] ?? "") as PlaygroundElement;

/** Shows a step in its figure: as a picture, until the figure is started. */
function take(step: HTMLElement): void {
  const { show = "", poster = "" } = step.dataset;
  const figure = figureOf(step);
  if ("started" in figure.dataset) {
    figure.show?.(show); // it has no methods while its own script is missing
  } else {
    figure.setAttribute("poster", poster);
    figure.setAttribute("link", show);
  }
  for (const other of steps) {
    if (figureOf(other) === figure) other.querySelector("button")!.setAttribute("aria-pressed", String(other === step));
  }
}

// The step that scrolls past the middle of the window sets its figure.
const passing = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      const step = target as HTMLElement;
      if (isIntersecting && stays(figureOf(step)) && !step.querySelector('[aria-pressed="true"]')) take(step);
    }
  },
  { root: document, rootMargin: "-55% 0px -45% 0px" },
);
for (const step of steps) {
  passing.observe(step);
  step.querySelector("button")!.onclick = () => {
    const figure = figureOf(step);
    begin(figure);
    take(step);
    // In the middle of the window, it is also the step that scrolls past.
    if (stays(figure)) step.scrollIntoView({ block: "center" });
    else figure.scrollIntoView();
  };
  new Image().src = step.dataset["poster"] ?? ""; // so that the picture is there when its step comes
}
for (const figure of document.querySelectorAll("cpsrl-playground")) figure.addEventListener("click", () => begin(figure));
