// How agents are named and drawn. Colours pass 3:1 on white and on #121212;
// each curve has a dash pattern and a name of its own beside it.

export interface AgentStyle {
  readonly name: string;
  readonly color: string;
  readonly dash: string;
}

const solid = "none";
const dashed = "8 4";
const dashDot = "10 4 2 4";

const styles: Readonly<Record<string, AgentStyle>> = {
  "psrl": { name: "PSRL", color: "#D55E00", dash: solid },
  "f-psrl": { name: "F-PSRL", color: "#0072B2", dash: dashed },
  "c-psrl": { name: "C-PSRL", color: "#009E73", dash: dashDot },
  "f-psrl:graph=prior": { name: "F-PSRL on G₀", color: "#4B86B4", dash: "2 3" },
  "c-psrl:eta=0": { name: "C-PSRL (η = 0)", color: "#8C6D1F", dash: "4 3" },
  "c-psrl:eta=1": { name: "C-PSRL (η = 1)", color: "#CC79A7", dash: "14 4" },
  "c-psrl:eta=2": { name: "C-PSRL (η = 2)", color: "#009E73", dash: "10 3 2 3 2 3" },
  "c-psrl:eta=3": { name: "C-PSRL (η = 3)", color: "#D55E00", dash: "6 3 1 3" },
  "c-psrl:eta=4": { name: "C-PSRL (η = 4)", color: "#7B68C8", dash: "1 3" },
};

/** The agents that the form offers: the paper's three, then their variants. */
export const paperAgents = ["psrl", "f-psrl", "c-psrl"];
export const variantAgents = Object.keys(styles).filter((label) => !paperAgents.includes(label));

export function styleOf(label: string): AgentStyle {
  return styles[label] ?? { name: label, color: "#767676", dash: "5 5" };
}
