// Lends an agent or a world to the page. What it needs is loaded at the first call.

import { lend } from "cpsrl:home";
import type { Agent, AgentSpec, SavedAgent, World, WorldSpec } from "../npm/playground";

/** Returns an agent at once. Its methods wait until its program is there. */
export function agent(spec: AgentSpec | { readonly saved: SavedAgent }): Agent {
  const made = lend().then(({ Lent }) => new Lent(spec));
  const ready = made.then((lent) => lent.ready);
  ready.catch(() => {}); // each method rejects, too
  return {
    ready,
    episode: async () => (await made).episode(),
    model: async () => (await made).model(),
    policy: async () => (await made).policy(),
    act: async (h, state) => (await made).act(h, state),
    observe: async (transitions) => (await made).observe(transitions),
    belief: async () => (await made).belief(),
    save: async () => (await made).save(),
    close: () =>
      void made.then(
        (lent) => lent.close(),
        () => {},
      ),
  };
}

/** Returns a world at once, likewise. */
export function world(spec: WorldSpec): World {
  const made = lend().then(({ Met }) => new Met(spec));
  const ready = made.then((met) => met.ready);
  ready.catch(() => {});
  return {
    ready,
    task: async (graph) => (await made).task(graph),
    reset: async (run, options) => (await made).reset(run, options),
    step: async (action) => (await made).step(action),
    score: async (table, options) => (await made).score(table, options),
    close: () =>
      void made.then(
        (met) => met.close(),
        () => {},
      ),
  };
}
