// Lends an agent to the page. What it needs is loaded at the first call.

import { lend } from "cpsrl:home";
import type { Agent, AgentSpec, SavedAgent } from "../npm/playground";

/** Returns an agent at once. Its methods wait until its program is there. */
export function agent(spec: AgentSpec | { readonly saved: SavedAgent }): Agent {
  const made = lend().then(({ Lent }) => new Lent(spec));
  const ready = made.then((lent) => lent.ready);
  ready.catch(() => {}); // each method rejects, too
  return {
    ready,
    episode: async () => (await made).episode(),
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
