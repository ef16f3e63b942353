// What the stage shows, as tables: the steps of the episode, the plan, the sampled graph,
// and the most probable parent sets.

import { html, nothing } from "lit-html";
import type { Trace, TraceBelief, TraceModel, Variable } from "../../formats";
import { next } from "../prior/model";

const labelOf = ({ values }: Variable, value: number): string => values?.[value] ?? String(value);
const reward = new Intl.NumberFormat("en", { maximumFractionDigits: 3 });
const exact = new Intl.NumberFormat("en", { minimumFractionDigits: 3, maximumFractionDigits: 3 });
const evidence = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** How many states a table lists at most. */
const mostStates = 512;

export const columns = (names: readonly string[]) => names.map((name) => html`<th scope="col">${name}</th>`);
const cells = (texts: readonly string[]) => texts.map((text) => html`<td>${text}</td>`);
const signed = (text: string): string => text.replace("-", "−");

/** A probability in two digits. A value that is not 0 or 1 is not rounded to it. */
export function probability(p: number): string {
  if (p > 0 && p < 0.005) return "<0.01";
  if (p < 1 && p >= 0.995 && 1 - p > 1e-9) return ">0.99";
  return p.toFixed(2);
}

/** The state after that many steps. */
export const stateAfter = ({ state, steps, end }: Trace, made: number): readonly number[] =>
  steps[made]?.x.slice(0, state.length) ?? steps.at(-1)?.y ?? end ?? [];

/** How an episode ended before its horizon, or "". */
const endOf = ({ steps, horizon, ending }: Trace): string =>
  ending === undefined && steps.length === horizon
    ? ""
    : `. It ended ${steps.length ? `after step ${steps.length}` : "where it began"}${ending ? `: ${ending}` : ""}`;

/** The trajectory, a row for each step. The last step that was made is marked. */
export function stepTable(trace: Trace, made: number) {
  const { state, action, steps, episode } = trace;
  const group = (label: string, columns: readonly Variable[]) => html`<th scope="colgroup" colspan=${columns.length}>${label}</th>`;
  const inputs = [...state, ...action];
  const names = ["Step", ...inputs.map(({ name }) => name), "Reward", ...state.map(({ name }) => next(name))];
  const row = ({ x, y, reward: paid }: Trace["steps"][number], h: number) =>
    html`<tr aria-current=${h === made - 1 ? "step" : nothing}><th scope="row">${h + 1}</th>${cells([
      ...x.map((value, i) => labelOf(inputs[i]!, value)),
      reward.format(paid),
      ...y.map((value, j) => labelOf(state[j]!, value)),
    ])}</tr>`;
  return html`<table>
    <caption>The steps of episode ${episode}${endOf(trace)}</caption>
    <thead><tr><td></td>${group("State", state)}${group("Action", action)}<td></td>${group("Next state", state)}</tr><tr>${columns(names)}</tr></thead>
    <tbody translate="no">${steps.map(row)}</tbody>
  </table>`;
}

/**
 * The plan for step h, with a row for each state. On a grid (at) it lists one state for each cell: the variable with the index
 * layer has the given value, and the variables after it have the values with which the episode starts.
 */
export function planTable(trace: Trace, model: "sampled" | "true", h: number, at: { readonly layer: number; readonly value: number } | undefined) {
  const { state, action, legal } = trace;
  const { v, policy } = trace[model];
  if (!v || !policy) return triedTable(trace, h);
  const values = v[h - 1]!;
  const start = stateAfter(trace, 0);
  const isShown = (point: readonly number[]): boolean => !at || point.every((value, i) => i < at.layer || value === (i === at.layer ? at.value : start[i]));
  const states = [...values.keys()].map((s) => [s, pointOf(state, s)] as const).filter(([, point]) => isShown(point));
  const rows = states
    .slice(0, mostStates)
    .map(
      ([s, point]) =>
        html`<tr>${cells([
          ...point.map((value, i) => labelOf(state[i]!, value)),
          signed(exact.format(values[s]!)),
          ...(legal?.[policy[h - 1]![s]!] ?? pointOf(action, policy[h - 1]![s]!)).map((value, i) => labelOf(action[i]!, value)),
        ])}</tr>`,
    );
  const part = rows.length < states.length ? `: the first ${rows.length} of ${states.length} states` : "";
  const names = (variables: readonly Variable[]) => columns(variables.map(({ name }) => name));
  return html`<table>
    <caption>The plan for step ${h} in the ${model} model${part}</caption>
    <thead><tr>${names(state)}<th scope="col">V<sub>${h}</sub></th>${names(action)}</tr></thead>
    <tbody translate="no">${rows}</tbody>
  </table>`;
}

