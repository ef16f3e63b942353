// What the page may compute without being asked: as much as a link may run by itself. What is
// estimated to take longer does not start by itself, and what turns out to take longer ends.

import { Stopwatch } from "../engine/stopwatch";
import type { Checked } from "../formats";
import { duration } from "./duration";

/** How often the time is looked at, in milliseconds. */
const often = 500;

/** The seconds of one worker that playing an agent's episodes takes, from the first to this one. */
export function secondsTo({ cost, header }: Checked, agent: string, episode: number): number {
  return episode * (cost.episodes[header.spec.agents.indexOf(agent)] ?? 0);
}

/** Something took longer than it may without being asked. */
export class Overdue extends Error {
  constructor(readonly seconds: number) {
    super(`it has taken ${duration(seconds)}, longer than what starts by itself may take, and was ended`);
  }
}

/** Computes something that ends with a signal, or when over says so of the seconds of work. */
export async function limited<T>(
  compute: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
  over: (seconds: number) => boolean,
  watch = new Stopwatch(),
): Promise<T> {
  const end = new AbortController();
  const leave = (): void => end.abort(signal.reason);
  if (signal.aborted) leave();
  signal.addEventListener("abort", leave);
  const timer = setInterval(() => {
    const seconds = watch.elapsed / 1000;
    if (over(seconds)) end.abort(new Overdue(seconds));
  }, often);
  try {
    return await compute(end.signal);
  } finally {
    clearInterval(timer);
    signal.removeEventListener("abort", leave);
  }
}
