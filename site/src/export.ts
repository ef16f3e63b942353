// The export dialog: what leaves the page. The engine writes the text; the page
// writes the picture. Loaded when it is first asked for.

import { subjectOf } from "./agents";
import * as engine from "./engine";
import { make, sentence } from "./dom";
import { figureOf, type Picture } from "./chart";
import type { Linked, Spec } from "./formats";
import * as fonts from "./fonts";
import { root } from "./link";
import { measureOf } from "./measures";
import type { Result } from "./results";

/** What the dialog exports. */
export interface Exported {
  readonly result: Result;
  readonly running: boolean;
  /** What the thin lines are, one a line. */
  readonly ghosts: readonly string[];
  readonly picture: Picture;
  readonly caption: string;
}

interface Format {
  readonly label: string;
  readonly extension: string;
  /** In the file's name, after that of the preset. */
  readonly part?: string;
  make(of: Exported): Promise<Blob>;
}

const formats: Readonly<Record<string, Readonly<Record<string, Format>>>> = {
  Figure: {
    svg: { label: "SVG", extension: "svg", make: async (of) => new Blob([await svg(of)], { type: "image/svg+xml" }) },
    png: { label: "PNG, twice the size", extension: "png", make: png },
    figure: { label: "JSON, curves with intervals", extension: "json", part: "figure", make: figure },
  },
  Data: {
    csv: { label: "CSV, summary of this measure", extension: "csv", make: (of) => records("csv", of) },
    paired: { label: "CSV, paired difference", extension: "csv", part: "paired", make: (of) => records("paired", of) },
    long: { label: "CSV, every run and episode", extension: "csv", part: "long", make: (of) => records("long", of) },
    jsonl: { label: "JSON Lines, all records", extension: "jsonl", part: "records", make: (of) => records("jsonl", of) },
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
      make: async (of) => new Blob([`${JSON.stringify(kept(of).spec)}\n`], { type: "application/json" }),
    },
    cli: { label: "Command line", extension: "sh", part: "command", make: (of) => about("cli", of) },
    bibtex: { label: "BibTeX", extension: "bib", part: "citation", make: (of) => about("bibtex", of) },
  },
};

// Making

const base = (): string => (root.startsWith("http") ? root : "");

/** The spec of the whole runs, and the receipt that they earn. */
function kept({ result }: Exported): { spec: Spec; receipt?: { engine: number; fingerprint: string } } {
  const { spec, runs, engine, fingerprint } = result;
  return fingerprint === undefined || runs === 0 ? { spec } : { spec: { ...spec, runs }, receipt: { engine, fingerprint } };
}

async function records(as: string, { result, running, picture }: Exported): Promise<Blob> {
  const { source, records: file } = result;
  if (running) throw new Error("The run has not ended: its records come with the end.");
  if (source === "figure") throw new Error("The precomputed figure holds means only. Run it first: its records are the same, bit for bit.");
  if (!file) throw new Error("The records are too large to keep in a page. The command line below writes them to a file.");
  const query = new URLSearchParams({ as, base: base(), ...(as === "csv" || as === "paired" ? { of: picture.measure } : {}) });
  return new Blob([await engine.text(`/v1/export?${query}`, file)], { type: as === "jsonl" ? "application/jsonl" : "text/csv" });
}

async function figure(of: Exported): Promise<Blob> {
  const { figure: text } = of.result;
  return text === undefined ? records("figure", of) : new Blob([text], { type: "application/json" });
}

async function about(as: string, of: Exported, more: object = {}): Promise<Blob> {
  return new Blob([await engine.text(`/v1/export?as=${as}`, JSON.stringify({ ...kept(of), base: base(), ...more }))], { type: "text/plain" });
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
  const which = graphMenu.value === "best" ? await mostProbable(of, agent) : graphMenu.value === "sampled" ? await sampled(of, run, agent) : graphMenu.value;
  return ofFirstRun(as, of, { graph: which });
}

const noGraph = "No agent here samples graphs.";

