// Results kept for comparison, and what each has that the current spec has not.

import { differences, listed } from "./differences";
import { make, typeset } from "./dom";
import type { Spec } from "./formats";
import type { Result } from "./results";

export const mostPins = 4;

export interface Pin {
  /** A letter; "ref" for the precomputed figure. */
  readonly mark: string;
  readonly result: Result;
}

export class Pins {
  #pins: Pin[] = [];

  get list(): readonly Pin[] {
    return this.#pins;
  }

  get full(): boolean {
    return this.#pins.length === mostPins;
  }

  holds(result: Result): boolean {
    return this.#pins.some((pin) => pin.result === result);
  }

  add(result: Result): Pin {
    const mark = [..."ABCD"].find((letter) => this.#pins.every((pin) => pin.mark !== letter))!;
    const pin = { mark, result };
    this.#pins = [...this.#pins, pin].sort((a, b) => a.mark.localeCompare(b.mark));
    return pin;
  }

  remove(mark: string): void {
    this.#pins = this.#pins.filter((pin) => pin.mark !== mark);
  }
}

export const fingerprintWords = ({ fingerprint }: Result): string => (fingerprint === undefined ? "" : `, fingerprint ${fingerprint.slice(0, 8)}`);

export const runsWords = (runs: number): string => (runs === 1 ? "1 run" : `${runs} runs`);

/** Where a result is from. */
export function origin(result: Result): string {
  const { source, title, runs, engine } = result;
  const whose = source === "figure" ? `our own ${runsWords(runs)}` : runsWords(runs);
  return `${source === "figure" ? "" : `${title}: `}${whose}, engine ${engine}${fingerprintWords(result)}`;
}

/** How a result differs from the current spec. */
export function comparison(result: Result, current: Spec): string {
  const list = differences(result.spec, current);
  return list.length === 0 ? "The same settings." : `Here ${listed(list)}.`;
}

/** Writes the list of ghosts: where each is from, how it differs, and the button that takes it away. */
export function fillPins(list: HTMLElement, ghosts: readonly Pin[], current: Spec, remove: (mark: string) => void): void {
  list.hidden = ghosts.length === 0;
  list.replaceChildren(
    ...ghosts.map(({ mark, result }) => {
      const button = make("button", { type: "button" }, mark === "ref" ? "Hide" : "Unpin");
      button.setAttribute("aria-label", mark === "ref" ? "Hide the precomputed lines" : `Unpin ${mark}`);
      button.addEventListener("click", () => remove(mark));
      return make("li", {}, make("b", {}, mark), make("span", {}, typeset(`${capital(origin(result))}. ${comparison(result, current)}`)), button);
    }),
  );
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
