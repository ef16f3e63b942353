// What the canvas shows, as tables: the steps of the episode and the parent
// sets that the agent thinks of.

import { make } from "../dom";
import type { Belief, Trace, TraceVariable } from "../formats";
import { next } from "../prior/model";

const labelOf = ({ values }: TraceVariable, value: number): string => values?.[value] ?? String(value);
const reward = new Intl.NumberFormat("en", { maximumFractionDigits: 3 });
const evidence = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** A probability; what is not 0 or 1 does not look like it. */
export function probability(p: number): string {
  if (p > 0 && p < 0.005) return "<0.01";
  if (p < 1 && p >= 0.995 && 1 - p > 1e-9) return ">0.99";
  return p.toFixed(2);
}

/** The trajectory, a row for each step. */
export function stepTable({ state, action, steps, episode }: Trace): HTMLTableElement {
  const group = (label: string, columns: readonly TraceVariable[]): HTMLElement => make("th", { scope: "colgroup", colSpan: columns.length }, label);
  const names = [...[...state, ...action].map(({ name }) => name), "", ...state.map(({ name }) => next(name))];
  const head = make("thead", {},
    make("tr", {}, make("td"), group("State", state), group("Action", action), make("td"), group("Next state", state)),
    make("tr", {}, make("th", { scope: "col" }, "Step"), ...names.map((name) => make("th", { scope: "col" }, name || "Reward"))),
  );
  const inputs = [...state, ...action];
  const rows = steps.map(({ x, y, reward: paid }, h) => make("tr", {},
    make("th", { scope: "row" }, String(h + 1)),
    ...x.map((value, i) => make("td", {}, labelOf(inputs[i]!, value))),
    make("td", {}, reward.format(paid)),
    ...y.map((value, j) => make("td", {}, labelOf(state[j]!, value))),
  ));
  return make("table", {}, make("caption", {}, `The steps of episode ${episode}`), head, make("tbody", {}, ...rows));
}

/** Marks the step that was made last. */
export function markStep(table: HTMLTableElement, steps: number): void {
  table.querySelectorAll("tbody tr").forEach((row, h) => {
    if (h === steps - 1) row.setAttribute("aria-current", "step");
    else row.removeAttribute("aria-current");
  });
}

/** The most probable parent sets of one Y. */
export function setTable({ state, action }: Trace, j: number, { count, sets }: Belief): HTMLTableElement {
  const names = [...state, ...action].map(({ name }) => name);
  const head = make("thead", {}, make("tr", {}, ...["Parents", "Probability", "Log evidence"].map((name) => make("th", { scope: "col" }, name))));
  const rows = sets.map(({ parents, p, logEvidence }) => make("tr", {},
    make("th", { scope: "row" }, parents.map((i) => names[i]).join(", ") || "none"),
    make("td", {}, probability(p)),
    make("td", {}, evidence.format(logEvidence).replace("-", "−")),
  ));
  const which = sets.length < count ? `The ${sets.length} most probable of ${count} parent sets of ${next(names[j]!)}` : `The parent sets of ${next(names[j]!)}`;
  return make("table", {}, make("caption", {}, which), head, make("tbody", {}, ...rows));
}
