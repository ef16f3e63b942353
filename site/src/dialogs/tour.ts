// The tour: a few steps on the page itself, each a link that anyone can open. A step says
// one thing, shows it, and points at it.

import { html, nothing, render } from "lit-html";
import { byId, hostOf, make } from "../dom";
import type { Playground } from "../mount";
import { styled } from "../styles";

/** The style of dialogs, filled in by build.mjs. */
declare const DIALOG_STYLE: string;

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
}

const taxi = "v=1&domain=taxi";

export const steps: readonly Step[] = [
  {
    title: "A taxi has 300 rows to learn",
    text: "The taxi has 50 states and 6 actions. PSRL learns each of the 300 pairs by itself, and it pays as much in the last episode as in the first: a straight line.",
    link: taxi,
    at: "chart",
  },
  {
    title: "An edge says what matters",
    text: "A mark says: this variable helps decide that one’s next value. If the next row depends on the row and the move alone, 30 rows serve all 300 pairs.",
    link: taxi,
    at: "prior",
  },
  {
    title: "Sample",
    text: "Each episode begins with a guess. C-PSRL draws a graph by its probability, then a world that fits the graph.",
    link: `${taxi}&watch=0,1`,
    at: "watch",
  },
  {
    title: "Plan",
    text: "It plans in the sampled world as if that were the true one. In the first episode the world is wrong nearly everywhere, and so is the plan.",
    link: `${taxi}&watch=0,1,plan`,
    at: "watch",
  },
  {
    title: "Act",
    text: "It follows the plan for one episode in the true world, and sees what really happens.",
    link: `${taxi}&watch=0,1,act`,
    at: "watch",
    plays: "act",
  },
  {
    title: "Update",
    text: "What it saw weighs every graph anew. Edges that explain nothing lose probability; then the next episode begins with another sample.",
    link: `${taxi}&watch=0,1,update`,
    at: "watch",
  },
  {
    title: "The curve goes flat",
    text: "This is episode 150. By now C-PSRL has paid nine tenths of what it pays in 400 episodes: the world it samples is close to the true one where it matters.",
    link: `${taxi}&watch=0,150,plan`,
    at: "experiment",
  },
  {
    title: "Take the edges away",
    text: "The same agent without any known edge, computed now: it has to find the graph, too. Compare its curve with the thin one, which knows the edges.",
    link: "v=1&prior=none&agents=c-psrl&domain=taxi&runs=4",
    at: "experiment",
    runs: true,
  },
  {
    title: "Your turn",
    text: "Mark an edge that you believe in, or one that is false, and press Run.",
    link: taxi,
    at: "prior",
  },
];

/** Shows the tour in a playground, from its first step on. */
export async function openTour(playground: Playground): Promise<void> {
  const { root, app, links, runner } = playground;
  const host = hostOf(root);
  const from = root.activeElement;
  host.querySelector("#tour-bar")?.remove();
  const bar = make("section", { id: "tour-bar", className: "tour" });
  bar.setAttribute("aria-label", "Tour");
  (root instanceof Document ? root.body : host).append(bar);
  if (!(await styled(bar, DIALOG_STYLE))) return bar.remove();
  let pointed: HTMLElement | undefined;
  let now = 0;

  const point = (element: HTMLElement | undefined): void => {
    pointed?.classList.remove("pointed");
    pointed = element;
    pointed?.classList.add("pointed");
    pointed?.scrollIntoView({ block: "nearest" });
  };
  const close = (): void => {
    point(undefined);
    bar.remove();
    if (from instanceof HTMLElement) from.focus();
  };
  const go = async (to: number): Promise<void> => {
    if (to >= steps.length) return close();
    const forward = to === now + 1;
    now = to;
    const { title, text, link, at, runs, plays } = steps[now]!;
    render(
      html`<p class="tour-step">${now + 1} of ${steps.length}</p>
        <div class="tour-words" aria-live="polite"><h2>${title}</h2><p>${text}</p></div>
        <div class="actions">
          <button type="button" id="tour-back" aria-disabled=${now === 0 ? "true" : nothing} @click=${() => now > 0 && void go(now - 1)}>Back</button>
          <button type="button" id="tour-next" class="primary" @click=${() => void go(now + 1)}>${now === steps.length - 1 ? "Done" : "Next"}</button>
          <button type="button" id="tour-close" @click=${close}>Close</button>
        </div>`,
      bar,
    );
    point(byId(root, at, HTMLElement));
    const play = root.querySelector<HTMLButtonElement>(`#watch-moments [aria-current] + [value="${plays}"]`);
    if (play && forward) return play.click();
    if (app.phase.value === "running") await runner.stop();
    if ((await links.open(link, false)) && now === to && bar.isConnected && runs) void runner.begin(true);
  };
  bar.addEventListener("keydown", ({ key }) => key === "Escape" && close());
  const first = go(0);
  byId(root, "tour-next", HTMLButtonElement).focus({ preventScroll: true });
  await first;
}
