// The dialog Export: everything that can be saved or copied from the page. The engine writes
// texts and figures; the page turns a figure into PNG. Loaded when the dialog is first opened.

import { computed, effect, signal, untracked } from "@preact/signals-core";
import { html, nothing, render } from "lit-html";
import { subjectOf } from "../agents";
import * as engine from "../engine/engine";
import { copy, download, make, type Root, sentence } from "../dom";
import { figureOf, type Picture } from "../parts/experiment/chart";
import type { Foreign } from "../state/foreign";
import type { Linked, Spec, Trace } from "../formats";
import { openDialog } from "./dialog";
import * as fonts from "./fonts";
import * as pdf from "./pdf";
import { measureOf } from "../state/measures";
import { nameOfPair, type Pair, parsed } from "../state/pairs";
import { sandboxed } from "../site";
import { Latest } from "../state/latest";
import type { Result } from "../state/results";
import { ownSite } from "../versions";

export interface Exported {
  readonly result: Result;
  /** The name of the result's problem, if it is another than that of the page. */
  readonly of?: string;
  /** The figure's title, if the view gives it another than that of the result. */
  readonly heading: string | undefined;
  readonly running: boolean;
  /** Whether the true graph and the true model can be exported. */
  readonly truth: boolean;
  /** A sentence about each result behind the main one, whose lines are thin. */
  readonly ghosts: readonly string[];
  /** The files of other programs on the chart. */
  readonly others: readonly Foreign[];
  readonly picture: Picture;
  readonly caption: string;
  /** The two lines whose difference can be exported. */
  readonly pair: Pair | undefined;
}

interface Format {
  readonly label: string;
  readonly extension: string;
  /** A part of the file's name, after the name of the preset. */
  readonly part?: string;
  make(of: Exported): Promise<Blob>;
  /** The picture that the dialog shows for a file that browsers cannot show as a picture. */
  shown?(of: Exported): Promise<Blob>;
}

const formats: Readonly<Record<string, Readonly<Record<string, Format>>>> = {
  Figure: {
    svg: { label: "SVG", extension: "svg", make: svg },
    ...(pdf.offered ? { pdf: { label: "PDF", extension: "pdf", make: async (of: Exported) => pdf.write(await drawn(of, "sheet")), shown: svg } } : {}),
    png: { label: "PNG, 300 dpi", extension: "png", make: png },
    tex: { label: "LaTeX (PGFPlots)", extension: "tex", make: async (of) => new Blob([await drawn(of, "pgfplots")], { type: "text/plain" }) },
    figure: { label: "JSON, curves with intervals", extension: "json", part: "figure", make: figure },
  },
  Data: {
    csv: { label: "CSV, summary of this measure", extension: "csv", make: (of) => records("csv", of) },
    paired: { label: "CSV, paired difference", extension: "csv", part: "paired", make: (of) => records("paired", of) },
    final: { label: "CSV, where the runs ended: means, medians", extension: "csv", part: "final", make: (of) => records("final", of) },
    endings: { label: "CSV, how each run ended", extension: "csv", part: "endings", make: (of) => records("endings", of) },
    long: { label: "CSV, every run and episode", extension: "csv", part: "long", make: (of) => records("long", of) },
    jsonl: { label: "JSON Lines, all records", extension: "jsonl", part: "records", make: (of) => records("jsonl", of) },
  },
  "Reliability of P(edge)": {
    "edges-svg": { label: "SVG", extension: "svg", part: "reliability", make: (of) => reliability("svg", of) },
    ...(pdf.offered
      ? {
          "edges-pdf": {
            label: "PDF",
            extension: "pdf",
            part: "reliability",
            make: async (of: Exported) => pdf.write(await (await reliability("sheet", of)).text()),
            shown: (of: Exported) => reliability("svg", of),
          },
        }
      : {}),
    "edges-tex": { label: "LaTeX (PGFPlots)", extension: "tex", part: "reliability", make: (of) => reliability("pgfplots", of) },
    "edges-csv": { label: "CSV", extension: "csv", part: "reliability", make: (of) => reliability("csv", of) },
  },
  Graph: {
    dot: { label: "DOT (Graphviz)", extension: "dot", make: (of) => graph("dot", of) },
    tikz: { label: "TikZ (LaTeX)", extension: "tex", make: (of) => graph("tikz", of) },
    dagitty: { label: "DAGitty", extension: "txt", part: "dagitty", make: (of) => graph("dagitty", of) },
    text: { label: "Text, one edge a line", extension: "txt", make: (of) => graph("text", of) },
  },
  Problem: {
    prior: { label: "Prior (JSON)", extension: "json", part: "prior", make: (of) => ofFirstRun("prior", of) },
    model: { label: "Model: true environment of the first run (JSON)", extension: "json", part: "model", make: (of) => ofFirstRun("model", of) },
  },
  Reproduce: {
    spec: {
      label: "Spec (JSON)",
      extension: "json",
      part: "spec",
      make: async (of) => new Blob([`${JSON.stringify(specAndReceipt(of).spec)}\n`], { type: "application/json" }),
    },
    cli: { label: "Command line", extension: "sh", part: "command", make: (of) => about("cli", of) },
    bibtex: { label: "BibTeX", extension: "bib", part: "citation", make: (of) => about("bibtex", of) },
    methods: { label: "Methods text", extension: "txt", part: "methods", make: (of) => about("methods", of) },
    bundle: { label: "All for a paper (ZIP)", extension: "zip", part: "bundle", make: bundle },
  },
};

