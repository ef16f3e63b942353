// Reads a records file or the results of another program: the engine checks every line and summarises them.

import { effect } from "@preact/signals-core";
import { isKnown, learn } from "../../agents";
import * as engine from "../../engine/engine";
import { mostBytes } from "../../engine/record-store";
import { kindOf } from "../../engine/kind";
import type { Checked, Foreign as Answer, Header, Snapshot, Spec } from "../../formats";
import type { App } from "../../state/app";
import { alike } from "../../state/differences";
import { type Foreign, foreignOf, labelWords } from "../../state/foreign";
import { usual } from "../../state/measures";
import { ofSnapshot, type Result, runsWords } from "../../state/results";
import { presetOf } from "../../state/spec";

/** How many bytes the first line may have, as the engine reads it. */
const mostHeader = 32 << 20;

/** How many labels of other programs a chart has at most. */
const mostForeign = 8;

/** What is read at once: a file of another program, or the files with the records of one experiment. */
type Piece = readonly [File, ...File[]];

/** Sorts files into what is read one after the other: the records of all of ours first, then each file of another program. */
export async function sorted(files: readonly File[]): Promise<readonly Piece[]> {
  const others = await Promise.all(files.map(isForeign));
  const [first, ...more] = files.filter((_, k) => !others[k]);
  return [...(first ? [[first, ...more] as const] : []), ...files.filter((_, k) => others[k]).map((file) => [file] as const)];
}

/** Reads results from a file, or from the files of one experiment, and says so or why not. Undefined: there are none, or something else was asked for meanwhile. */
export async function readResults(piece: Piece, app: App, shown: Spec, others: readonly Foreign[], signal: AbortSignal): Promise<Result | Foreign | undefined> {
  if (signal.aborted) return undefined;
  const [first, ...more] = piece;
  const name = more.length === 0 ? first.name : `${first.name} and ${more.length === 1 ? more[0]!.name : `${more.length} more files`}`;
  const reading = `Reading ${name}…`;
  signal.addEventListener("abort", () => {
    if (app.said.value === reading) app.said.value = "";
  });
  app.fail("file");
  app.said.value = reading;
  try {
    const result = (await isForeign(first)) ? await readForeign(first, shown, others, signal) : await read(await joined(piece, name, signal), signal);
    signal.throwIfAborted();
    if ("labels" in result) {
      app.said.value = `Read ${name}.`;
      app.announce(`Read ${name}, of another program: ${labelWords(result)}. It was not computed here.`);
      return result;
    }
    const words = `Read ${runsWords(result.runs)} from ${name}.`;
    app.said.value = words;
    app.announce(`${words} ${result.conclusions[usual(result).key] ?? ""}`);
    if (!alike(result.spec, app.spec.value)) offer(app, result.spec);
    else app.dismiss("file");
    return result;
  } catch (error) {
    if (signal.aborted) return undefined;
    app.said.value = "Nothing was read.";
    app.fail("file", `${name} cannot be shown: ${engine.detailOf(error).replace(/\.$/, "")}.`);
    return undefined;
  }
}

/** Whether a file has the results of another program. */
const isForeign = async (file: File): Promise<boolean> => (await kindOf(file)) === "results";

async function readForeign(file: File, shown: Spec, others: readonly Foreign[], signal: AbortSignal): Promise<Foreign> {
  if (file.size > mostBytes) throw new Error(`it is larger than ${mostBytes >> 20} MB; cpsrl plot -with reads it.`);
  let answer: Answer | undefined;
  const body = new Blob([`${JSON.stringify(shown)}\n`, file]);
  await engine.send<Answer>("/v1/foreign", body, "json", (last) => void (answer = last), signal);
  const of = foreignOf(answer!, file, shown);
  const open = others.filter(({ name }) => name !== of.name).flatMap(({ labels }) => labels.map(({ label }) => label));
  const twice = of.labels.find(({ label }) => open.includes(label));
  if (twice) throw new Error(`another open file has results of “${twice.label}”, too. Forget that file first.`);
  if (open.length + of.labels.length > mostForeign) throw new Error(`the open files would have more than ${mostForeign} labels. Forget one of them first.`);
  return of;
}

/** The records of an experiment whose parts are in several files, as one file. */
async function joined([first, ...more]: Piece, name: string, signal: AbortSignal): Promise<File> {
  if (more.length === 0) return first;
  const files = [first, ...more];
  if (files.reduce((sum, { size }) => sum + size, 0) > mostBytes)
    throw new Error(`together they are larger than ${mostBytes >> 20} MB; cpsrl merge joins them.`);
  const query = new URLSearchParams(
    files.flatMap((file) => [
      ["size", String(file.size)],
      ["name", file.name],
    ]),
  );
  return new File([await engine.bytes(`/v1/merge?${query}`, new Blob(files), signal)], name, { type: "application/jsonl" });
}

async function read(file: File, signal: AbortSignal): Promise<Result> {
  if (file.size > mostBytes) throw new Error(`it is larger than ${mostBytes >> 20} MB; cpsrl summary reads it.`);
  let snapshot: Snapshot | undefined;
  await engine.send<Snapshot>("/v1/summary?strict=true", file, "json", (last) => void (snapshot = last), signal);
  if (!snapshot || snapshot.runs === 0) throw new Error("it holds no complete run.");
  const header = JSON.parse(await firstLine(file)) as Header; // the engine has checked it
  if (!header.spec.agents.every(isKnown)) learn((await engine.ask<Checked>("/v1/check", header.spec, signal)).agents);
  const name = file.name.replace(/\.[^.]*$/, "");
  return ofSnapshot(snapshot, header, { source: "file", name, title: `Results in ${file.name}` }, file);
}

async function firstLine(file: File): Promise<string> {
  for (let most = 1 << 16; ; most *= 8) {
    const [line = "", ...more] = (await file.slice(0, most).text()).trimStart().split("\n", 2);
    if (more.length > 0 || most >= mostHeader) return line;
  }
}

/** Offers to take the settings of results that were computed with others. */
function offer(app: App, spec: Spec): void {
  const take = async (): Promise<void> => {
    try {
      const checked = await engine.ask<Checked>("/v1/check", spec);
      const { header, link } = checked;
      app.begin();
      await app.show(header.spec, { preset: presetOf(link), view: app.view.value, checked }); // the chart goes on showing the file's results
    } catch (error) {
      app.fail("file", `The settings were not taken: ${engine.detailOf(error)}`);
    }
  };
  app.notify(
    "file",
    "These results were computed with other settings than those of the page.",
    "plain",
    { label: "Use their settings", act: () => void take() },
    { label: "Keep mine", act: () => {} },
  );
  // The offer ends once the page has those settings.
  const notice = app.notices.value.at(-1);
  const stop = effect(() => {
    const offered = app.notices.value.some((other) => other === notice);
    if (offered && !alike(spec, app.spec.value)) return;
    queueMicrotask(() => {
      stop();
      if (offered) app.dismiss("file");
    });
  });
}
