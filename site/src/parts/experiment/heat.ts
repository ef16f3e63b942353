// The map of beliefs below the chart. For each episode of a run it shows how probable the
// agent thinks each edge is, or which edges it sampled. Its columns are below the chart's
// episodes.

import { computed, effect, type ReadonlySignal, signal, untracked } from "@preact/signals-core";
import { html, nothing, render } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { standardOf, styleOf, subjectOf } from "../../agents";
import { onResize, sentence } from "../../dom";
import type { Spec } from "../../formats";
import type { Playground } from "../../state/playground";
import { reelOf } from "../../state/reel";
import { domainOf } from "../../state/spec";
import type { Chart } from "./chart";
import { channels, type Edge, type Group, groupsOf, listed, pixels, type Shown, cellOf } from "./heat-map";

/** The least time between two maps while episodes arrive, in milliseconds. */
const pace = 150;
/** The greatest and the least height of a row, and the least height that has room for a name, in CSS px. */
const [high, low, named] = [14, 3, 11];
/** The height of all rows together, if they are many. */
const most = 320;

const probability = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Draws the map into a box while it is open. */
export function heat(
  playground: Playground,
  chart: ReadonlySignal<Chart | undefined>,
  own: ReadonlySignal<boolean>,
  open: ReadonlySignal<boolean>,
  box: HTMLElement,
): void {
  const { app, watching } = playground;
  const reel = reelOf(playground);
  const shown = signal<Shown>("belief");
  const tabled = signal(false);
  const width = signal(0);
  onResize(() => (width.value = box.clientWidth), box);

  /** The run of the map: the watched one, or else the first run of the agent that would be watched. */
  const of = computed(() => {
    const spec = app.checked.value?.header.spec;
    if (!spec) return undefined;
    const { agent = standardOf(spec.agents), run = spec.firstRun ?? 0 } = app.view.value.watched ?? {};
    return { spec, agent, run };
  });
  const key = computed(() => (of.value ? JSON.stringify(of.value) : ""));
  effect(() => {
    void key.value;
    const told = of.peek();
    const shows = open.value && own.value && chart.value !== undefined;
    if (shows && told && subjectOf([told.agent])) untracked(() => reel.open(told.spec, told.agent, told.run));
  });

  /** How many episodes are on the map. It follows the number that have arrived, at most once in each pace. */
  const count = signal(0);
  let late = false;
  effect(() => {
    const told = reel.count.value;
    if (told < count.peek()) count.value = told;
    if (late) return;
    late = true;
    setTimeout(() => {
      late = false;
      count.value = reel.count.peek();
    }, pace);
  });

  const groups = computed(() => (app.about.value ? groupsOf(app.about.value.state, app.about.value.action) : []));
  /** The true edges, by name, if they are revealed and belong to this run. */
  const truth = computed(() => {
    const [about, told] = [app.about.value, of.value];
    if (!about || !told || !app.revealed.value) return undefined;
    if (domainOf(told.spec)?.perRun && told.run !== (told.spec.firstRun ?? 0)) return undefined;
    return new Set(about.truth.map(([x, y]) => JSON.stringify([x, y])));
  });
  const isTrue = ({ i, j }: Edge): boolean => {
    const { state = [], action = [] } = app.about.value ?? {};
    return truth.value?.has(JSON.stringify([[...state, ...action][i]?.name, state[j]?.name])) ?? false;
  };

  const table = (list: readonly Group[]) => {
    const episodes = listed(count.value, watching.episode.value);
    const row = (group: Group, edge: Edge) =>
      html`<tr><th scope="row">${edge.name} → ${group.name}</th>${episodes.map((k) => {
        const episode = reel.at(k);
        const value = episode && cellOf(episode, edge, shown.value);
        return html`<td>${value === undefined ? "–" : shown.value === "belief" ? probability.format(value) : value === 1 ? "yes" : "no"}</td>`;
      })}${truth.value ? html`<td>${isTrue(edge) ? "yes" : "no"}</td>` : nothing}</tr>`;
    return html`<div class="scroll" role="region" aria-label="Belief about each edge" tabindex="0"><table>
      <caption>${shown.value === "belief" ? "The probability of each edge after so many episodes" : "Whether each edge was in the sampled graph"}</caption>
      <thead><tr><th scope="col">Edge</th>${episodes.map((k) => html`<th scope="col">${k}</th>`)}${truth.value ? html`<th scope="col">True</th>` : nothing}</tr></thead>
      <tbody translate="no">${list.map((group) => group.edges.map((edge) => row(group, edge)))}</tbody>
    </table></div>`;
  };

  /** Offers to play a run that takes long. */
  const asking = ({ spec, agent, run }: { readonly spec: Spec; readonly agent: string; readonly run: number }) =>
    html`${reel.asking}, so they have not been played by themselves. <button type="button" @click=${() => reel.open(spec, agent, run, true)}>Play the run</button>`;

  effect(() => {
    if (!open.value) return;
    const told = of.value;
    const plot = chart.value;
    void width.value;
    if (!told || !plot || !own.value) {
      render(html`<p class="heat-said">The chart is of another problem, or there is none yet.</p>`, box);
      return;
    }
    const { name, color } = styleOf(told.agent);
    if (!subjectOf([told.agent])) {
      render(html`<p class="heat-said">${name} has no graph, and so believes nothing about edges. Choose another agent on the stage.</p>`, box);
      return;
    }
    const list = groups.value;
    const rows = list.reduce((sum, { edges }) => sum + edges.length, 0);
    const height = Math.max(low, Math.min(high, Math.floor(most / Math.max(1, rows))));
    const { left, width: across, episodeOf } = plot.across;
    const columns = Math.max(1, Math.round(across));
    const [drawn, last] = [count.value, told.spec.episodes];
    const what = shown.value;
    const group = ({ name, edges }: Group, k: number) => html`<p class="heat-name">Into ${name}</p>
      <div class="heat-group" data-group=${k}>
        <canvas width=${columns} height=${edges.length}></canvas>
        <ul>${edges.map((edge) => html`<li class=${isTrue(edge) ? "true" : ""} title="${edge.name} → ${name}">${height >= named ? edge.name : ""}</li>`)}</ul>
      </div>`;
    const label = `${what === "belief" ? "The probability" : "The presence in the sampled graph"} of ${rows} edges by episode, ${drawn} of ${last}; the table below has it in numbers`;
    const seek = ({ clientX }: MouseEvent): void => watching.watch(plot.episodeAt(clientX));
    render(
      html`<div class="heat-fields">
          <label>Map of <select id="heat-shown" autocomplete="off" @change=${({ target }: Event) => (shown.value = (target as HTMLSelectElement).value as Shown)}>
            <option value="belief" .selected=${live(what === "belief")}>probabilities</option>
            <option value="sampled" .selected=${live(what === "sampled")}>sampled graphs</option>
          </select></label>
          <span>${name}, run ${told.run}</span>
          <span class="heat-key" aria-hidden="true">${what === "belief" ? "0" : "not in it"} <i></i> ${what === "belief" ? "1" : "in it"}</span>
        </div>
        <div class="heat-map" role="img" aria-label=${label} @click=${seek}>${list.map(group)}<div class="heat-line" hidden></div></div>
        <p class="heat-said">${reel.failure.value ? sentence(reel.failure.value) : reel.asking ? asking(told) : drawn < last ? `Playing the run: episode ${drawn} of ${last}…` : truth.value ? "A dot marks the true edges." : nothing}</p>
        <details id="heat-table" @toggle=${({ target }: Event) => (tabled.value = (target as HTMLDetailsElement).open)}><summary>As a table</summary>${tabled.value ? table(list) : nothing}</details>`,
      box,
    );
    const rgb = channels(color);
    const cells = Array.from({ length: columns }, (_, x) => {
      const episode = episodeOf((x + 0.5) / columns);
      return episode <= drawn ? reel.at(episode) : undefined;
    });
    for (const name of box.querySelectorAll<HTMLElement>(".heat-name")) name.style.marginLeft = `${left}px`;
    for (const [k, { edges }] of list.entries()) {
      const place = box.querySelector<HTMLElement>(`[data-group="${k}"]`)!;
      const canvas = place.querySelector("canvas")!;
      place.style.gridTemplateColumns = `${across}px minmax(0, 1fr)`;
      place.style.marginLeft = `${left}px`;
      canvas.style.width = `${across}px`;
      canvas.style.height = `${edges.length * height}px`;
      for (const item of place.querySelectorAll("li")) item.style.height = item.style.lineHeight = `${height}px`;
      canvas.getContext("2d")?.putImageData(new ImageData(pixels(edges, cells, what, rgb), columns, edges.length), 0, 0);
    }
    box.querySelector<HTMLElement>(".heat-key i")!.style.setProperty("--agent", color);
  });

  // The line moves with every episode, so it is drawn without the map.
  effect(() => {
    const episode = open.value && own.value ? watching.episode.value : undefined;
    void [count.value, width.value, shown.value, app.about.value];
    const foot = episode === undefined ? undefined : chart.value?.stand(episode);
    const line = box.querySelector<HTMLElement>(".heat-line");
    if (!line) return;
    line.hidden = !foot;
    if (foot) line.style.left = `${foot.x}px`;
  });
}