// Making

const base = (): string => (ownSite.startsWith("http") ? ownSite : "");

/** The spec of the whole runs, and their receipt, if there are any. */
function specAndReceipt({ result }: Exported): { spec: Spec; receipt?: { engine: number; fingerprint: string } } {
  const { spec, runs, engine, fingerprint } = result;
  return fingerprint === undefined || runs === 0 ? { spec } : { spec: { ...spec, runs }, receipt: { engine, fingerprint } };
}

/** What the engine wrote from records, by request. It is kept because the engine reads all the records each time. */
const written = new WeakMap<object, Map<string, Promise<Blob>>>();

async function records(as: string, { result, running, picture, pair }: Exported, more: Readonly<Record<string, string>> = {}): Promise<Blob> {
  const { source, records: file } = result;
  if (running) throw new Error("The run has not ended: its records come with the end.");
  if (source === "figure") throw new Error("The precomputed figure holds means only. Run it first: its records are the same, bit for bit.");
  if (!file) throw new Error("The records are too large to keep in a page. The command line below writes them to a file.");
  if (as === "paired" && pair?.some((ref) => parsed(ref).mark !== ""))
    throw new Error(`${nameOfPair(pair)} is of two files of records: it is in the figure and in the table below the chart.`);
  const query = new URLSearchParams({
    as,
    base: base(),
    ...(["csv", "paired", "final", "endings"].includes(as) && { of: picture.measure }),
    ...(as === "paired" && pair && { paired: pair.join() }),
    ...more,
  });
  const known = written.get(file) ?? new Map<string, Promise<Blob>>();
  written.set(file, known);
  const asked = query.toString();
  const type = more["form"] === "svg" ? "image/svg+xml" : as === "jsonl" ? "application/jsonl" : "text/csv";
  const blob = known.get(asked) ?? engine.bytes(`/v1/export?${asked}`, file).then((bytes) => new Blob([bytes], { type }));
  known.set(asked, blob);
  blob.catch(() => known.delete(asked)); // the next request tries again
  return blob;
}