/** The graph that was sampled for the last episode of the first run, computed again. */
async function sampled({ result }: Exported, run: number, agent: string | undefined): Promise<unknown> {
  if (agent === undefined) throw new Error(noGraph);
  words.textContent = "Computing the first run again, up to its last episode…";
  const query = new URLSearchParams({ run: String(run), agent, episode: String(result.spec.episodes) });
  const trace = new TextDecoder().decode(await engine.text(`/v1/trace?${query}`, JSON.stringify(result.spec)));
  return (JSON.parse(trace) as { sampled: { graph?: unknown } }).sampled.graph;
}

/** The most probable graph after the last episode of the first run, as its record has it. */
async function mostProbable({ result, running }: Exported, agent: string | undefined): Promise<unknown> {
  const { spec, records: file } = result;
  if (agent === undefined) throw new Error(noGraph);
  if (running || !file) throw new Error("The most probable graph is that of a run. Run it first.");
  const wanted = 1 + spec.agents.indexOf(agent) * spec.episodes + spec.episodes - 1;
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let line = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) throw new Error("The run has no last episode.");
    const lines = (rest + value).split("\n");
    rest = lines.pop()!;
    const found = lines[wanted - line];
    if (found !== undefined) {
      void reader.cancel();
      return (JSON.parse(found) as { belief?: { best?: unknown } }).belief?.best;
    }
    line += lines.length;
  }
}

async function svg(of: Exported): Promise<string> {
  const { result, picture, caption, ghosts } = of;
  const { link } = await engine.ask<Linked>("POST", "/v1/link", kept(of));
  const { noun, formula } = measureOf(picture.measure);
  const address = base() === "" ? link : `${base()}#${link}`;
  const made = `C-PSRL playground, engine ${result.engine}${result.fingerprint === undefined ? "" : `, fingerprint ${result.fingerprint}`}`;
  const figure = figureOf(picture, {
    width: 760,
    height: 0,
    type: 13,
    theme: backgroundMenu.value === "dark" ? "dark" : "light",
    title: result.title,
    notes: [
      ...[caption, `${noun} = ${formula}`, ...ghosts].map((text) => ({ text })),
      { text: made, fine: true },
      { text: address, fine: true, link: address },
    ],
  });
  return engine.draw(figure);
}

const scale = 2;

