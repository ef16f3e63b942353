// What the measures are called.

import type { Measure } from "./formats";

export interface MeasureText {
  readonly title: string;
  /** What one point is, for the caption. */
  readonly means: string;
  /** Why an agent may have no curve. */
  readonly absent: string;
}

const noGraph = "PSRL samples no graph and has no curve here.";

export const measures: Readonly<Record<Measure, MeasureText>> = {
  "cumulative-regret": { title: "Cumulative regret", means: "sum over episodes of V* − V of the policy played, both exact", absent: "" },
  "regret": { title: "Regret of one episode", means: "V* − V of the policy played, both exact", absent: "" },
  "model-error": {
    title: "Model error",
    means: "ℓ₁ distance between the true and the sampled next-state law, mean over states and actions",
    absent: "There is no model error for a problem of this size.",
  },
  "recall": { title: "Graph recall", means: "share of the true edges in the sampled graph", absent: noGraph },
  "precision": { title: "Graph precision", means: "share of the sampled graph’s edges that are true", absent: noGraph },
  "parents": { title: "Parents in the sampled graph", means: "parents of one variable in the sampled graph, mean over variables", absent: noGraph },
};
