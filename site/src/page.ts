// The page: it owns the document and moves messages. It computes no statistics.

import presets from "cpsrl:presets";
import * as engine from "./engine";
import { Experiment, type Outcome } from "./experiment";
import type { Checked, Measure, Preset, Snapshot } from "./formats";
import { measures } from "./measures";
import { byId, setText, typeset } from "./dom";
import { Settings } from "./settings";
import { fillTable } from "./table";
import { followTheme } from "./theme";

const presetMenu = byId("preset", HTMLSelectElement);
const measureMenu = byId("measure", HTMLSelectElement);
const runButton = byId("run", HTMLButtonElement);
const stopButton = byId("stop", HTMLButtonElement);
const progress = byId("progress", HTMLProgressElement);
const chartBox = byId("chart", HTMLElement);
const emptyNote = byId("empty", HTMLElement);
const dataDetails = byId("data", HTMLDetailsElement);

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const settings = new Settings(byId("settings", HTMLFormElement));

let preset: Preset = presets.presets[0]!;
let experiment: Experiment | undefined;
/** What the chart shows, and of which experiment. */
let shown: { snapshot: Snapshot; of: Experiment; title: string } | undefined;

type State = "loading" | "ready" | "running" | "finished" | "stopped" | "failed";

function setState(state: State): void {
  document.documentElement.dataset["state"] = state;
  const running = state === "running";
  stopButton.disabled = !running;
  runButton.disabled = running;
}

function status(words: string): void {
  setText("status", words);
}

function announce(words: string): void {
  setText("live", words);
}

function fail(words: string): void {
  const place = byId("failure", HTMLElement);
  place.textContent = words;
  place.hidden = words === "";
}

// Presets

function choose(name: string): void {
  preset = presets.presets.find((p) => p.name === name) ?? preset;
  settings.fill(preset.spec);
  if (!shown) showEmpty();
  void check();
}

function fillMenus(): void {
  const paper = group("Figures of the paper");
  const quick = group("In seconds");
  for (const { name, title } of presets.presets) {
    (name.endsWith("-quick") ? quick : paper).append(new Option(title, name));
  }
  presetMenu.append(paper, quick);
  for (const [name, { title }] of Object.entries(measures)) measureMenu.append(new Option(title, name));
}

function group(label: string): HTMLOptGroupElement {
  const element = document.createElement("optgroup");
  element.label = label;
  return element;
}

// The engine's opinion of the form

let checks = 0;

/** Asks the engine about the form, and says what it says. Undefined: refused. */
async function check(): Promise<Checked | undefined> {
  const ticket = ++checks;
  try {
    const checked = await engine.ask<Checked>("POST", "/v1/check", settings.draft());
    if (ticket === checks) {
      settings.accept(checked);
      fail("");
    }
    return checked;
  } catch (error) {
    if (ticket !== checks) return undefined;
    if (!(error instanceof engine.Refused)) fail(words(error));
    else if (!settings.refuse(error.problem)) fail(error.problem.detail);
    return undefined;
  }
}

function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

// Running

async function run(): Promise<void> {
  if (experiment) return;
  const title = preset.title;
  setState("running");
  status("Starting…");
  progress.value = 0;
  const checked = await check();
  if (!checked || document.documentElement.dataset["state"] !== "running") {
    setState(shown ? "finished" : "ready");
    status(checked ? "Stopped." : "Not started.");
    if (!checked) settings.focusRefused();
    return;
  }
  const { spec } = checked.header;
  const began = performance.now();
  let tenth = 0;
  let told = -Infinity;
  announce(`Started: ${spec.agents.length} agents, ${spec.runs} runs of ${spec.episodes} episodes.`);
  const current = new Experiment(checked.header, {
    progress(done, total) {
      const share = done / total;
      progress.value = share;
      const now = performance.now();
      if (now - told > 500) {
        told = now;
        status(`${Math.floor(100 * share)}% ${timeLeft(share, now - began)}`);
      }
      if (Math.floor(10 * share) > tenth && share < 1) {
        tenth = Math.floor(10 * share);
        announce(`${10 * tenth}%`);
      }
    },
    snapshot(snapshot) {
      shown = { snapshot, of: current, title };
      scheduleDraw();
    },
  });
  experiment = current;
  shown = undefined;
  showEmpty();
  try {
    finish(await current.outcome, current, title, performance.now() - began);
  } catch (error) {
    setState("failed");
    fail(words(error));
    status("Failed.");
  } finally {
    experiment = undefined;
  }
}

function finish({ snapshot, stopped, failure }: Outcome, of: Experiment, title: string, took: number): void {
  const { runs } = of.header.spec;
  shown = snapshot.runs > 0 ? { snapshot, of, title } : undefined;
  if (shown) drawNow();
  else showEmpty();
  const kept = snapshot.runs === 0 ? "no run was complete" : `${snapshot.runs} of ${runs} runs kept`;
  if (failure !== undefined) {
    setState("failed");
    fail(`The experiment ended early: ${failure}.`);
    status(`Failed: ${kept}.`);
  } else if (stopped) {
    setState("stopped");
    status(`Stopped: ${kept}.`);
  } else {
    setState("finished");
    status(`Finished in ${duration(took / 1000)}.`);
  }
  announce(`${byId("status", HTMLElement).textContent} ${snapshot.conclusion}`);
}

