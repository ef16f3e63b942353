// Agents that fit a problem that was opened.

import { sentence } from "../dom";
import type { App } from "./app";
import { withValue } from "./form";

/** The search of agents whose problem no list holds. */
const search = "uct:300:10";

/**
 * Leaves out the agents for which a problem is too large; if it is for all, they search. Returns what was done and why, in sentences.
 * Undefined: something else is refused.
 */
export async function fit(app: App, signal?: AbortSignal): Promise<string[] | undefined> {
  const whole = app.form.value;
  let [left, searches]: [string[], boolean] = [[], false];
  while (!(await app.check())) {
    if (signal?.aborted) return undefined;
    const { pointer = "", detail = "" } = app.refusal.value ?? {};
    const [, at] = /^\/agents\/(\d+)$/.exec(pointer) ?? [];
    const form = app.form.value;
    if (at === undefined) return undefined;
    if (form.agents.length > 1) {
      left.push(`Left out: ${sentence(detail)}`);
      app.edit({ ...form, agents: form.agents.toSpliced(Number(at), 1) });
    } else {
      if (searches) return undefined;
      [left, searches] = [["Its agents search, since no list holds its states."], true];
      app.edit(withValue({ ...form, agents: whole.agents }, "/planner", search));
    }
  }
  return left;
}