/** How often edges are true, by the probability that the first agent that is uncertain of an edge gives them. */
function reliability(form: "svg" | "sheet" | "pgfplots" | "csv", of: Exported): Promise<Blob> {
  const look = { width: String(layout.width * centimetre), type: String(layout.letters * point), theme: choice.background };
  return records("reliability", of, {
    form,
    ...(form === "csv" ? {} : look),
    ...(layout.title ? {} : { title: "no" }),
    ...(layout.caption ? {} : { caption: "no" }),
  });
}

export async function figure(of: Exported): Promise<Blob> {
  const { figure: text } = of.result;
  return text === undefined ? records("figure", of) : new Blob([text], { type: "application/json" });
}

async function about(as: string, of: Exported, more: object = {}): Promise<Blob> {
  return new Blob([await engine.text(`/v1/export?as=${as}`, JSON.stringify({ ...specAndReceipt(of), base: base(), ...more }))], { type: "text/plain" });
}

function ofFirstRun(as: string, of: Exported, more: object = {}): Promise<Blob> {
  const { spec } = of.result;
  const agent = subjectOf(spec.agents);
  return about(as, of, { run: spec.firstRun ?? 0, ...(agent ? { agent } : {}), ...more });
}

async function graph(as: string, of: Exported): Promise<Blob> {
  const { spec } = of.result;
  const run = spec.firstRun ?? 0;
  const agent = subjectOf(spec.agents);
  const which = choice.graph === "best" || choice.graph === "sampled" ? await ofLast(choice.graph, of, run, agent) : choice.graph;
  return ofFirstRun(as, of, { graph: which });
}

/** A graph of the last episode of the first run. The engine computes that run again. */
async function ofLast(which: "sampled" | "best", { result: { spec } }: Exported, run: number, agent: string | undefined): Promise<unknown> {
  if (agent === undefined) throw new Error("No agent here samples graphs.");
  words.value = "Computing the first run again, up to its last episode…";
  const query = new URLSearchParams({ run: String(run), agent, episode: String(spec.episodes) });
  const { sampled, record } = JSON.parse(await engine.text(`/v1/trace?${query}`, JSON.stringify(spec))) as Trace;
  return which === "best" ? record.belief?.best : sampled.graph;
}

/** A centimetre and a point in CSS px. */
const [centimetre, point] = [96 / 2.54, 96 / 72];

/** The link to a result. Undefined: no link can hold its model. */
async function linkOf(of: Exported): Promise<string | undefined> {
  try {
    const { link } = await engine.ask<Linked>("/v1/link", specAndReceipt(of));
    return base() === "" ? link : `${base()}#${link}`;
  } catch (error) {
    if (error instanceof engine.Refused) return undefined;
    throw error;
  }
}

async function drawn(of: Exported, as: "svg" | "pgfplots" | "sheet"): Promise<string> {
  const { result, picture, caption, ghosts } = of;
  const address = await linkOf(of);
  const { noun, formula } = measureOf(picture.measure);
  const made = `C-PSRL playground, engine ${result.engine}${result.fingerprint === undefined ? "" : `, fingerprint ${result.fingerprint}`}`;
  const notes = [
    ...[caption, `${noun} = ${formula}`, ...ghosts].map((text) => ({ text })),
    { text: made, fine: true },
    ...(address === undefined ? [] : [{ text: address, fine: true, link: address }]),
  ];
  const figure = figureOf(picture, {
    width: layout.width * centimetre,
    height: 0,
    type: layout.letters * point,
    theme: choice.background,
    nameless: !layout.names,
    ...(layout.title ? { title: of.heading ?? result.title } : {}),
    // The axis may cut off a wide band, and the caption says so. Without a caption, the axis holds every band.
    ...(layout.caption ? { notes } : { whole: true }),
  });
  return engine.draw(figure, as);
}

export async function svg(of: Exported): Promise<Blob> {
  return new Blob([await drawn(of, "svg")], { type: "image/svg+xml" });
}

/** Pixels of the PNG for each CSS px, of which an inch has 96. */
const scale = 300 / 96;

