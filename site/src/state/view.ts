// How an experiment is shown, as plain data: what a link holds besides the spec
// (core/spec/view.go).

import type { Moment, Spec, View, Watched } from "../formats";

/** What the chart can show of the runs (core/spec/view.go), the default first. */
export const bands = ["interval", "quantiles", "runs", "final", "learned"];

/** What the trajectories of a spec depend on: the identity of an experiment for the stage. */
export function played(spec: Spec): string {
  const { agents: _agents, episodes: _episodes, runs: _runs, firstRun: _firstRun, ...rest } = spec;
  return JSON.stringify(rest);
}

/** The moments of an episode, in order. A view leaves the first one out. */
export const moments: readonly Moment[] = ["sample", "plan", "act", "update"];

/** The same place, at another moment. */
export function atMoment<T extends Partial<Watched>>({ moment: _before, ...place }: T, moment: string | undefined) {
  return { ...place, ...(moment !== undefined && moment !== moments[0] && { moment }) };
}

/** The view for another spec. The watched moment is moved to one that the spec has. If the trajectories differ, it is the beginning of the first episode. */
export function fitted(view: View, spec: Spec, before: Spec | undefined): View {
  const { watched } = view;
  if (!watched) return view;
  const other = before !== undefined && played(spec) !== played(before);
  const { firstRun = 0, runs, agents, episodes } = spec;
  const { run, episode, agent, moment } = watched;
  const now: Watched = {
    run: run >= firstRun && run < firstRun + runs ? run : firstRun,
    episode: other ? 1 : Math.min(episode, episodes),
    ...(moment !== undefined && !other && { moment }),
    ...(agent !== undefined && agents.includes(agent) && { agent }),
  };
  return JSON.stringify(now) === JSON.stringify(watched) ? view : { ...view, watched: now };
}

/**
 * The view as a link of the spec can hold it. It leaves out agents that only a kept result has, and a moment of a run that the
 * spec does not have. The spec of a stopped run has only the whole runs.
 */
export function linkable(view: View, { agents, episodes, runs, firstRun = 0 }: Spec): View {
  const { hidden = [], pair = [], watched, ...rest } = view;
  const within =
    watched && watched.run >= firstRun && watched.run < firstRun + runs && watched.episode <= episodes && agents.includes(watched.agent ?? agents[0]!);
  const known = agents.filter((label) => hidden.includes(label));
  const held = view.paired && pair.length > 0 && pair.every((label) => agents.includes(label));
  return { ...rest, ...(within && { watched }), ...(held && { pair }), ...(known.length > 0 && { hidden: known }) };
}

/** The most UTF-16 units of a heading and a note that a person types; the engine counts characters. */
export const longestWords = { heading: 80, note: 300 } as const;

/** A text as a heading or a note can hold it: without characters that cannot be seen, and with single spaces between its words. */
export const tidy = (text: string): string => text.replaceAll(/(?![\u200c\u200d])[\p{C}\s]+/gu, " ").trim();

/** Whether a view is all defaults, so that a link leaves it out. */
export const isPlain = (view: View): boolean => Object.keys(view).length === 0;

/** Some members of a view; undefined and false stand for their absence. */
export type Change = { readonly [member in keyof View]: View[member] | undefined };

/** The view of another experiment: the chart is drawn in the same way, but lines that were chosen by their agents, and what is said about the figure, are of the experiment before. */
export function elsewhere({ hidden: _hidden, pair: _pair, heading: _heading, note: _note, ...view }: View): View {
  return view;
}

/** The view with some members changed. */
export function changed(view: View, change: Change): View {
  return Object.fromEntries(Object.entries({ ...view, ...change }).filter(([, value]) => value !== undefined && value !== false));
}
