// How agents are named and drawn. The catalogue knows the agents that every form offers;
// the engine describes any others as they appear.

import catalogue from "cpsrl:catalogue";
import { html, type TemplateResult } from "lit-html";
import type { AgentEntry } from "./formats";

const known = new Map(catalogue.agents.map((agent) => [agent.label, agent]));

/** The labels of the agents that every form offers: each kind, without parameters. */
export const kinds = catalogue.kinds.map(({ key }) => key);

export function learn(agents: readonly AgentEntry[]): void {
  for (const agent of agents) known.set(agent.label, agent);
}

export const isKnown = (label: string): boolean => known.has(label);

const dashOf = (dash: readonly number[]): string => dash.join(" ") || "none";

/**
 * The agent's name, the colour and the SVG dash pattern of its line, and its gloss: what it knows, in a few words. The gloss of
 * an agent with parameters is "", because its name already says it. Until the engine has described the agent, the label stands
 * for the name, and the line is grey.
 */
export function styleOf(label: string) {
  const agent = known.get(label);
  if (!agent) return { name: label, color: "#707070", dash: "5 5", gloss: "" };
  const { name, look, kind, gloss } = agent;
  return { name, color: look.color, dash: dashOf(look.dash), gloss: label === kind ? gloss : "" };
}

/** The rank of an agent among the baselines; 0 if it is not a baseline. */
export const rankOf = (label: string): number => known.get(label)?.baseline ?? 0;

/** The agents that sample graphs, baselines last. */
export const sampling = (labels: readonly string[]): string[] => labels.filter((label) => known.get(label)?.graph).toSorted((a, b) => rankOf(a) - rankOf(b));

/** The agent whose graphs are shown where there is room for only one agent. */
export const subjectOf = (labels: readonly string[]): string | undefined => sampling(labels)[0];

/** The agent that is watched if nothing names one. */
export const standardOf = (labels: readonly string[]): string => subjectOf(labels) ?? labels[0]!;

/** Whether an agent is told the spec's prior. An agent that the engine has not described yet may be. */
export const isTold = (label: string): boolean => known.get(label)?.told ?? !known.has(label);

/** Whether an agent is given the true graph, so that its own graph tells it. */
export const knowsTruth = (label: string): boolean => rankOf(label) > 0 && known.get(label)?.graph === true && !isTold(label);

/** Whether an agent asks for the prior of that name, or, without a name, for any named prior. */
export const asksFor = (label: string, name = "[^,]+"): boolean => new RegExp(`[:,]prior=${name}(,|$)`).test(label);

/** The line of an agent. Drawn: its strokes and gaps in the figure beside it. */
export function swatch(label: string, width = 40, drawn?: readonly number[]): TemplateResult {
  const { color, dash: own } = styleOf(label);
  const dash = drawn ? dashOf(drawn) : own;
  return html`<svg width=${width} height="8" aria-hidden="true"><path d="M0 4H${width}" stroke=${color} stroke-width="2" stroke-dasharray=${dash} /></svg>`;
}
