// The words and the tables around the chart.

import answers from "cpsrl:answers";
import catalogue from "cpsrl:catalogue";
import { computed, effect, signal } from "@preact/signals-core";
import { html, nothing, render } from "lit-html";
import { byId, say, typeset } from "../../dom";
import { later } from "../../lost";
import type { Playground } from "../../state/playground";
import { hosted, site } from "../../site";
import { alike } from "../../state/differences";
import { measureOf, measures, nounOf } from "../../state/measures";
import type { Showing } from "./showing";
import { question, sourceWords } from "./words";

export function captions(playground: Playground, showing: Showing): void {
  const { root, app, comparison: results } = playground;
  const { foreigners, main, measure, paired, curves, number, picture, caption, chart, verdict } = showing;
  const told = computed(() => app.view.value.heading);

  effect(() => {
    const of = main.value;
    // The heading of the link stands above the figure (mount.ts), so here it is only the name of the region.
    const heading = byId(root, "experiment-title", HTMLElement);
    const given = told.value;
    heading.hidden = given !== undefined;
    heading.textContent = heading.title = given ?? of?.title ?? app.title.value.title;
    heading.toggleAttribute("data-own", of !== undefined && (of.source === "file" || !alike(of.spec, app.spec.value)));
    // The question is that of the preset. Otherwise the source of what is shown replaces it.
    const asked = app.unchanged.value && (!of || alike(of.spec, app.spec.value));
    const { name, question: words } = app.preset.value;
    say(root, "question", asked ? words : "");
    say(root, "answer", typeset(verdict.value || of?.warning || (asked && answers[name]) || ""));
    const source = byId(root, "source", HTMLElement);
    if (asked) byId(root, "conclusion", HTMLElement).before(source);
    else byId(root, "answer", HTMLElement).parentElement!.after(source);
    say(root, "source", of ? typeset(sourceWords(of, app.spec.value, results.running.value, playground.shows("controls"), results.figure.value)) : "");
    const said = paired.value ? curves.value[0]?.conclusion : of?.conclusions[measure.value];
    say(root, "conclusion", typeset(said ?? ""));
    const link = (to: string, words: unknown) => html`<a href="${site}docs/${to}" target="_blank" rel="noopener">${words}</a>`;
    const why = hosted && said && !paired.value && measure.value === measures[0]!.key ? question(curves.value) : "";
    const trapped = of?.warning ?? "";
    byId(root, "why", HTMLElement).hidden = why === "" && trapped === "";
    render(
      trapped
        ? html`${typeset(trapped)} ${hosted ? link("guide.html#when-an-agent-is-trapped", "What helps") : nothing}`
        : why === ""
          ? nothing
          : link("#why-c-psrl-can-beat-the-agent-that-knows-the-true-graph", typeset(why)),
      byId(root, "why", HTMLElement),
    );
    const fingerprint = of?.source === "figure" ? undefined : of?.fingerprint;
    byId(root, "fingerprint-row", HTMLElement).hidden = fingerprint === undefined;
    byId(root, "fingerprint", HTMLElement).textContent = fingerprint ?? "";
  });
  effect(() => {
    const reading = caption.value && picture.value?.dots?.of !== "learned" && measureOf(measure.value).reading;
    say(root, "caption", [caption.value, reading].filter(Boolean).join(" "));
  });
  effect(() => say(root, "cut", chart.value?.hidden ?? ""));
  byId(root, "engine", HTMLElement).textContent = `version ${catalogue.engine}`;
  // The words about the numbers are unfolded. Where the page is one screen, they are unfolded only if there is room for them.
  const about = byId(root, "about", HTMLDetailsElement);
  const panels = byId(root, "panels", HTMLElement);
  about.open ||= getComputedStyle(panels).overflowY !== "auto";
  const unfold = effect(() => {
    if (!main.value) return;
    if (!about.open) {
      about.open = true;
      about.open = panels.scrollHeight <= panels.clientHeight;
    }
    queueMicrotask(() => unfold());
  });
  // The tables are loaded when the first of them is unfolded.
  const tables = signal<typeof import("./table") | undefined>(undefined);
  const unfolded = signal<ReadonlySet<string>>(new Set());
  for (const id of ["data", "discovery"]) {
    const details = byId(root, id, HTMLDetailsElement);
    details.addEventListener("toggle", async () => {
      const others = [...unfolded.value].filter((other) => other !== id);
      unfolded.value = new Set(details.open ? [...others, id] : others);
      tables.value ??= await later(() => import("./table"));
    });
  }
  effect(() => {
    const reports = main.value?.discovery ?? [];
    const all = [...curves.value, ...foreigners.value];
    const [data, discovery] = [all.length > 0, reports.length > 0];
    byId(root, "data", HTMLElement).hidden = !data;
    byId(root, "discovery", HTMLElement).hidden = !discovery;
    const made = tables.value;
    if (!made) return;
    if (data && unfolded.value.has("data"))
      render(
        picture.value?.dots?.table() ?? made.table(nounOf(measureOf(measure.value), app.about.value?.ends), all, number.value),
        byId(root, "table", HTMLElement),
      );
    if (!discovery || !unfolded.value.has("discovery")) return;
    byId(root, "discovery-words", HTMLElement).textContent = made.discoveryWords(reports);
    render(made.discoveryTable(reports), byId(root, "discovery-table", HTMLElement));
  });
}
