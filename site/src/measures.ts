// What the measures are called.

import type { Measure } from "./formats";

export interface MeasureText {
  readonly title: string;
  /** What one point is, for the caption. */
  readonly means: string;
  /** The same as a formula. */
  readonly formula: string;
  /** Why an agent may have no curve. */
  readonly absent: string;
}

const noGraph = "PSRL samples no graph and has no curve here.";
const exact = "V by dynamic programming";

export const measures: Readonly<Record<Measure, MeasureText>> = {
  "cumulative-regret": {
    title: "Cumulative regret",
    means: "sum over episodes of V* − V of the policy played, both exact",
    formula: `Σ_{l ≤ k} V*(π*) − V*(π_l), ${exact}`,
    absent: "",
  },
  "regret": { title: "Regret of one episode", means: "V* − V of the policy played, both exact", formula: `V*(π*) − V*(π_k), ${exact}`, absent: "" },
  "model-error": {
    title: "Model error",
    means: "ℓ₁ distance between the true and the sampled next-state law, mean over states and actions",
    formula: "mean over x of ‖p*(·|x) − p_k(·|x)‖₁, joint next states",
    absent: "There is no model error for a problem of this size.",
  },
  "recall": { title: "Graph recall", means: "share of the true edges in the sampled graph", formula: "|z_k ∩ z*| / |z*|", absent: noGraph },
  "precision": { title: "Graph precision", means: "share of the sampled graph’s edges that are true", formula: "|z_k ∩ z*| / |z_k|", absent: noGraph },
  "parents": {
    title: "Parents in the sampled graph",
    means: "parents of one variable in the sampled graph, mean over variables",
    formula: "(1/d_Y) Σ_j |z_k,j|",
    absent: noGraph,
  },
};
