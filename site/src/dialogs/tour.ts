// The tour: a few steps on the page itself, each a link that anyone can open. A step says
// one thing, shows it, and points at it. Who leaves the tour finds what was shown before it.

import { html, nothing, render } from "lit-html";
import { calm } from "../calm";
import { byId, hostOf, make, typeset } from "../dom";
import words from "../../tour.json";
import type { Playground } from "../mount";
import { styled } from "../styles";

interface Step {
  readonly title: string;
  readonly text: string;
  /** The fragment of what is shown. */
  readonly link: string;
  /** The element that it is about. */
  readonly at: string;
  /** Whether what is shown is run, too. */
  readonly runs?: boolean;
  /** The moment that is played on the stage, if the one before it is on show. */
  readonly plays?: string;
  /** Whether the stage then plays one picture an episode, if nothing speaks against motion. */
  readonly fast?: boolean;
}

const steps: readonly Step[] = words;

/** Tells a tour that it is to begin anew. */
const again = "again";

/** Shows the tour in a playground, from its first step on. */
export async function openTour(playground: Playground): Promise<void> {
  const { root, app, comparison, links, runner, watching } = playground;
  const host = hostOf(root);
  const already = host.querySelector("#tour-bar");
  if (already) return void already.dispatchEvent(new Event(again));
  const from = root.activeElement;
  const bar = make("section", { id: "tour-bar", className: "tour" });
  bar.setAttribute("aria-label", "Tour");
  (root instanceof Document ? root.body : host).append(bar);
  if (!(await styled(bar, "dialogs.css"))) return bar.remove();
  if (app.phase.value === "running") await runner.stop();
  /** What was shown before, with its results, and whether any of it was more than a preset. */
  const before = { link: await links.now(), left: app.left, result: comparison.result.value, last: links.last.value };
  const own = before.result !== undefined || !app.unchanged.value;
  let pointed: HTMLElement | undefined;
  let now = 0;
  /** The plain link of what the tour shows; none while it is being opened. */
  let shown: string | undefined;

  /** Brings what is pointed at into view above the bar: its beginning, if there is no room for all of it. */
  const reveal = (): void => {
    if (pointed) pointed.scrollIntoView({ block: pointed.offsetHeight > bar.getBoundingClientRect().top - 64 ? "start" : "nearest" });
  };
  const point = (element: HTMLElement | undefined): void => {
    pointed?.classList.remove("pointed");
    pointed = element;
    pointed?.classList.add("pointed");
    reveal();
  };
  let hurried = false;
  /** Plays one picture an episode, or stops that. */
  const hurry = (on: boolean): void => {
    const stage = watching.stage.peek();
    if (typeof stage !== "object" || on === hurried) return;
    hurried = on;
    stage.hasten(on ? Infinity : 1);
    if (on) stage.play();
    else stage.rest();
  };
  /** Closes the stage if a link does not open it. */
  const rest = (link: string): void => {
    if (!new URLSearchParams(link).has("watch")) app.look({ watched: undefined });
  };
  const close = (): void => {
    hurry(false);
    point(undefined);
    bar.remove();
    if (from instanceof HTMLElement) from.focus();
  };
  /** Closes the tour and shows what was shown before, unless the tour's own experiment was edited since. */
  const leave = async (): Promise<void> => {
    close();
    if (before.link === "" || (shown !== undefined && app.checked.value?.link !== shown)) return;
    if (app.phase.value === "running") await runner.stop();
    rest(before.link);
    if ((await links.open(before.link, false, before.left)) !== undefined) return;
    comparison.result.value = before.result;
    links.last.value = before.last;
  };
  const go = async (to: number): Promise<void> => {
    if (to >= steps.length) return own ? leave() : close(); // the last step is something to go on with
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
    const play = root.querySelector<HTMLButtonElement>(`#watch-moments [aria-current] + [value="${plays}"]`);
    if (play && forward) return play.click();
    if (app.phase.value === "running") await runner.stop();
    shown = undefined;
    if ((await links.open(link, false)) !== undefined || now !== to || !bar.isConnected) return;
    shown = app.checked.value?.link;
    reveal(); // what is above it may have another height now
    if (runs) void runner.begin(true);
    if (fast && !calm.matches) hurry(true);
  };
  const begin = async (): Promise<void> => {
    const first = go(0);
    byId(root, "tour-next", HTMLButtonElement).focus({ preventScroll: true });
    await first;
  };
  bar.addEventListener(again, begin);
  bar.addEventListener("keydown", ({ key }) => key === "Escape" && void leave());
  await begin();
}
