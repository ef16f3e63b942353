// The address of the document: the only file that reads it. Its fragment is the link
// of what is shown, its query how an embed looks. A playground that is mounted in
// another page has an address of its own in its place.

/** What this document is, for the rest of the site. */
export const here = {
  /** What the address asks for beside the experiment. */
  get query(): URLSearchParams {
    return new URLSearchParams(location.search);
  },
  /** A page of this site, to see whether the site is there. */
  get site(): string {
    return location.href;
  },
  /** Whether this is a file, which has no origin, as a sandboxed frame has none. */
  get file(): boolean {
    return location.protocol === "file:";
  },
  reload: (): void => location.reload(),
};

/** Where a playground keeps its link. */
export interface Address {
  /** The link, without #. */
  readonly link: string;
  /** The entry of the history: undefined for one that a person typed or pasted. */
  readonly entry: string | undefined;
  /** Writes the link of what is shown, as a step that Back undoes or in the place of the last. */
  write(link: string, push: boolean): void;
  /** Calls back when someone goes back or forward, or edits the address. */
  follow(moved: () => void): void;
  /** Goes to another playground, looking as this one does. */
  leave(page: string, link: string): void;
}

/** The address bar of a page, which has the playground to itself. */
export class Bar implements Address {
  #entries = 0;

  constructor(
    /** An embed leaves its reader's Back button alone. */
    private readonly quiet: boolean,
  ) {}

  get link(): string {
    return location.hash.slice(1);
  }

  get entry(): string | undefined {
    return (history.state as { key?: string } | null)?.key;
  }

  write(link: string, push: boolean): void {
    try {
      const state = { cpsrl: 1, key: `${performance.timeOrigin} ${++this.#entries}` };
      if (push && !this.quiet) history.pushState(state, "", `#${link}`);
      else if (link !== this.link || this.entry === undefined) history.replaceState({ ...state, ...history.state }, "", `#${link}`);
    } catch {
      // A browser that counts: it lets the address lag behind for some seconds.
    }
  }

  follow(moved: () => void): void {
    for (const type of ["popstate", "hashchange"]) addEventListener(type, moved);
  }

  leave(page: string, link: string): void {
    location.assign(`${page}${location.search}#${link}`);
  }
}

/** The address of a playground in a page of others: it has no history. */
export class Slip implements Address {
  readonly entry = undefined;

  constructor(public link: string) {}

  write(link: string): void {
    this.link = link;
  }

  follow(): void {}

  leave(page: string, link: string): void {
    open(`${page}#${link}`, "_blank", "noopener"); // its page is others'
  }
}
