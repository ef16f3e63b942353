// The reel of a playground: the episodes that the stage and the map of beliefs go through.

import { effect, untracked } from "@preact/signals-core";
import { EpisodeCache } from "./episode-cache";
import type { Playground } from "./playground";

/** The reel of a playground, which the stage and the map of beliefs share. */
export function reelOf(playground: Playground): EpisodeCache {
  const made = playground.reel.peek();
  if (made) return made;
  const reel = new EpisodeCache(playground.app);
  playground.reel.value = reel;
  playground.ends.add(() => reel.close());
  effect(() => {
    const held = playground.held.value;
    untracked(() => reel.hold(held));
  });
  return reel;
}
