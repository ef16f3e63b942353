// What happens to a link besides being shown: it runs by itself, or the page says why not,
// and a run is compared with the receipt that the link came with.

import catalogue from "cpsrl:catalogue";
import { signal } from "@preact/signals-core";
import type { Address } from "../address";
import type { Header, Opened, Snapshot } from "../formats";
import { later } from "../lost";
import type { App } from "./app";
import type { Read } from "./entries";
import { presetOf } from "./spec";
import type { Run } from "./verdict";

export class Autorun {
  /** The last finished run. */
  readonly last = signal<Run | undefined>(undefined);
  /** What has to be awaited before anything runs by itself. */
  readonly before = new Set<() => Promise<void>>();
  /** Runs what is shown. Undefined: nothing runs by itself here. */
  run: (() => void) | undefined;
  /** Whether there is a button Run. */
  controls = true;

  constructor(
    private readonly app: App,
    private readonly address: Address,
    /** The link that was opened last. */
    private readonly opened: () => Read | undefined,
  ) {}

  /** The link that was opened last, if its plain link is this one. */
  openedAs(plain: string): Opened | undefined {
    const opened = this.opened();
    return opened?.plain === plain ? opened : undefined;
  }

  /** Whether the link came with a receipt, with which its run is to be compared. */
  expects(link: string): boolean {
    return this.openedAs(link)?.receipt !== undefined;
  }

  /** Stores the receipt of a run, and compares it with the link's receipt if there is one. */
  ran(asked: string, header: Header, snapshot: Snapshot): void {
    const { spec, engine: version } = header;
    const expected = this.openedAs(asked)?.receipt;
    if (snapshot.runs === 0 || snapshot.fingerprint === undefined) return;
    const run = { asked, spec: { ...spec, runs: snapshot.runs }, receipt: { engine: version, fingerprint: snapshot.fingerprint } };
    this.last.value = run;
    if (!expected || this.app.checked.value?.link !== asked) return;
    void later(() => import("./verdict")).then((made) => made && this.app.notify("receipt", ...made.verdict(expected, run, spec.runs)));
  }

  /** Says that the experiment has not started by itself because it is too large. */
  decline(): void {
    const checked = this.app.checked.value;
    if (!checked) return;
    const opened = this.openedAs(checked.link);
    void later(() => import("./verdict")).then((made) => {
      if (made && this.app.checked.value === checked && !this.app.runs) this.app.notify("cost", made.tooLarge(checked, opened, this.controls));
    });
  }

  /** Runs a link, or says what running it means. */
  async offer(opened: Opened, plain: string): Promise<void> {
    const { app } = this;
    const { receipt, cost, link } = opened;
    if ((presetOf(plain) && !receipt) || !this.run) return;
    const made = receipt && (await later(() => import("./verdict")));
    const page = receipt && receipt.engine !== catalogue.engine ? await made?.pageOf(receipt.engine) : undefined;
    if (this.opened()?.link !== link) return;
    if (made && page !== undefined) {
      const there = () => this.address.leave(page, link);
      const here = () => void (cost.autorun ? this.run?.() : this.decline());
      app.notify("receipt", ...made.elsewhere(receipt.engine, there, here));
      return;
    }
    if (!cost.autorun) {
      if (!this.app.runs) this.decline();
      return;
    }
    const shown = app.checked.value;
    for (const ready of this.before) await ready();
    if (app.checked.value?.link !== shown?.link || this.app.runs) return;
    if (made) app.notify("receipt", made.again(opened));
    this.run?.();
  }
}
