// A clock for tests of what depends on time: it goes on only when a test says so.

import { mock } from "node:test";

/** Takes the place of the clock and of intervals. */
export function stand() {
  let now = 1000;
  performance.now = () => now;
  mock.timers.enable({ apis: ["setInterval", "setTimeout"] });
  return {
    /** Lets time pass, second by second, as long as the machine is awake. @param {number} seconds */
    async work(seconds) {
      for (let k = 0; k < seconds; k++) {
        now += 1000;
        mock.timers.tick(1000);
        await settled();
      }
    },
    /** Lets the machine sleep: its clock goes on and nothing else does. @param {number} seconds */
    sleep(seconds) {
      now += 1000 * seconds;
    },
  };
}

/** Resolves when the promises that are settled have been heard. */
export async function settled() {
  for (let k = 0; k < 20; k++) await undefined;
}
