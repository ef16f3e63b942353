// What an agent believes after an episode, from the records that the page has computed or kept.

import { standardOf } from "../agents";
import { keysOf } from "../engine/jobs";
import type { Record, Spec } from "../formats";
import type { Belief } from "../../npm/messages";
import type { Heart } from "./playground";

/** An episode of an agent in a run. What is absent is what the stage is to show or else that of the last episode, the first run and the agent that the page chooses. */
export interface Of {
  readonly episode?: number;
  readonly run?: number;
  readonly agent?: string;
}

/** Why an experiment has no such episode, run or agent. */
export function missing({ agents, episodes, runs, firstRun = 0 }: Spec, { episode = 1, run = firstRun, agent }: Of): string | undefined {
  if (episode > episodes) return `there is no episode ${episode}: the run has ${episodes}`;
  if (run < firstRun || run >= firstRun + runs) return `there is no run ${run}: the runs are ${firstRun} to ${firstRun + runs - 1}`;
  if (agent !== undefined && !agents.includes(agent)) return `there is no agent ${JSON.stringify(agent.slice(0, 40))}: the agents are ${agents.join(", ")}`;
  return undefined;
}

/** What an agent believes, in the words of an agent that is lent (lend.ts). Undefined: it has no graph. A text says why nothing is known of it. */
export async function beliefOf({ app, runner }: Pick<Heart, "app" | "runner">, of: Of): Promise<Belief | string | undefined> {
  const checked = app.checked.value;
  if (!checked || app.spec.value !== checked.header.spec) return "the engine has not accepted the experiment yet";
  const { spec } = checked.header;
  const { agent = standardOf(spec.agents), run = spec.firstRun ?? 0, episode = spec.episodes } = { ...app.view.value.watched, ...of };
  const fault = missing(spec, { agent, run, episode });
  if (fault !== undefined) return fault;
  const records = runner.known.get(keysOf({ ...spec, agents: [agent], firstRun: run, runs: 1 })[0]!);
  if (!records) return `the page has no records of ${agent} in run ${run}: they come with the end of a run`;
  const { belief } = JSON.parse((await records.text()).split("\n")[episode - 1]!) as Record;
  if (!belief) return undefined;
  const { state, action } = checked.problem;
  const { graph, edges, payoffs = [] } = belief;
  const x = [...state, ...action];
  const y = [...state, ...payoffs.map(({ of: name }) => ({ name, size: Infinity }))];
  /** An edge by the names of its ends; none if one of them has one value, because no data can tell of it. */
  const named = (i: number, j: number): (readonly [string, string])[] => (x[i]!.size === 1 || y[j]!.size === 1 ? [] : [[x[i]!.name, y[j]!.name]]);
  const sets = graph && [...graph, ...payoffs.map(({ parents }) => parents)];
  const rows = edges && [...edges, ...payoffs.map(({ edges }) => edges)];
  return {
    agent,
    run,
    episode,
    ...(sets && { graph: sets.flatMap((set, j) => set.flatMap((i) => named(i, j))) }),
    ...(rows && { edges: rows.flatMap((row, j) => row.flatMap((p, i) => named(i, j).map(([from, to]) => ({ from, to, p })))) }),
  };
}
