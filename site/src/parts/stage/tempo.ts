// How fast Play goes through the episodes. At a speed that someone chose, every episode takes as long as
// the one before. By itself Play begins slowly and quickens: it shows three episodes step by step, then
// pictures of episodes, with the pace of a film (Learning in render/film/film.go), and the last episode step by step.

import type { Speed } from "../../state/watching";

/** So many episodes are shown step by step before pictures pass by. */
const whole = 3;

/** The speed at which an episode plays that is so many episodes after the one at which Play began. Infinity: it is one picture. */
export function speedOf(speed: Speed, after: number, isLast: boolean): number {
  if (speed !== "auto") return speed;
  return isLast || after <= 0 ? 1 : after < whole ? 2 ** after : Infinity;
}

/** An episode that passes by, and how many milliseconds its picture stays. */
export interface Passing {
  readonly episode: number;
  readonly time: number;
}

/** How many pictures of a whole run pass by, and how long the first and the last one stay: passing, slow and quick in film.go. */
const [pictures, slow, quick] = [40, 1200, 200];

/** The episodes of a run that pass by, without its first and its last one. */
export function passing(episodes: number): readonly Passing[] {
  const list = new Set<number>();
  for (let k = 0; k < pictures; k++) {
    const episode = Math.round(2 * (episodes / 2) ** (k / (pictures - 1)));
    if (episode > 1 && episode < episodes) list.add(episode);
  }
  const last = Math.max(1, list.size - 1);
  return [...list].map((episode, k) => ({ episode, time: Math.floor(slow * (quick / slow) ** (k / last)) }));
}