function stop(): void {
  if (experiment) experiment.stop();
  else setState("ready");
}

function timeLeft(share: number, elapsed: number): string {
  if (share === 0 || elapsed < 1000) return "";
  return `· about ${duration(((1 - share) / share) * (elapsed / 1000))} left`;
}

function duration(seconds: number): string {
  if (seconds < 1) return "1 s";
  if (seconds < 90) return `${Math.round(seconds)} s`;
  return `${Math.round(seconds / 60)} min`;
}

// The picture

let charts: typeof import("./chart") | undefined;
let scheduled = false;
let drawn = -Infinity;

function scheduleDraw(): void {
  if (scheduled) return;
  scheduled = true;
  const pause = calm.matches ? Math.max(0, drawn + 1000 - performance.now()) : 0;
  setTimeout(() => requestAnimationFrame(() => {
    scheduled = false;
    if (shown) drawNow();
  }), pause);
}

function drawNow(): void {
  if (!shown || !charts || chartBox.clientWidth === 0) return;
  drawn = performance.now();
  const { snapshot, of, title } = shown;
  const { spec } = of.header;
  const measure = measureMenu.value as Measure;
  const text = measures[measure];
  const series = snapshot.series.filter((s) => s.measure === measure);
  setText("experiment-title", title);
  if (series.length === 0) {
    chartBox.replaceChildren(emptyNote);
    emptyNote.textContent = of.header.modelError && measure === "model-error" ? `Model error: ${of.header.modelError}.` : text.absent;
  } else {
    const label = `${text.title} by episode. ${snapshot.conclusion}`.trim();
    chartBox.replaceChildren(charts.draw({ measure, series, episodes: spec.episodes, width: chartBox.clientWidth, label }));
  }
  const n = snapshot.runs;
  const interval =
    n === 0 ? "The first run, as it is computed." : n === 1 ? "One run: no interval yet." : `Mean over n = ${n} runs; bands are 95% confidence intervals, Student’s t across runs.`;
  const missing = series.length > 0 && series.length < spec.agents.length ? text.absent : "";
  setText("caption", `${text.title}: ${text.means}. ${interval} ${missing}`.trim());
  const conclusion = byId("conclusion", HTMLElement);
  conclusion.textContent = typeset(snapshot.conclusion);
  conclusion.hidden = snapshot.conclusion === "";
  dataDetails.hidden = series.length === 0;
  if (dataDetails.open) fillTable(byId("table", HTMLElement), text.title, series);
  byId("fingerprint-row", HTMLElement).hidden = snapshot.fingerprint === undefined;
  setText("fingerprint", snapshot.fingerprint ?? "");
}

/** Draws once for nobody, so that the first picture of a run is as quick as the others. */
function warmUp({ draw }: NonNullable<typeof charts>): void {
  const curve = Float64Array.from({ length: 400 }, (_, k) => k);
  const measure = "cumulative-regret";
  const series = presets.presets[0]!.spec.agents.map((agent) => ({ agent, measure, mean: curve, lo: curve, hi: curve, n: curve }) as const);
  draw({ measure, series, episodes: 400, width: 600, label: "" });
}

function showEmpty(): void {
  setText("experiment-title", preset.title);
  chartBox.replaceChildren(emptyNote);
  emptyNote.textContent = experiment ? "The first episodes are on their way." : "Press Run: the curves grow here as they are computed.";
  setText("caption", "");
  byId("conclusion", HTMLElement).hidden = true;
  byId("fingerprint-row", HTMLElement).hidden = true;
  dataDetails.hidden = true;
}

// Start

followTheme(byId("theme", HTMLButtonElement));
fillMenus();
setText("engine", `version ${presets.engine}`);
presetMenu.addEventListener("change", () => {
  if (!experiment) shown = undefined;
  choose(presetMenu.value);
});
measureMenu.addEventListener("change", drawNow);
dataDetails.addEventListener("toggle", drawNow);
stopButton.addEventListener("click", stop);
settings.onchange = () => void check();
settings.onsubmit = () => void run();
new ResizeObserver(scheduleDraw).observe(chartBox);
presetMenu.value = "fig2c";
settings.fill((preset = presets.presets.find((p) => p.name === presetMenu.value) ?? preset).spec);
showEmpty();

// After the first paint: the engine, then the chart.
requestAnimationFrame(() =>
  setTimeout(async () => {
    const loadingCharts = import("./chart").then((module) => {
      charts = module;
      warmUp(module);
    });
    try {
      await engine.load();
      await check();
      await loadingCharts;
      if (document.documentElement.dataset["state"] === "loading") {
        setState("ready");
        status("Ready.");
      }
    } catch (error) {
      setState("failed");
      fail(words(error));
      status("Not ready.");
    }
  }),
);
