// Counts the bytes that the aggregator has been sent and has not read yet. Without a limit, a slow aggregator,
// such as WebKit's at the start, would fall ever further behind the workers, and the first chart would come late.

/** How many bytes may wait for the aggregator. */
export const mostWaiting = 1 << 18;

export class Backlog {
  #waiting = 0;
  #behind = false;

  constructor(
    private readonly most: number,
    /** Is told when the workers have to rest, and when they may go on. */
    private readonly hold: (behind: boolean) => void,
  ) {}

  get behind(): boolean {
    return this.#behind;
  }

  /** Counts bytes that were sent. */
  add(bytes: number): void {
    this.#waiting += bytes;
    this.#turn(this.#waiting > this.most);
  }

  /** Notes that everything has been read. */
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
