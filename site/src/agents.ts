// How agents are named and drawn, as the engine says it: the catalogue of those
// that every form offers, and what the engine has said of others since.

import catalogue from "cpsrl:catalogue";
import { html, type TemplateResult } from "lit-html";
import type { AgentEntry } from "./formats";

export interface AgentStyle {
  readonly name: string;
  /** The name where room is short. */
  readonly short: string;
  readonly color: string;
  /** An SVG dash pattern. */
  readonly dash: string;
  /** What it knows, in a few words; "" for one with parameters, whose name says it. */
  readonly gloss: string;
}

const known = new Map(catalogue.agents.map((agent) => [agent.label, agent]));

/** The labels of the agents that every form offers: the kinds alone. */
export const kinds = catalogue.kinds.map(({ key }) => key);

/** Takes what the engine says of agents. */
export function learn(agents: readonly AgentEntry[]): void {
  for (const agent of agents) known.set(agent.label, agent);
}

export const isKnown = (label: string): boolean => known.has(label);

/** The agent's name and look; its label in grey until the engine has said more. */
export function styleOf(label: string): AgentStyle {
  const agent = known.get(label);
  if (!agent) return { name: label, short: label, color: "#767676", dash: "5 5", gloss: "" };
  const { name, short, look, kind, gloss } = agent;
  return { name, short, color: look.color, dash: look.dash.join(" ") || "none", gloss: label === kind ? gloss : "" };
}

/** How an agent ranks among those that others are compared with; 0 is none of them. */
export const rankOf = (label: string): number => known.get(label)?.baseline ?? 0;

/** The agents that sample graphs, those that others are compared with last. */
export const sampling = (labels: readonly string[]): string[] => labels.filter((label) => known.get(label)?.graph).toSorted((a, b) => rankOf(a) - rankOf(b));

/** The agent whose graphs are meant where one is. */
export const subjectOf = (labels: readonly string[]): string | undefined => sampling(labels)[0];

/** The agent that is watched where nothing says which. */
export const standardOf = (labels: readonly string[]): string => subjectOf(labels) ?? labels[0]!;

/** Whether the label asks for the prior of that name, or for any by name. */
export const asksFor = (label: string, name = "[^,]+"): boolean => new RegExp(`[:,]prior=${name}(,|$)`).test(label);

/** A piece of the agent's line. */
export function swatch(label: string, width = 40): TemplateResult {
  const { color, dash } = styleOf(label);
  return html`<svg width=${width} height="8" aria-hidden="true"><path d="M0 4H${width}" stroke=${color} stroke-width="2" stroke-dasharray=${dash} /></svg>`;
}
