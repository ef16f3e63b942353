// How long something takes, in words.

import { enough } from "../engine/stopwatch";

export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 129600) return `${Math.round(seconds / 3600)} hours`;
  return `${Math.round(seconds / 86400)} days`;
}

/** After so many seconds, what began by itself is judged by its progress. */
export const firstLook = 4;

/** The seconds that something takes as a whole, of which this share is done. As long as that is too little to tell by, those that it has taken. */
export const projected = (seconds: number, share: number): number => seconds / (seconds > firstLook && share >= enough ? share : 1);
