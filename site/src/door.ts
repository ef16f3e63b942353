// The one way in for files: the engine says what a file is, and it is opened accordingly, wherever it was dropped or chosen.

import { sentence } from "./dom";
import { ask, bytes, detailOf, Refused } from "./engine/engine";
import { textOf } from "./engine/file";
import { kindOf } from "./engine/kind";
import type { Checked, Converted, Reading } from "./formats";
import { later } from "./lost";
import type { App } from "./state/app";
import type { Lacking } from "./state/files";
import { fit } from "./state/fit";
import { draftOf, withValue } from "./state/form";
import { stepped } from "./state/history";
import type { Playground } from "./state/playground";
import { presetOf } from "./state/spec";

/** What can be opened, as the end of a sentence. */
const openable = "records, results, a model, a prior, a spec, a graph or transitions can be opened";

/** Documents of ours that cannot be opened. */
const others: ReadonlyMap<string, string> = new Map([
  ["figure", "a figure"],
  ["trace", "a trace"],
  ["sweep", "a sweep"],
]);

/** Opens files: the results among them are shown together; of the others one is taken. */
export async function openFiles(playground: Playground, files: readonly File[]): Promise<void> {
  const { app, comparison } = playground;
  app.dismiss("converted", "fitted", "scaled", "several");
  app.fail("file");
  const signal = app.files.begin();
  try {
    const kinds = await Promise.all(files.map((file) => kindOf(file, signal)));
    if (signal.aborted) return;
    const isResult = (_: unknown, k: number): boolean => kinds[k] === "records" || kinds[k] === "results";
    const results = files.filter(isResult);
    const isLog = (_: unknown, k: number): boolean => kinds[k] === "transitions";
    const log = files.find(isLog);
    const [first, ...more] = files.filter((file, k) => !isResult(file, k) && !isLog(file, k));
    if (results.length > 0) void comparison.read(results);
    const isPart = (file: File): boolean => kinds[files.indexOf(file)] === "part";
    const parts = first && isPart(first) ? [first, ...more.filter(isPart)] : [];
    if (first && parts.length > 1) await openParts(app, parts, signal);
    else if (first) await open(playground, first, kinds[files.indexOf(first)]!, signal);
    if (log) {
      if (first) await app.check(); // a log is about the problem that has been opened
      openData(playground, log);
    }
    const left = [...more.filter((file) => !parts.includes(file)), ...files.filter((file, k) => isLog(file, k) && file !== log)];
    if (left.length > 0)
      app.notify("several", `Not opened: ${left.map(({ name }) => `“${name}”`).join(", ")}. One problem or prior can be opened at a time, and one log.`);
  } catch (error) {
    refuse(app, files[0]!.name, error, signal);
  }
}

