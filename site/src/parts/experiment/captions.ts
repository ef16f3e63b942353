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
import { figureName } from "../../state/figures";
import { measureOf, measures, nounOf } from "../../state/measures";
import type { Result } from "../../state/results";
import { isLong } from "./room";
import type { Showing } from "./showing";
import { costs, question, sourceWords } from "./words";

export function captions(playground: Playground, showing: Showing): void {
  const { root, app, comparison: results } = playground;
  const { foreigners, main, measure, paired, curves, number, picture, caption, chart, rests, said, speechless } = showing;
  const told = computed(() => app.view.value.heading);
  /** The figure whose question and answer the line has. They stay until there are words about an edit of it. */
  let asked: Result | undefined;

  /** The line: the preset's question and its answer, or what was changed and what that costs. */
  function sayLine(of: Result | undefined, title: string): void {
    const { name, question: words } = app.preset.value;
    const now = said.value;
    const same = of !== undefined && results.figure.value?.fingerprint === of.fingerprint;
    const asks = app.unchanged.value && (of?.source !== "file" || alike(of.spec, app.spec.value)); // a file may be of other settings
    const head = now ? `${now.head}:` : asks ? words : of || results.loading.value ? title : "";
    const answer = rests.value || (asks && same) ? answers[figureName(app.preset.value) ?? name] : of && costs(of);
    const body = now?.body ?? (of?.warning || answer || "");
    const line = byId(root, "line", HTMLElement);
    line.title = `${head} ${body}`;
    line.toggleAttribute("data-told", now !== undefined);
    line.toggleAttribute("data-long", isLong(head, body));
    say(root, "question", typeset(head));
    say(root, "answer", typeset(body));
  }

  effect(() => {
    const of = main.value;
    // The heading of the link stands above the figure (mount.ts), so here it is only the name of the region.
    const heading = byId(root, "experiment-title", HTMLElement);
    const given = told.value;
    const title = given ?? of?.title ?? app.title.value.title;
    heading.textContent = heading.title = title;
    if (rests.value) asked = of;
    if (!speechless.value || of === undefined || of !== asked) sayLine(of, title);
    say(root, "source", of ? typeset(sourceWords(of, app.spec.value, results.running.value, results.figure.value)) : "");
    const conclusion = paired.value ? curves.value[0]?.conclusion : of?.conclusions[measure.value];
    const learned = conclusion && !paired.value && measure.value === measures[0]!.key ? of?.learnedIn : undefined;
    say(root, "conclusion", typeset([conclusion, learned].filter(Boolean).join(" ")));
    const link = (to: string, words: unknown) => html`<a href="${site}docs/${to}" target="_blank" rel="noopener">${words}</a>`;
    const why = hosted && conclusion && !paired.value && measure.value === measures[0]!.key ? question(curves.value) : "";
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
    // During a run nothing comes or goes below the chart.
    if (!results.running.value) {
      byId(root, "data", HTMLElement).hidden = !data;
      byId(root, "discovery", HTMLElement).hidden = !discovery;
    }
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
