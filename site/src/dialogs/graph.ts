// The graph that transitions tell, drawn small: certain edges as known ones, uncertain ones with their probability.

import { html } from "lit-html";
import type { Posterior } from "../formats";
import { draw } from "../markup";
import { edges } from "../parts/prior/graph";
import { type Look, next } from "../parts/prior/model";
import { named } from "../parts/prior/named";
import { fronts } from "../parts/prior/names";

/** How many variables are drawn; tables have all. */
const mostDrawn = 24;

/** The height of a variable in the drawing, in CSS px. */
const line = 26;

/** The drawing of an answer. */
const drawings = new WeakMap<Posterior, SVGElement>();

/** The edges, drawn once. */
function drawingOf(said: Posterior, look: Look): SVGElement {
  const known = drawings.get(said);
  if (known) return known;
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const size = { width: 220, height: line * look.x.length };
  for (const [name, value] of Object.entries({
    viewBox: `0 0 ${size.width} ${size.height}`,
    height: `${size.height}`,
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  }))
    svg.setAttribute(name, value);
  draw(svg, edges(look, size, undefined, {}, false));
  drawings.set(said, svg);
  return svg;
}

/** The graph; nothing if it has too many variables. */
export function graphOf(said: Posterior) {
  const { variables, edges: all, uncertain = [], certain = [] } = said;
  const ys = Object.keys(variables);
  const names = [...ys, ...new Set(all.map(({ from }) => from).filter((from) => !(from in variables)))];
  if (names.length > mostDrawn) return undefined;
  const stated = ys.map(
    (y) =>
      new Map(
        [...certain.map((edge) => ({ ...edge, p: 1 })), ...uncertain]
          .filter(({ to }) => to === y)
          .map(({ from, p }) => [names.indexOf(from), Math.round(100 * p) / 100]),
      ),
  );
  const look: Look = { x: names.map((name) => ({ name, size: 2 })), ySize: ys.length, stated, truth: undefined, sampled: undefined, belief: undefined };
  const shared = fronts(names);
  const list = (list: readonly string[]) => html`<ul>${list.map((name, i) => html`<li title=${name}>${named(name, shared[i]!)}</li>`)}</ul>`;
  const counted = (n: number, what: string): string => `${n} ${what} ${n === 1 ? "edge" : "edges"}`;
  return html`<figure class="graph" role="img" aria-label="${`The graph: ${counted(certain.length, "certain")}, ${counted(uncertain.length, "uncertain")}`}">
    ${list(names)}${drawingOf(said, look)}${list(ys.map(next))}
  </figure>`;
}