async function png(of: Exported): Promise<Blob> {
  const image = new Image();
  const alone = (await svg(of)).replace("<title", `<style>${await fonts.rules()}</style><title`);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(alone)}`;
  await image.decode();
  const canvas = make("canvas", { width: scale * image.width, height: scale * image.height });
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The browser made no PNG."))), "image/png"));
}

// The dialog

/** A menu with its label. */
function menu(label: string, id: string, options: readonly (readonly [value: string, label: string])[]): [HTMLElement, HTMLSelectElement] {
  const select = make("select", { id, autocomplete: "off" }, ...options.map(([value, text]) => new Option(text, value)));
  return [make("label", { htmlFor: id }, make("span", {}, label), select), select];
}

const [formatField, formatMenu] = menu("Format", "export-format", []);
const [backgroundField, backgroundMenu] = menu("Background", "export-background", [
  ["light", "White"],
  ["dark", "Dark"],
]);
const [graphField, graphMenu] = menu("Graph", "export-graph", [
  ["prior", "Prior G₀"],
  ["sampled", "Sampled for the last episode"],
  ["best", "Most probable after the last episode"],
  ["true", "True graph"],
]);
const preview = make("div", { className: "preview" });
const words = make("p", { className: "words", role: "status" });
const downloadButton = make("button", { type: "button", id: "export-download", className: "primary" }, "Download");
const copyButton = make("button", { type: "button", id: "export-copy" }, "Copy");
const closeButton = make("button", { type: "button" }, "Close");
const dialog = make(
  "dialog",
  { className: "export" },
  make("h2", { id: "export-title" }, "Export"),
  make("div", { className: "choose" }, formatField, backgroundField, graphField),
  preview,
  words,
  make("div", { className: "ends" }, downloadButton, copyButton, closeButton),
);
dialog.setAttribute("aria-labelledby", "export-title");
for (const [group, members] of Object.entries(formats)) {
  const element = make("optgroup", { label: group }, ...Object.entries(members).map(([name, { label }]) => new Option(label, name)));
  formatMenu.append(element);
}
document.body.append(dialog);

let current: Exported;
let file: { readonly blob: Blob; readonly name: string } | undefined;
let ticket = 0;

for (const field of [formatMenu, backgroundMenu, graphMenu]) field.addEventListener("change", () => void show());
closeButton.addEventListener("click", () => dialog.close());
dialog.addEventListener("close", () => {
  ticket++;
  clear();
});
downloadButton.addEventListener("click", download);
copyButton.addEventListener("click", () => void copy());

export function openExport(exported: Exported): void {
  current = exported;
  dialog.showModal();
  void show();
}

/** The largest text that is shown, in characters. */
const mostShown = 200_000;

/** A sandboxed frame has an origin of its own, and often no downloads. */
const sandboxed = self.origin === "null";

function clear(): void {
  const image = preview.querySelector("img");
  if (image) URL.revokeObjectURL(image.src);
  preview.replaceChildren();
  file = undefined;
  downloadButton.disabled = true;
  copyButton.disabled = true;
}

async function show(): Promise<void> {
  const mine = ++ticket;
  const [group, members] = Object.entries(formats).find(([, list]) => formatMenu.value in list)!;
  const name = formatMenu.value;
  const format = members[name]!;
  backgroundField.hidden = name !== "svg" && name !== "png";
  graphField.hidden = group !== "Graph";
  clear();
  words.textContent = "…";
  try {
    const blob = await format.make(current);
    const text = name === "png" ? undefined : await blob.text();
    if (mine !== ticket) return;
    file = { blob, name: fileName(group, format) };
    if (group === "Figure" && name !== "figure") {
      const image = make("img", { alt: `The exported ${format.label}` });
      image.src = URL.createObjectURL(blob);
      preview.append(image);
    }
    const cut = text !== undefined && text.length > mostShown && !sandboxed;
    if (text !== undefined) {
      const area = make("textarea", { readOnly: true, value: cut ? text.slice(0, mostShown) : text, spellcheck: false, rows: name === "svg" ? 4 : 14 });
      area.setAttribute("aria-label", "The text of the file");
      preview.append(area);
    }
    downloadButton.disabled = false;
    copyButton.disabled = text === undefined;
    words.textContent = [
      `${file.name}, ${size(blob.size)}.`,
      cut ? "Its beginning is shown; Download and Copy take all of it." : "",
      sandboxed ? `This frame is sandboxed and may block downloads: ${text === undefined ? "save the picture by its context menu" : "copy the text"}.` : "",
    ]
      .filter(Boolean)
      .join(" ");
  } catch (error) {
    if (mine !== ticket) return;
    words.textContent = error instanceof Error ? sentence(error.message) : String(error);
  }
}

function fileName(group: string, { part, extension }: Format): string {
  const { name, fingerprint } = current.result;
  const what = group === "Graph" ? `${graphMenu.value === "best" ? "most-probable" : graphMenu.value}-graph` : undefined;
  const measured = group === "Figure" || (extension === "csv" && part !== "long") ? current.picture.measure : undefined;
  return `${[name, measured, what, part, fingerprint?.slice(0, 8)].filter(Boolean).join("-")}.${extension}`;
}

function download(): void {
  if (!file) return;
  const url = URL.createObjectURL(file.blob);
  make("a", { href: url, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

async function copy(): Promise<void> {
  if (!file) return;
  try {
    await navigator.clipboard.writeText(await file.blob.text());
    words.textContent = "Copied.";
  } catch {
    const area = preview.querySelector("textarea");
    area?.focus();
    area?.select();
    words.textContent = "The browser does not let this page copy. The text is selected: press Ctrl+C.";
  }
}

function size(bytes: number): string {
  return bytes < 1000 ? `${bytes} bytes` : bytes < 1e6 ? `${Math.round(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
