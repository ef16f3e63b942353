// What the canvas shows, as tables: the steps of the episode, what is planned,
// the sampled graph and the parent sets that the agent thinks of.

import { make } from "../dom";
import type { TraceBelief, Trace, Variable } from "../formats";
import { next } from "../prior/model";

const labelOf = ({ values }: Variable, value: number): string => values?.[value] ?? String(value);
const reward = new Intl.NumberFormat("en", { maximumFractionDigits: 3 });
const exact = new Intl.NumberFormat("en", { minimumFractionDigits: 3, maximumFractionDigits: 3 });
const evidence = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** The most states that a table lists. */
const mostStates = 512;

const columns = (names: readonly string[]): HTMLElement[] => names.map((name) => make("th", { scope: "col" }, name));
const signed = (text: string): string => text.replace("-", "−");

/** A probability; what is not 0 or 1 does not look like it. */
export function probability(p: number): string {
  if (p > 0 && p < 0.005) return "<0.01";
  if (p < 1 && p >= 0.995 && 1 - p > 1e-9) return ">0.99";
  return p.toFixed(2);
}

/** The trajectory, a row for each step. */
export function stepTable({ state, action, steps, episode }: Trace): HTMLTableElement {
  const group = (label: string, columns: readonly Variable[]): HTMLElement => make("th", { scope: "colgroup", colSpan: columns.length }, label);
  const names = [...[...state, ...action].map(({ name }) => name), "", ...state.map(({ name }) => next(name))];
  const head = make(
    "thead",
    {},
    make("tr", {}, make("td"), group("State", state), group("Action", action), make("td"), group("Next state", state)),
    make("tr", {}, ...columns(["Step", ...names.map((name) => name || "Reward")])),
  );
  const inputs = [...state, ...action];
  const rows = steps.map(({ x, y, reward: paid }, h) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, String(h + 1)),
      ...x.map((value, i) => make("td", {}, labelOf(inputs[i]!, value))),
      make("td", {}, reward.format(paid)),
      ...y.map((value, j) => make("td", {}, labelOf(state[j]!, value))),
    ),
  );
  return make("table", {}, make("caption", {}, `The steps of episode ${episode}`), head, make("tbody", {}, ...rows));
}

/** Marks the step that was made last. */
export function markStep(table: HTMLTableElement, steps: number): void {
  table.querySelectorAll("tbody tr").forEach((row, h) => {
    if (h === steps - 1) row.setAttribute("aria-current", "step");
    else row.removeAttribute("aria-current");
  });
}

/** What is planned for step h; on a grid, with the passenger waiting (0) or in the taxi (1). */
export function planTable({ grid, state, action, steps, ...models }: Trace, model: "sampled" | "true", h: number, passenger: number): HTMLTableElement {
  const { v, policy } = models[model];
  const values = v[h - 1]!;
  const start = steps[0]!.x;
  const isShown = (point: readonly number[]): boolean => !grid || (point[2] === passenger && point.every((value, i) => i < 3 || value === start[i]));
  const states = [...values.keys()].map((s) => [s, pointOf(state, s)] as const).filter(([, point]) => isShown(point));
  const rows = states
    .slice(0, mostStates)
    .map(([s, point]) =>
      make(
        "tr",
        {},
        ...point.map((value, i) => make("td", {}, labelOf(state[i]!, value))),
        make("td", {}, signed(exact.format(values[s]!))),
        ...pointOf(action, policy[h - 1]![s]!).map((value, i) => make("td", {}, labelOf(action[i]!, value))),
      ),
    );
  const head = make(
    "thead",
    {},
    make(
      "tr",
      {},
      ...columns(state.map(({ name }) => name)),
      make("th", { scope: "col" }, "V", make("sub", {}, String(h))),
      ...columns(action.map(({ name }) => name)),
    ),
  );
  const part = rows.length < states.length ? `: the first ${rows.length} of ${states.length} states` : "";
  return make("table", {}, make("caption", {}, `The plan for step ${h} in the ${model} model${part}`), head, make("tbody", {}, ...rows));
}

/** The values of the variables at an index: that of the last one changes fastest. */
function pointOf(variables: readonly Variable[], index: number): number[] {
  return variables
    .map(({ size }) => size)
    .reduceRight<number[]>((point, size) => {
      point.unshift(index % size);
      index = Math.floor(index / size);
      return point;
    }, []);
}

/** The edges of the sampled graph and, beside a revealed one, those that it misses. */
export function edgeTable({ state, action, prior, sampled, true: { graph } }: Trace, belief: readonly TraceBelief[], revealed: boolean): HTMLTableElement {
  const inputs = [...state, ...action];
  const rows = belief.flatMap(({ edges }, j) =>
    edges.flatMap((p, i) => {
      const [x, y] = [inputs[i]!, inputs[j]!];
      const [known, drawn, truth] = [prior, sampled.graph, graph].map((parents) => parents?.[j]?.includes(i));
      const trivial = x.size === 1 || y.size === 1;
      if (!drawn && !(revealed && truth && !trivial)) return [];
      return make(
        "tr",
        {},
        make("th", { scope: "row" }, `${x.name} → ${next(y.name)}`),
        make("td", {}, (known ? "known" : drawn ? "sampled" : "missed") + (trivial ? ", cannot be told" : "")),
        make("td", {}, probability(p)),
        ...(revealed ? [make("td", {}, trivial ? "" : truth ? "yes" : "no")] : []),
      );
    }),
  );
  const head = make("thead", {}, make("tr", {}, ...columns(["Edge", "Status", "Probability", ...(revealed ? ["True"] : [])])));
  return make("table", {}, make("caption", {}, "The sampled graph"), head, make("tbody", {}, ...rows));
}

/** The most probable parent sets of one Y. */
export function setTable({ state, action }: Trace, j: number, { count, sets }: TraceBelief): HTMLTableElement {
  const names = [...state, ...action].map(({ name }) => name);
  const head = make("thead", {}, make("tr", {}, ...columns(["Parents", "Probability", "Log evidence"])));
  const rows = sets.map(({ parents, p, logEvidence }) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, parents.map((i) => names[i]).join(", ") || "none"),
      make("td", {}, probability(p)),
      make("td", {}, signed(evidence.format(logEvidence))),
    ),
  );
  const which =
    sets.length < count ? `The ${sets.length} most probable of ${count} parent sets of ${next(names[j]!)}` : `The parent sets of ${next(names[j]!)}`;
  return make("table", {}, make("caption", {}, which), head, make("tbody", {}, ...rows));
}
