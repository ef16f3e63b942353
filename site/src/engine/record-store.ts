// Keeps the records of a run for export. The browser stores the bytes of a Blob
// outside the page's own memory.

/** The largest records file that a page keeps, in bytes. */
export const mostBytes = 128 << 20;

/** How many bytes are collected before they become a Blob. */
const portion = 1 << 20;

export class RecordStore {
  #parts: Blob[] = [];
  #rest: Uint8Array<ArrayBuffer>[] = [];
  #resting = 0;
  #size = 0;

  /** Keeps a copy. */
  add(bytes: Uint8Array<ArrayBuffer>): void {
    if (this.#size > mostBytes) return;
    this.#size += bytes.length;
    if (this.#size > mostBytes) {
      this.#parts = [];
      this.#rest = [];
      return;
    }
    this.#rest.push(bytes.slice());
    this.#resting += bytes.length;
    if (this.#resting < portion) return;
    this.#parts.push(new Blob(this.#rest));
    this.#rest = [];
    this.#resting = 0;
  }

  /** The file. Undefined if it was too large. */
  file(): Blob | undefined {
    return this.#size > mostBytes ? undefined : new Blob([...this.#parts, ...this.#rest], { type: "application/jsonl" });
  }
}