async function png(of: Exported): Promise<Blob> {
  const image = new Image();
  const alone = (await drawn(of, "svg")).replace("<title", `<style>${await fonts.rules()}</style><title`);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(alone)}`;
  await image.decode();
  const canvas = make("canvas", { width: Math.round(scale * image.width), height: Math.round(scale * image.height) });
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The browser made no PNG."))), "image/png"));
}

/** A ZIP file with the figure, its data, and what is needed to compute them again. */
async function bundle(of: Exported): Promise<Blob> {
  const { Figure, Data, Reproduce } = formats;
  const whole = of.result.source !== "figure" && of.result.records;
  const files: Record<string, Format | undefined> = {
    "figure.svg": Figure!["svg"],
    ...(pdf.offered ? { "figure.pdf": Figure!["pdf"] } : {}),
    "figure.tex": Figure!["tex"],
    "figure.json": Figure!["figure"],
    ...(whole ? { "summary.csv": Data!["csv"], "runs.csv": Data!["long"], "final.csv": Data!["final"], "endings.csv": Data!["endings"] } : {}),
    "spec.json": Reproduce!["spec"],
    "command.sh": Reproduce!["cli"],
    "citation.bib": Reproduce!["bibtex"],
    "methods.txt": Reproduce!["methods"],
  };
  const entries: Record<string, Uint8Array> = {};
  for (const [name, format] of Object.entries(files)) {
    try {
      entries[name] = new Uint8Array(await (await format!.make(of)).arrayBuffer());
    } catch (error) {
      if (name !== "figure.pdf") throw error;
      // The font of PDF may lack letters of a name. The rest is worth having, and a file says why there is none.
      entries["figure.pdf.txt"] = new TextEncoder().encode(`${engine.detailOf(error)}\n`);
    }
  }
  for (const [k, { file, spec }] of of.others.entries()) {
    const body = new Blob([`${JSON.stringify(spec)}\n`, file]);
    const table = await engine.bytes(`/v1/foreign?as=csv&of=${of.picture.measure}`, body);
    entries[k === 0 ? "other-programs.csv" : `other-programs-${k + 1}.csv`] = new Uint8Array(table);
  }
  const link = await linkOf(of);
  if (link !== undefined) entries["link.txt"] = new TextEncoder().encode(`${link}\n`);
  const { zipSync } = await import("fflate");
  return new Blob([zipSync(entries, { mtime: new Date(1980, 0, 1) }) as Uint8Array<ArrayBuffer>], { type: "application/zip" });
}

// The dialog

const backgrounds = { light: "White", dark: "Dark" };
const graphs = { prior: "Prior G₀", sampled: "Sampled for the last episode", best: "Most probable after the last episode", true: "True graph" };

/** What is chosen. It stays until the dialog is opened again. */
const choice = { format: "svg", background: "light" as keyof typeof backgrounds, graph: "prior" as keyof typeof graphs };
/** The layout of a figure: its width in cm and its letters in pt, with the command's defaults, and which parts it has. */
const layout = { width: 16, letters: 9, title: true, caption: true, names: true };
const words = signal("");
const file = signal<{ readonly blob: Blob; readonly name: string; readonly text: string | undefined; readonly image: string | undefined } | undefined>(
  undefined,
);
const latest = new Latest();
/** How often a file was asked for: what is chosen by then says which menus there are, also while the file before is still being made. */
const asked = signal(0);
/** Returns what can be exported now. Undefined: there is no result, and the last one stays. */
let offered: () => Exported | undefined;
let current: Exported;
let stop: (() => void) | undefined;

/** The formats that are not text. */
const binary = new Set(["png", "pdf", "bundle", "edges-pdf"]);
const pictures = new Set(["svg", "png", "pdf", "edges-svg", "edges-pdf"]);
const laidOut = new Set(["svg", "png", "pdf", "tex", "bundle", "edges-svg", "edges-pdf", "edges-tex"]);

/** How many characters of a text the dialog shows at most. */
const mostShown = 200_000;

export async function openExport(root: Root, exported: () => Exported | undefined): Promise<void> {
  const now = exported();
  if (!now) return;
  await openDialog(root, "export", "export", (dialog) => {
    current = now;
    if (withheld(choice.format)) choice.format = "svg";
    if (withheld(choice.graph)) choice.graph = "prior";
    offered = exported;
    stop?.();
    const running = computed(() => offered()?.running);
    const ends = [
      effect(() => {
        void asked.value;
        render(contentOf(dialog), dialog);
      }),
      effect(() => {
        void running.value; // the end of a run brings its records
        untracked(() => void show());
      }),
    ];
    stop = () => {
      for (const end of ends) end();
    };
    dialog.onclose = () => {
      latest.next();
      clear();
      stop?.();
      stop = undefined;
    };
  });
}

/** Whether a format or a graph would tell what may not be exported. */
const withheld = (name: string): boolean => !current.truth && (name === "model" || name === "true");

function chosen(): [group: string, format: Format] {
  const [group, members] = Object.entries(formats).find(([, list]) => choice.format in list)!;
  return [group, members[choice.format]!];
}

function clear(): void {
  if (file.value?.image !== undefined) URL.revokeObjectURL(file.value.image);
  file.value = undefined;
}

async function show(): Promise<void> {
  const signal = latest.next();
  const [group, format] = chosen();
  current = offered() ?? current;
  clear();
  words.value = "…";
  asked.value++;
  try {
    const blob = await format.make(current);
    const text = binary.has(choice.format) ? undefined : await blob.text();
    const picture = pictures.has(choice.format) ? ((await format.shown?.(current)) ?? blob) : undefined;
    if (signal.aborted) return;
    const image = picture && URL.createObjectURL(picture);
    file.value = { blob, name: fileName(group, format), text, image };
    const instead =
      text !== undefined ? "copy the text" : picture === blob ? "save the picture by its context menu" : "open the playground on a page of its own";
    words.value = [
      `${file.value.name}, ${size(blob.size)}.`,
      isCut(text) ? "Its beginning is shown; Download and Copy take all of it." : "",
      sandboxed ? `This frame is sandboxed and may block downloads: ${instead}.` : "",
    ]
      .filter(Boolean)
      .join(" ");
  } catch (error) {
    if (!signal.aborted) words.value = sentence(engine.detailOf(error));
  }
}

const isCut = (text: string | undefined): boolean => text !== undefined && text.length > mostShown && !sandboxed;

function contentOf(dialog: HTMLDialogElement) {
  const made = file.value;
  const [group, format] = untracked(chosen);
  const choose =
    (name: keyof typeof choice) =>
    ({ target }: Event): void => {
      Object.assign(choice, { [name]: (target as HTMLSelectElement).value });
      void show();
    };
  const option = (value: string, label: string, now: string) => html`<option value=${value} .selected=${value === now}>${label}</option>`;
  const menu = (name: keyof typeof choice, label: string, options: unknown, hidden: boolean) =>
    html`<label for="export-${name}" ?hidden=${hidden}><span>${label}</span><select id="export-${name}" autocomplete="off" @change=${choose(name)}>${options}</select></label>`;
  const all = (list: Readonly<Record<string, string>>, now: string) =>
    Object.entries(list)
      .filter(([value]) => !withheld(value))
      .map(([value, label]) => option(value, label, now));
  const groups = Object.entries(formats).map(
    ([label, members]) =>
      html`<optgroup label=${label}>${Object.entries(members)
        .filter(([name]) => !withheld(name))
        .map(([name, { label }]) => option(name, label, choice.format))}</optgroup>`,
  );
  const length = (name: "width" | "letters", label: string, low: number, high: number) => {
    // The figure is made anew at each letter. The change event would come too late: a press on a button
    // causes it, and the button would be rendered anew in the middle of the press.
    const typed = ({ target }: Event): void => {
      const input = target as HTMLInputElement;
      if (!input.checkValidity()) return;
      layout[name] = input.valueAsNumber;
      void show();
    };
    const left = ({ target }: Event): void => void (target as HTMLInputElement).reportValidity();
    return html`<label for="export-${name}"><span>${label}</span><input id="export-${name}" type="number" required min=${low} max=${high} step="any" value=${String(layout[name])} @input=${typed} @change=${left} /></label>`;
  };
  const part = (name: "title" | "caption" | "names", label: string) => {
    const change = ({ target }: Event): void => {
      layout[name] = (target as HTMLInputElement).checked;
      void show();
    };
    return html`<label class="check"><input id="export-${name}" type="checkbox" .checked=${layout[name]} @change=${change} />${label}</label>`;
  };
  const laid = laidOut.has(choice.format)
    ? html`<div class="choose" role="group" aria-label="Layout">
        ${length("width", "Width, cm", 3, 100)} ${length("letters", "Letters, pt", 5, 40)} ${part("title", "Title")} ${part("caption", "Caption")} ${part("names", "Names of curves")}
      </div>`
    : nothing;
  const text = made?.text;
  const copied = async (): Promise<void> => {
    if (made) words.value = await copy(await made.blob.text(), dialog.querySelector("textarea"));
  };
  const methods = async (): Promise<void> => {
    choice.format = "methods";
    await show();
    const text = file.value?.text; // undefined: the words say why
    if (text !== undefined) words.value = await copy(text.trim(), dialog.querySelector("textarea"));
  };
  const other = untracked(offered)?.of;
  return html`<h2 id="export-title">Export</h2>
    ${other === undefined ? nothing : html`<p class="note">All of this is of “${other}”, whose results the chart shows; the page has another problem now.</p>`}
    <div class="choose">
      ${menu("format", "Format", groups, false)} ${menu("background", "Background", all(backgrounds, choice.background), !pictures.has(choice.format) && choice.format !== "bundle")}
      ${menu("graph", "Graph", all(graphs, choice.graph), group !== "Graph")}
    </div>
    ${laid}
    <div class="preview">
      ${made?.image === undefined ? nothing : html`<img alt="The exported ${format.label}" src=${made.image} />`}
      ${
        text === undefined
          ? nothing
          : html`<textarea readonly spellcheck="false" class=${choice.format === "methods" ? "prose" : ""} aria-label="The text of the file" rows=${choice.format === "svg" ? 4 : 14} .value=${isCut(text) ? text.slice(0, mostShown) : text}></textarea>`
      }
    </div>
    <p class="words" role="status">${words.value}</p>
    <div class="ends">
      <button type="button" id="export-download" class="primary" ?disabled=${!made} @click=${() => made && download(made.blob, made.name)}>Download</button>
      <button type="button" id="export-copy" ?disabled=${text === undefined} @click=${copied}>Copy</button>
      <button type="button" id="export-methods" @click=${methods}>Copy methods text</button>
      <button type="button" @click=${() => dialog.close()}>Close</button>
    </div>`;
}

function fileName(group: string, { part, extension }: Format): string {
  const { name, fingerprint } = current.result;
  const what = group === "Graph" ? `${choice.graph === "best" ? "most-probable" : choice.graph}-graph` : undefined;
  const measured =
    group === "Figure" || part === "bundle" || (extension === "csv" && part !== "long" && part !== "reliability") ? current.picture.measure : undefined;
  const dots = group === "Figure" ? current.picture.dots?.of : undefined;
  return `${[name, measured, dots, what, part, fingerprint?.slice(0, 8)].filter(Boolean).join("-")}.${extension}`;
}

function size(bytes: number): string {
  return bytes < 1000 ? `${bytes} bytes` : bytes < 1e6 ? `${Math.round(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