async function open(playground: Playground, file: File, kind: string, signal: AbortSignal): Promise<void> {
  const { app, links } = playground;
  try {
    const text = await (kind === "part" ? plain(file) : textOf(file, signal));
    if (signal.aborted) return;
    if (others.has(kind)) throw new Error(`it is ${others.get(kind)}; ${openable}`);
    if (kind === "model") {
      app.turn({ name: "model", model: parsed(text) ?? (await unread(file, text, signal)) }, text);
      await fitted(app, signal);
    } else if (kind === "prior") {
      const value = parsed(text) ?? (await unread(file, text, signal));
      app.take((signal) => takePrior(app, `"prior":${text}`, signal, (value as { readonly sparseness?: unknown }).sparseness));
    } else if (kind === "graph") app.take((signal) => takePrior(app, `"text":${JSON.stringify(text)}`, signal));
    else if (kind === "spec") {
      const checked = await ask<Checked>("/v1/check", text, signal);
      if (signal.aborted) return;
      links.drop();
      app.begin();
      void app.show(checked.header.spec, { preset: presetOf(checked.link), checked });
    } else if (/^\s*[[{]|\0/.test(text)) await unread(file, text, signal);
    else await takeForeign(app, { file: file.name, text, given: {} }, signal);
  } catch (error) {
    const table = error instanceof Refused && error.problem.columns !== undefined; // of transitions
    if (table && !signal.aborted) openData(playground, file);
    else refuse(app, file.name, error, signal);
  }
}

/** Joins the files of one problem. Each stands behind a line with its name, so that what the engine refuses has the place in its file. */
export const joined = (files: readonly { readonly name: string; readonly text: string }[]): string =>
  files.map(({ name, text }) => `//# file ${name.replace(/\p{Cc}/gu, "_")}\n${text}\n`).join("");

/** Opens the files of one problem of another program. */
async function openParts(app: App, files: readonly File[], signal: AbortSignal): Promise<void> {
  const names = files.map(({ name }) => name).join("”, “");
  try {
    const texts = await Promise.all(files.map(async (file) => ({ name: file.name, text: await plain(file) })));
    if (!signal.aborted) await takeForeign(app, { file: names, text: joined(texts), given: {} }, signal);
  } catch (error) {
    refuse(app, names, error, signal);
  }
}

/** The text of a file whose comments may be in Latin-1. */
async function plain(file: File): Promise<string> {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Opens the dialog of transitions with a file. */
function openData(playground: Playground, file: File): void {
  void later(() => import("./dialogs/posterior")).then((made) => made?.openPosterior(playground, file));
}

/** Says why a file is not taken. */
function refuse(app: App, file: string, error: unknown, signal: AbortSignal): void {
  if (signal.aborted) return;
  const pointer = error instanceof Refused ? (error.problem.pointer ?? "") : "";
  app.files.refuse(sentence(`“${file}” could not be read: ${pointer === "" ? "" : `${pointer.slice(1)}: `}${detailOf(error)}`));
}

function parsed(text: string): object | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Lets the engine say why a file is not JSON. It reads the bytes, which tell another encoding. */
async function unread(file: File, text: string, signal: AbortSignal): Promise<never> {
  if (parsed(text) === undefined) await bytes("/v1/check", file, signal);
  throw new Error(`it is in no format of this page; ${openable}`);
}

/** The name of a model from a file: that of the file, without its ending. */
export const nameOf = (file: string): string => file.replace(/(?<=.)\.[^.]*$/, "");

/** What the page says about a model that it has read. */
export const wordsOf = (file: string, { notes }: Pick<Converted, "notes">): string => [`“${file}” is read as a model.`, ...notes.map(sentence)].join(" ");

/** Reads a model of another program with what is given beside it. What the file lacks, the page asks for. */
async function takeForeign(app: App, { file, text, given }: Omit<Lacking, "lacked">, signal: AbortSignal): Promise<void> {
  try {
    const read = await ask<Converted>(`/v1/convert?${new URLSearchParams({ ...given, name: nameOf(file) })}`, text, signal);
    if (signal.aborted) return;
    app.turn({ name: "model", model: read.model }, JSON.stringify(read.model));
    app.notify("converted", wordsOf(file, read));
    await fitted(app, signal);
  } catch (error) {
    const lacked = error instanceof Refused ? error.problem.lacked : undefined;
    if (signal.aborted) return;
    app.files.ask(lacked && { file, text, given, lacked });
    if (!lacked || lacked.button) throw error;
  }
}

/** Plays a model with the agents for which it is not too large, and says so. */
async function fitted(app: App, signal: AbortSignal): Promise<void> {
  const done = await fit(app, signal);
  if (done && done.length > 0) app.notify("fitted", done.join(" "));
}

/** Reads a file again that lacked what has been given now. If that is wrong, the page goes on asking. */
export async function readAgain({ app }: Playground, lacking: Lacking): Promise<void> {
  const signal = app.files.begin();
  try {
    await takeForeign(app, lacking, signal);
  } catch (error) {
    if (!signal.aborted && !app.files.lacking.value) app.files.ask(lacking); // the answer can be another one
    refuse(app, lacking.file, error, signal);
  }
}

/** Takes the prior of a file, which is a member of what the engine is asked, and its sparseness if that is one number. */
async function takePrior(app: App, member: string, signal: AbortSignal, sparseness?: unknown): Promise<void> {
  const spec = app.known.value ?? draftOf(app.form.value);
  try {
    const { edges, errors } = await ask<Reading>("/v1/prior", `{"spec":${JSON.stringify(spec)},${member}}`);
    if (signal.aborted) return;
    const form = typeof sparseness === "number" ? withValue(app.form.value, "/sparseness", sparseness) : app.form.value;
    app.form.value = { ...form, line: stepped(form.line, { edges }) };
    const [first] = errors;
    if (first && edges.length === 0) throw new Error(`it states no edge of this problem. Line ${first.line}: ${first.detail}`);
    if (first)
      app.notify(
        "converted",
        `${errors.length === 1 ? "A part of the graph is" : `${errors.length} parts of the graph are`} left out. Line ${first.line}: ${sentence(first.detail)}`,
      );
    void app.check();
  } catch (error) {
    if (!signal.aborted) app.files.refuse(sentence(`The prior does not fit: ${detailOf(error)}`));
  }
}
