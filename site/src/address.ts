// The address of the document; no other file reads it. The fragment is the link to what
// is shown, and the query says how an embed looks. A playground that is mounted in
// another page has a MemoryAddress instead.

/** What the rest of the site may know about the address. */
export const here = {
  /** What the address asks for besides the experiment. */
  get query(): URLSearchParams {
    return new URLSearchParams(location.search);
  },
  get site(): string {
    return location.href;
  },
  /** Whether this is a local file. Like a sandboxed frame, a file has no origin. */
  get file(): boolean {
    return location.protocol === "file:";
  },
  reload: (): void => location.reload(),
};

/** Whether a fragment is a link, perhaps a damaged one, and nothing that a host or another program has put there. */
export const isLink = (fragment: string): boolean => /\b(v|domain|agents|episodes|runs|receipt)\W*(u00)?(=|3d)/i.test(fragment);

/** Whether a query has a link, which programs have made of the fragment. The engine reads it. */
export const hasLink = (query: string): boolean => /[?&;]v=\d/.test(query) && /[?&;]domain=/.test(query);

/** The fragment that has become a part of a path, because # is encoded; "" if none has. */
export const inPath = (path: string): string => /%(?:25)*23(v(?:=|%(?:25)*3d).*)$/i.exec(path)?.[1] ?? "";

/** The query without a link: what it says of how the page looks. */
const plainQuery = (query: string): string => (hasLink(query) ? `?${(query.match(/\b(embed|theme|ui)=[^&]*/g) ?? []).join("&")}`.replace(/\?$/, "") : query);

/** Whether a fragment is a heading for the page's own preset, as the element writes it. */
const isHeading = (fragment: string): boolean => /^heading=[^&]*$/.test(fragment);

/** Where a playground keeps its link. */
export interface Address {
  /** The link, without #. With ?, it stands in the query. */
  readonly link: string;
  /** What the history keeps with the link. Undefined if a person typed or pasted the address. */
  readonly entry: unknown;
  /** Writes the link and what the history keeps with it: as a new entry, which Back undoes, if `push` is set; otherwise over the last entry. */
  write(link: string, push: boolean, entry: object): void;
  /** Calls back when someone goes back or forward, or edits the address. */
  follow(moved: () => void): void;
  /** Completes a fragment that is only a heading by the link of the preset that is shown. */
  begin(preset: string): void;
  /** Goes to another playground page and keeps the query, so that it looks like this one. */
  leave(page: string, link: string): void;
}

/** The address bar, for a page that is nothing but the playground. */
export class BrowserAddress implements Address {
  constructor(
    /** Adds no entries to the history: an embed leaves its reader's Back button alone. */
    private readonly quiet: boolean,
  ) {}

  get link(): string {
    const link = location.hash.slice(1);
    if (isLink(link)) return link;
    return hasLink(location.search) ? location.search + location.hash : "";
  }

  get entry(): unknown {
    return (history.state as { left?: unknown } | null)?.left;
  }

  write(link: string, push: boolean, entry: object): void {
    const state = { cpsrl: 1, left: entry };
    const to = `${hasLink(location.search) ? location.pathname + plainQuery(location.search) : ""}#${link}`;
    try {
      if (push && !this.quiet) history.pushState(state, "", to);
      else if (link !== this.link || JSON.stringify(entry) !== JSON.stringify(this.entry)) history.replaceState(state, "", to);
    } catch {
      // Some browsers limit how often an address may change. The next change writes it again.
    }
  }

  follow(moved: () => void): void {
    for (const type of ["popstate", "hashchange"]) addEventListener(type, moved);
  }

  begin(preset: string): void {
    if (isHeading(location.hash.slice(1))) this.write(`${preset}&${location.hash.slice(1)}`, false, {});
  }

  leave(page: string, link: string): void {
    location.assign(`${page}${plainQuery(location.search)}#${link}`);
  }
}

/** The address of a playground inside someone else's page. It only remembers the link and has no history. */
export class MemoryAddress implements Address {
  readonly entry = undefined;

  constructor(public link: string) {}

  write(link: string): void {
    this.link = link;
  }

  follow(): void {}

  begin(preset: string): void {
    if (isHeading(this.link)) this.link = `${preset}&${this.link}`;
  }

  leave(page: string, link: string): void {
    open(`${page}#${link}`, "_blank", "noopener"); // the page around it belongs to someone else
  }
}
