// Sentences about a link that has a receipt or does not run by itself: what the link asks for;
// where the page of its engine is, if this page has another engine; and whether a run gave the
// receipt. This module is loaded when it is needed.

import catalogue from "cpsrl:catalogue";
import { workers } from "../engine/pool";
import type { Checked, Opened, Receipt, Spec } from "../formats";
import type { Notice } from "../lost";
import { duration } from "./duration";

export { pageOf } from "../versions"; // it is loaded with this file

/** A finished run: the spec of the runs that were completed, and their receipt. */
export interface Run {
  readonly spec: Spec;
  readonly receipt: Receipt;
  /** The link of the spec that was run. If the run was stopped, it asks for more runs than spec. */
  readonly asked: string;
}

/** The notice that offers the page of the receipt's engine, as arguments of notify. */
export function elsewhere(theirs: number, there: () => void, here: () => void): [string, "plain", ...Notice["actions"]] {
  const words = `This link carries a receipt of engine ${theirs}. This is engine ${catalogue.engine}, whose records may differ; the page of engine ${theirs} is kept here, too.`;
  return [words, "plain", { label: `Open engine ${theirs}`, act: there }, { label: "Run here", act: here }];
}

/** Says that a link with a receipt is being run. */
export const again = ({ spec, cost }: Opened): string =>
  `This link carries a receipt. It is being run again to compare, which takes about ${duration(cost.seconds / workers(spec))}.`;

/** Says that an experiment has not started by itself. Opened: the link that it came with. Controls: whether there is a button Run. */
export function tooLarge({ cost, header }: Checked, opened: Opened | undefined, controls: boolean): string {
  const time = duration(cost.seconds / workers(header.spec));
  const why = !controls ? "The C-PSRL playground can run it" : opened?.receipt ? "Run it to see whether its receipt is met" : "Press Run to start";
  return `This ${opened ? "link" : "figure"} asks for about ${time} of computing in this tab, so it has not started by itself. ${why}.`;
}

/** Says whether a run met the receipt of its link. Asked: the number of runs that the link asks for. */
export function verdict(expected: Receipt, { receipt, spec }: Run, asked: number): [string, "good" | "bad" | "plain"] {
  if (spec.runs < asked) return [`The receipt was not compared: it is of ${asked} runs, and ${spec.runs} were completed.`, "plain"];
  const [theirs, ours, same] = [expected.engine, receipt.engine, expected.engine === receipt.engine];
  if (expected.fingerprint === receipt.fingerprint) {
    const how = `the fingerprint is the receipt’s, although that is of engine ${theirs} and this is engine ${ours}`;
    return [`Reproduced bit for bit: ${same ? `engine ${ours} gave records with the fingerprint of the link’s receipt` : how}.`, "good"];
  }
  const [here, there] = shortly(receipt.fingerprint, expected.fingerprint);
  const prints = `The fingerprint is ${here} here and ${there} in the receipt.`;
  const where = "With the records file that it was taken of, cpsrl verify names the first record that differs.";
  const other = `Not reproduced, and not to be expected: the receipt is of engine ${theirs}, this is engine ${ours}, and the records of two versions differ. ${prints}`;
  const why = `Not reproduced: both are of engine ${ours}, but the records differ. ${prints} The receipt is of another experiment, or the link was changed on its way.`;
  return [`${same ? why : other} ${where}`, "bad"];
}

/** Twelve digits of each of two fingerprints: the first ones or, if these agree, those up to the first that differs. */
function shortly(...prints: [string, string]): string[] {
  const at = [...prints[0]].findIndex((digit, k) => digit !== prints[1][k]);
  const from = Math.max(0, at - 11);
  return prints.map((print) => `${from > 0 ? "…" : ""}${print.slice(from, from + 12)}${from + 12 < print.length ? "…" : ""}`);
}

/** What is said of parts of a link that this version does not know. */
export function unknown(pairs: readonly string[]): string {
  const text = pairs.join(", ");
  return `This version cannot read these parts of the link: ${text.length > 80 ? `${text.slice(0, 80)}…` : text}. They stay in the link and have no effect here.`;
}
