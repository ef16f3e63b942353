// The tables: the data behind the chart, and the report on weak causal discovery.

import { styleOf, subjectOf } from "./agents";
import { make, typeset } from "./dom";
import type { Discovery, DiscoveryScores } from "./formats";
import { nameOf } from "./readout";
import { nearest, type Curve, type Written } from "./results";

const rows = 25;

/** Writes the curves into the box as a table of at most 25 evenly spaced episodes. */
export function fillTable(box: HTMLElement, title: string, curves: readonly Curve[], number: Written): void {
  const [longest] = curves.toSorted((a, b) => b.episodes.length - a.episodes.length);
  const count = longest?.episodes.length ?? 0;
  const step = Math.max(1, Math.ceil(count / rows));
  const episodes = Array.from({ length: Math.ceil(count / step) }, (_, i) => longest!.episodes[count - 1 - i * step]!).reverse();
  const cell = (value = NaN) => make("td", {}, Number.isNaN(value) ? "–" : number(value));
  const head = make(
    "thead",
    {},
    make("tr", {}, make("td"), ...curves.map((curve) => make("th", { scope: "colgroup", colSpan: 3 }, nameOf(curve)))),
    make("tr", {}, make("th", { scope: "col" }, "Episode"), ...curves.flatMap(() => ["mean", "low", "high"].map((name) => make("th", { scope: "col" }, name)))),
  );
  const body = make("tbody");
  for (const episode of episodes) {
    const row = make("tr", {}, make("th", { scope: "row" }, String(episode)));
    for (const curve of curves) {
      const k = nearest(curve, episode);
      row.append(cell(curve.mean[k]), cell(curve.lo[k]), cell(curve.hi[k]));
    }
    body.append(row);
  }
  box.replaceChildren(
    make("table", {}, make("caption", {}, `${title} at ${episodes.length} of ${episodes.at(-1) ?? 0} episodes: mean and 95% confidence interval`), head, body),
  );
}

const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 0 });
const two = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Reports on weak causal discovery: one sentence, and a table by agent. */
export function fillDiscovery(words: HTMLElement, box: HTMLElement, reports: readonly Discovery[]): void {
  const subject = subjectOf(reports.map(({ agent }) => agent));
  const report = reports.find(({ agent }) => agent === subject) ?? reports[0]!;
  const { name } = styleOf(report.agent);
  const over = report.runs === 1 ? "the run" : `the ${report.runs} runs`;
  words.textContent = typeset(
    `A graph that ${name} sampled, drawn at random from ${over}, contains the true graph with probability ${percent.format(report.superset)}; ` +
      `after the last episode its most probable graph has ${percent.format(report.best.recall)} of the true edges, and ${percent.format(report.best.precision)} of its edges are true.`,
  );
  const scores = ({ superset, recall, precision, parents }: DiscoveryScores) =>
    [percent.format(superset), percent.format(recall), percent.format(precision), two.format(parents)].map((text) => make("td", {}, text));
  const columns = ["contains", "recall", "precision", "parents"];
  const head = make(
    "thead",
    {},
    make(
      "tr",
      {},
      make("td"),
      make("th", { scope: "colgroup", colSpan: 1 }, "All sampled"),
      make("th", { scope: "colgroup", colSpan: 4 }, "One drawn from each run"),
      make("th", { scope: "colgroup", colSpan: 4 }, "Most probable at the end"),
    ),
    make("tr", {}, make("th", { scope: "col" }, "Agent"), ...["contains", ...columns, ...columns].map((name) => make("th", { scope: "col" }, name))),
  );
  const body = make(
    "tbody",
    {},
    ...reports.map(({ agent, superset, random, best }) =>
      make("tr", {}, make("th", { scope: "row" }, styleOf(agent).name), make("td", {}, percent.format(superset)), ...scores(random), ...scores(best)),
    ),
  );
  box.replaceChildren(
    make("table", {}, make("caption", {}, "Sampled graphs against the true one, means over runs; contains: the true graph is part of it"), head, body),
  );
}
