// How agents are named and drawn. Colours pass 3:1 on white and on #121212;
// each curve has a dash pattern and a name of its own beside it.

export interface AgentStyle {
  readonly name: string;
  /** The name where room is short. */
  readonly short: string;
  readonly color: string;
  readonly dash: string;
}

const solid = "none";
const dashed = "8 4";
const dashDot = "10 4 2 4";

const style = (name: string, color: string, dash: string, short = name): AgentStyle => ({ name, short, color, dash });

/** C-PSRL at a degree of prior knowledge. */
const degrees: readonly (readonly [color: string, dash: string])[] = [
  ["#7B68C8", "4 3"],
  ["#CC79A7", "14 4"],
  ["#009E73", "10 3 2 3 2 3"],
  ["#D55E00", "6 3 1 3"],
  ["#8C6D1F", "1 3"],
];

const degree = (eta: number): AgentStyle => {
  const [color, dash] = degrees[eta % degrees.length]!;
  return style(`C-PSRL (η = ${eta})`, color, dash, `η = ${eta}`);
};

const styles: Readonly<Record<string, AgentStyle>> = {
  "psrl": style("PSRL", "#D55E00", solid),
  "f-psrl": style("F-PSRL", "#0072B2", dashed),
  "c-psrl": style("C-PSRL", "#009E73", dashDot),
  "f-psrl:graph=prior": style("F-PSRL on G₀", "#4B86B4", "2 3", "on G₀"),
  ...Object.fromEntries(degrees.map((_, eta) => [`c-psrl:eta=${eta}`, degree(eta)])),
};

/** The agents that the form offers: the paper's three, then their variants. */
export const paperAgents = ["psrl", "f-psrl", "c-psrl"];
export const variantAgents = Object.keys(styles).filter((label) => !paperAgents.includes(label));

export function styleOf(label: string): AgentStyle {
  const eta = /^c-psrl:eta=(\d+)$/.exec(label)?.[1];
  return styles[label] ?? (eta === undefined ? style(label, "#767676", "5 5") : degree(Number(eta)));
}

/** A piece of the agent's line. */
export function swatch(label: string, width = 40, ghost = false): SVGSVGElement {
  const { color, dash } = styleOf(label);
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  picture.setAttribute("width", String(width));
  picture.setAttribute("height", "8");
  picture.setAttribute("aria-hidden", "true");
  const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
  line.setAttribute("d", `M0 4H${width}`);
  line.setAttribute("stroke", color);
  line.setAttribute("stroke-width", ghost ? "1" : "2");
  line.setAttribute("stroke-dasharray", dash);
  picture.append(line);
  return picture;
}
