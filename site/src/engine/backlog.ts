// What the aggregator has been handed and has not read yet. Without a limit the workers leave it ever
// further behind where it is slow, as at first in WebKit, and the first chart comes late.

/** So many bytes may wait for the aggregator. */
export const mostWaiting = 1 << 18;

export class Backlog {
  #waiting = 0;
  #behind = false;

  constructor(
    private readonly most: number,
    /** Told that the workers rest from now on, or go on. */
    private readonly hold: (behind: boolean) => void,
  ) {}

  get behind(): boolean {
    return this.#behind;
  }

  /** So many bytes were handed on. */
  add(bytes: number): void {
    this.#waiting += bytes;
    this.#turn(this.#waiting > this.most);
  }

  /** All of it has been read. */
  read(): void {
    this.#waiting = 0;
    this.#turn(false);
  }

  #turn(behind: boolean): void {
    if (behind === this.#behind) return;
    this.#behind = behind;
    this.hold(behind);
  }
}