/** What the search of step h made of the actions that it liked best. */
function triedTable({ action, steps }: Trace, h: number) {
  const tried = steps[h - 1]?.tried;
  if (!tried) return "No list holds the states, and the agent does not search here.";
  const rows = tried.map(
    (of) => html`<tr>${cells([...of.action.map((value, i) => labelOf(action[i]!, value)), signed(exact.format(of.value)), String(of.trials)])}</tr>`,
  );
  return html`<table>
    <caption>What the search of step ${h} made of its best actions: no list holds the states</caption>
    <thead><tr>${columns([...action.map(({ name }) => name), "Mean of trials", "Trials"])}</tr></thead>
    <tbody translate="no">${rows}</tbody>
  </table>`;
}

/** The values of the variables at an index. The last variable changes fastest. */
export function pointOf(variables: readonly Pick<Variable, "size">[], index: number): number[] {
  return variables
    .map(({ size }) => size)
    .reduceRight<number[]>((point, size) => {
      point.unshift(index % size);
      index = Math.floor(index / size);
      return point;
    }, []);
}

/** Where an edge matters in the tables of a model, in the engine's words. Empty: everywhere. */
const whereOf = ({ where }: TraceModel, i: number, j: number): string => where?.find(({ x, y }) => x === i && y === j)?.text ?? "";

/**
 * The edges of the sampled graph and, once the true graph is revealed, the true edges that it misses. If an edge of the sampled graph does
 * not matter everywhere, a column says where the edges do.
 */
export function edgeTable({ state, action, prior, sampled, true: truly }: Trace, belief: readonly TraceBelief[], revealed: boolean) {
  const inputs = [...state, ...action];
  const says = sampled.where !== undefined;
  const rows = belief.flatMap(({ edges }, j) =>
    edges.flatMap((p, i) => {
      const [x, y] = [inputs[i]!, inputs[j]!];
      const [known, drawn, truth] = [prior, sampled.graph, truly.graph].map((parents) => parents?.[j]?.includes(i));
      const trivial = x.size === 1 || y.size === 1;
      if (!drawn && !(revealed && truth && !trivial)) return [];
      const status = (known ? "known" : drawn ? "sampled" : "missed") + (trivial ? ", no data can tell" : "");
      const yes = ["yes", whereOf(truly, i, j)].filter(Boolean).join(", ");
      const where = says ? [whereOf(sampled, i, j)] : [];
      return html`<tr><th scope="row">${x.name} → ${next(y.name)}</th>${cells([status, probability(p), ...where, ...(revealed ? [trivial ? "" : truth ? yes : "no"] : [])])}</tr>`;
    }),
  );
  return html`<table class=${says ? "told" : nothing}>
    <caption>The sampled graph${says ? ". A context is one assignment of the other parents" : nothing}</caption>
    <thead><tr>${columns(["Edge", "Status", "Probability", ...(says ? ["In the sampled table"] : []), ...(revealed ? ["True"] : [])])}</tr></thead>
    <tbody translate="no">${rows}</tbody>
  </table>`;
}

/** The most probable parent sets of one Y. */
export function setTable({ state, action }: Trace, j: number, { count, sets }: TraceBelief) {
  const names = [...state, ...action].map(({ name }) => name);
  const of = next(names[j]!);
  const rows = sets.map(
    ({ parents, p, logEvidence }) =>
      html`<tr><th scope="row">${parents.map((i) => names[i]).join(", ") || "none"}</th>${cells([probability(p), signed(evidence.format(logEvidence))])}</tr>`,
  );
  return html`<table>
    <caption>${sets.length < count ? `The ${sets.length} most probable of ${count} parent sets of ${of}` : `The parent sets of ${of}`}</caption>
    <thead><tr>${columns(["Parents", "Probability", "Log evidence"])}</tr></thead>
    <tbody translate="no">${rows}</tbody>
  </table>`;
}
