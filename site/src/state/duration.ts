// How long something takes, in words.

export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 129600) return `${Math.round(seconds / 3600)} hours`;
  return `${Math.round(seconds / 86400)} days`;
}

/** After so many seconds, what began by itself is judged by its progress. */
const firstLook = 4;

/** The seconds that something takes as a whole, of which this share is done; 0 as long as there is too little to tell by. */
export const projected = (seconds: number, share: number): number => (seconds > firstLook ? seconds / (share || 1) : 0);
