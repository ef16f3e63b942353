// The tour: a few steps on the page itself. Each step shows a link that anyone can open, says
// one thing about it, and points at it. Someone who leaves the tour gets back what was shown before.

import { effect, untracked } from "@preact/signals-core";
import { html, nothing, render } from "lit-html";
import { calm } from "../calm";
import { byId, make, typeset } from "../dom";
import words from "../../tour.json";
import type { Playground } from "../state/playground";
import { giveBack, keep } from "../state/memento";
import { moments } from "../state/view";
import { usualSpeed } from "../state/watching";
import { dressed, placeIn } from "./dialog";

interface Step {
  readonly title: string;
  readonly text: string;
  /** The fragment of what is shown. */
  readonly link: string;
  /** The id of the element that the step is about. */
  readonly at: string;
  /** Whether the experiment is run, too. */
  readonly runs?: boolean;
  /** A moment to play on the stage, if the stage shows the moment before it. */
  readonly plays?: string;
  /** Whether the stage then plays one picture for each episode, unless the visitor prefers reduced motion. */
  readonly fast?: boolean;
}

const steps: readonly Step[] = words;

/** The event that makes a tour begin anew. */
const again = "again";

export async function openTour(playground: Playground): Promise<void> {
  const { root, app, links, runner, watching } = playground;
  const already = root.getElementById("tour-bar");
  if (already) return void already.dispatchEvent(new Event(again));
  const from = root.activeElement;
  const bar = make("section", { id: "tour-bar", className: "tour" });
  bar.setAttribute("aria-label", "Tour");
  bar.hidden = true; // until there is something to show
  placeIn(root).append(bar);
  if (!(await dressed(root)) || !((await app.check()) ?? app.checked.value)) return bar.remove();
  if (app.phase.value === "running") await runner.stop();
  const before = await keep(playground);
  let pointed: HTMLElement | undefined;
  let now = 0;
  /** The plain link of what the tour shows. Undefined while a link is being opened. */
  let shown: string | undefined;

  /** Scrolls what is pointed at into view above the bar: its beginning, if there is no room for all of it. */
  const reveal = (): void => {
    if (pointed) pointed.scrollIntoView({ block: pointed.offsetHeight > bar.getBoundingClientRect().top - 64 ? "start" : "nearest" });
  };
  const point = (element: HTMLElement | undefined): void => {
    pointed?.classList.remove("pointed");
    pointed = element;
    pointed?.classList.add("pointed");
    reveal();
  };
  /** Stops waiting for the stage. Undefined: nothing is hurried. */
  let unhook: (() => void) | undefined;
  /** Plays one picture for each episode as soon as the stage is there, or stops that. */
  const hurry = (on: boolean): void => {
    if (on === (unhook !== undefined)) return;
    unhook?.();
    unhook = undefined;
    if (!on) {
      const stage = watching.stage.peek();
      watching.speed.value = usualSpeed;
      if (typeof stage === "object") stage.rest();
      return;
    }
    unhook = effect(() => {
      const stage = watching.stage.value;
      if (typeof stage !== "object") return;
      untracked(() => {
        stage.hasten(Infinity);
        stage.play();
      });
    });
  };
  /** Closes the stage, unless the link opens it. */
  const rest = (link: string): void => {
    if (!new URLSearchParams(link).has("watch")) app.look({ watched: undefined });
  };
  const close = (): void => {
    hurry(false);
    point(undefined);
    bar.remove();
    if (from instanceof HTMLElement) from.focus();
  };
  /** Closes the tour and shows what was shown before, unless the visitor has edited the tour's experiment. */
  const leave = async (): Promise<void> => {
    close();
    if (shown !== undefined && app.checked.value?.link !== shown) return;
    if (app.phase.value === "running") await runner.stop();
    await giveBack(playground, before);
  };
  const go = async (to: number): Promise<void> => {
    if (to >= steps.length) return before.own ? leave() : close(); // a visitor with nothing of their own goes on from the last step
    const forward = to === now + 1;
    now = to;
    const { title, text, link, at, runs, plays, fast } = steps[now]!;
    hurry(false);
    render(
      html`<p class="tour-step">${now + 1} of ${steps.length}</p>
        <div class="tour-words" aria-live="polite"><h2>${title}</h2><p>${typeset(text)}</p></div>
        <div class="actions">
          <button type="button" id="tour-back" aria-disabled=${now === 0 ? "true" : nothing} @click=${() => now > 0 && void go(now - 1)}>Back</button>
          <button type="button" id="tour-next" class="primary" @click=${() => void go(now + 1)}>${now === steps.length - 1 ? "Done" : "Next"}</button>
          <button type="button" id="tour-close" @click=${leave}>Close</button>
        </div>`,
      bar,
    );
    rest(link);
    point(byId(root, at, HTMLElement));
    const stage = watching.stage.value;
    const painted = watching.painted.value;
    if (plays && forward && typeof stage === "object" && painted && moments[moments.indexOf(painted.moment) + 1] === plays) return stage.turn(plays);
    if (app.phase.value === "running") await runner.stop();
    shown = undefined;
    if ((await links.open(link, false)) !== undefined || now !== to || !bar.isConnected) return;
    shown = app.checked.value?.link;
    reveal(); // what is above may have changed its height
    if (runs) void runner.begin(true);
    if (fast && !calm.matches) hurry(true);
  };
  const begin = async (): Promise<void> => {
    bar.hidden = false;
    const first = go(0);
    byId(root, "tour-next", HTMLButtonElement).focus({ preventScroll: true });
    await first;
  };
  bar.addEventListener(again, begin);
  bar.addEventListener("keydown", ({ key }) => key === "Escape" && void leave());
  await begin();
}
