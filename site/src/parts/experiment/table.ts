// The tables: the data behind the chart, and the report on weak causal discovery.

import { html } from "lit-html";
import { styleOf, subjectOf } from "../../agents";
import { typeset } from "../../dom";
import type { Discovery, DiscoveryScores } from "../../formats";
import { type Curve, nearest, type Written } from "../../state/results";
import { nameOf } from "./readout";

const rows = 25;

/** The curves as a table of at most 25 evenly spaced episodes. */
export function table(title: string, curves: readonly Curve[], number: Written) {
  const [longest] = curves.toSorted((a, b) => b.episodes.length - a.episodes.length);
  const count = longest?.episodes.length ?? 0;
  const step = Math.max(1, Math.ceil(count / rows));
  const episodes = Array.from({ length: Math.ceil(count / step) }, (_, i) => longest!.episodes[count - 1 - i * step]!).reverse();
  const cell = (value = NaN) => html`<td>${Number.isNaN(value) ? "–" : number(value)}</td>`;
  const row = (episode: number) =>
    html`<tr><th scope="row">${episode}</th>${curves.map((curve) => {
      const k = nearest(curve, episode);
      return [cell(curve.mean[k]), cell(curve.lo[k]), cell(curve.hi[k])];
    })}</tr>`;
  return html`<table>
    <caption>${title} at ${episodes.length} of ${episodes.at(-1) ?? 0} episodes: ${curves[0]?.least ? "median and 25% and 75% quantiles" : "mean and 95% confidence interval"}</caption>
    <thead>
      <tr><td></td>${curves.map((curve) => html`<th scope="colgroup" colspan="3">${nameOf(curve)}</th>`)}</tr>
      <tr><th scope="col">Episode</th>${curves.map(({ least }) => heads(least ? ["median", "25%", "75%"] : ["mean", "low", "high"]))}</tr>
    </thead>
    <tbody translate="no">${episodes.map(row)}</tbody>
  </table>`;
}

const heads = (names: readonly string[]) => names.map((name) => html`<th scope="col">${name}</th>`);

const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 0 });
const two = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** The report on weak causal discovery, in a sentence. */
export function discoveryWords(reports: readonly Discovery[]): string {
  const subject = subjectOf(reports.map(({ agent }) => agent));
  const report = reports.find(({ agent }) => agent === subject) ?? reports[0]!;
  const over = report.runs === 1 ? "the run" : `the ${report.runs} runs`;
  return typeset(
    `A graph that ${styleOf(report.agent).name} sampled, drawn at random from ${over}, contains the true graph with probability ${percent.format(report.superset)}; ` +
      `after the last episode its most probable graph has ${percent.format(report.best.recall)} of the true edges, and ${percent.format(report.best.precision)} of its edges are true.`,
  );
}

export function discoveryTable(reports: readonly Discovery[]) {
  const columns = ["contains", "recall", "precision", "parents"];
  const scores = ({ superset, recall, precision, parents }: DiscoveryScores) =>
    [percent.format(superset), percent.format(recall), percent.format(precision), two.format(parents)].map((text) => html`<td>${text}</td>`);
  const row = ({ agent, superset, random, best }: Discovery) =>
    html`<tr><th scope="row">${styleOf(agent).name}</th><td>${percent.format(superset)}</td>${scores(random)}${scores(best)}</tr>`;
  return html`<table>
    <caption>Sampled graphs against the true one, means over runs; contains: the true graph is part of it</caption>
    <thead>
      <tr><td></td><th scope="colgroup" colspan="1">All sampled</th><th scope="colgroup" colspan="4">One drawn from each run</th><th scope="colgroup" colspan="4">Most probable at the end</th></tr>
      <tr><th scope="col">Agent</th>${heads(["contains", ...columns, ...columns])}</tr>
    </thead>
    <tbody translate="no">${reports.map(row)}</tbody>
  </table>`;
}
