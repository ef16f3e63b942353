// The page: it owns the document and moves messages. It computes no statistics.

import catalogue from "cpsrl:catalogue";
import * as engine from "./engine";
import { arrange, Embed, embedded } from "./embed";
import { Experiment, workers, type Outcome } from "./experiment";
import type { Checked, PresetEntry, Spec } from "./formats";
import { titleOf } from "./differences";
import { byId, setText } from "./dom";
import { Latest } from "./latest";
import { Address, duration, presetOf, type Left } from "./link";
import { later } from "./lost";
import { dismiss, notify } from "./notice";
import { Panel } from "./panel";
import { foldSettings, Settings } from "./settings";
import { fieldsOf, fieldValue } from "./spec";
import { Theme } from "./theme";
import type { Watch } from "./watch/watch";

const presetMenu = byId("preset", HTMLSelectElement);
const runButton = byId("run", HTMLButtonElement);
const stopButton = byId("stop", HTMLButtonElement);
const progress = byId("progress", HTMLProgressElement);

const calm = matchMedia("(prefers-reduced-motion: reduce)");

const settings = new Settings(byId("settings", HTMLFormElement));

let preset: PresetEntry = catalogue.presets[0]!;
let experiment: Experiment | undefined;
/** Whether the experiment may compute no further: the embed's host or its place says so, or its reader is being asked. */
let halted = false;
let asking = false;
/** Counts the runs asked for, and the stops before they began. */
let attempts = 0;
let ending: Promise<void> = Promise.resolve();
const running = (): boolean => experiment !== undefined;
const address = new Address({ show, leave: () => ({ preset, ...settings.origin }), run: () => begin(false), running }, embedded);
const panel = new Panel(preset, { fail, announce, status });

type State = "loading" | "ready" | "running" | "finished" | "stopped" | "failed";

function setState(state: State): void {
  document.documentElement.dataset["state"] = state;
  stopButton.disabled = state !== "running";
  runButton.disabled = state === "running";
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
  const chosen = catalogue.presets.find((p) => p.name === name);
  if (!chosen) return;
  address.drop();
  void show(chosen.spec, chosen);
}

/** Shows a spec: a preset's, or that of a link, beside the preset it is nearest to. One that was left comes as it was. */
function show(spec: Spec, exact: PresetEntry | undefined, left?: Left): Promise<unknown> {
  const before = preset;
  preset = left?.preset ?? exact ?? nearest(spec) ?? preset;
  name();
  settings.fill(spec, left?.base, left?.line);
  if (!left || preset !== before) void panel.open(preset, spec);
  return check();
}

/** Has the menu of presets say what is shown: a preset, or what it was changed to. */
function name(changed?: string): void {
  presetMenu.querySelector("option[value='']")?.remove();
  if (changed !== undefined) presetMenu.prepend(new Option(changed, ""));
  presetMenu.value = changed === undefined ? preset.name : "";
}

/** The first preset of the same domain with the same choices from its menus; one with the same agents, if there is one. */
function nearest(spec: Spec): PresetEntry | undefined {
  const menus = fieldsOf(spec).filter(({ pointer, min }) => pointer.startsWith("/domain/") && min === undefined);
  const near = catalogue.presets.filter((preset) => menus.every(({ pointer }) => fieldValue(preset.spec, pointer) === fieldValue(spec, pointer)));
  return near.find((preset) => preset.spec.agents.join() === spec.agents.join()) ?? near[0];
}

function fillMenus(): void {
  const paper = group("Figures of the paper");
  const quick = group("In seconds");
  for (const { name, title } of catalogue.presets) {
    (name.endsWith("-quick") ? quick : paper).append(new Option(title, name));
  }
  presetMenu.append(paper, quick);
}

function group(label: string): HTMLOptGroupElement {
  const element = document.createElement("optgroup");
  element.label = label;
  return element;
}

// The engine's opinion of the form

const checks = new Latest();
let checking: Promise<Checked | undefined>;

/** Asks the engine about the form, and says what it says. Undefined: refused. If the form changes before the answer, it is asked about as it is then. */
function check(): Promise<Checked | undefined> {
  checking = ask(checks.next());
  return checking;
}

async function ask(signal: AbortSignal): Promise<Checked | undefined> {
  try {
    await settings.settled();
    signal.throwIfAborted();
    const checked = await engine.ask<Checked>("POST", "/v1/check", settings.draft(), signal);
    signal.throwIfAborted();
    const { header, link, problem } = checked;
    settings.accept(checked);
    panel.edited(checked);
    name(link === preset.link ? undefined : titleOf(header.spec, preset, problem.name).short);
    void watch?.then((stage) => stage?.follow(checked));
    void address.follow(checked);
    fail("");
    return checked;
  } catch (error) {
    if (signal.aborted) return checking;
    void watch?.then((stage) => stage?.refused());
    if (!(error instanceof engine.Refused)) fail(words(error));
    else if (!settings.refuse(error.problem)) fail(error.problem.detail);
    return undefined;
  }
}

function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

// Running

function begin(person: boolean): void {
  if (!experiment) ending = run(person);
}

/** Runs what is shown: for a person anything, by itself only what is cheap. If it is refused, a person is led to the field. */
async function run(person: boolean): Promise<void> {
  setState("running");
  status("Starting…");
  progress.value = 0;
  const attempt = ++attempts;
  const checked = await check();
  if (attempt !== attempts) return; // stopped before it began
  if (!checked || (!person && !checked.cost.autorun)) {
    setState(panel.result ? "finished" : "ready");
    status("Not started.");
    if (person) settings.focusRefused();
    return;
  }
  const { spec } = checked.header;
  let tenth = 0;
  let told = -Infinity;
  announce(`Started: ${spec.agents.length} agents, ${spec.runs} runs of ${spec.episodes} episodes.`);
  const current = new Experiment(checked.header, {
    progress(done, total) {
      const share = done / total;
      embed?.progress(done, total);
      const now = performance.now();
      if (now - told > (calm.matches ? 1000 : 250) || share === 1) {
        told = now;
        progress.value = share;
        status(progressed(current));
      }
      if (Math.floor(10 * share) > tenth && share < 1) {
        tenth = Math.floor(10 * share);
        announce(`${10 * tenth}%`);
      }
    },
    snapshot: (snapshot) => panel.update(snapshot, checked.header),
  });
  experiment = current;
  hold();
  const { budget } = checked.cost;
  const timer = setInterval(() => {
    if (!person && !spent(current, budget)) return;
    clearInterval(timer);
    if (!person) askToGoOn(current, budget);
  }, 500);
  panel.begin(checked.header);
  try {
    finish(await current.outcome, current, checked.link);
  } catch (error) {
    panel.end();
    setState("failed");
    fail(words(error));
    status("Failed.");
  } finally {
    experiment = undefined;
    clearInterval(timer);
    dismiss("budget");
    asking = false;
  }
}

/** What runs by itself is judged by its own progress, once there is some. */
const firstLook = 4000;

/** Whether an experiment takes or will take more than the budget, in seconds of one worker. */
function spent({ elapsed, header, share }: Experiment, budget: number): boolean {
  const worked = (elapsed / 1000) * workers(header.spec);
  return elapsed > firstLook && worked / (share || 1) > budget;
}

/** Pauses what began by itself, and asks once whether it may go on. */
function askToGoOn(current: Experiment, budget: number): void {
  asking = true;
  hold();
  const words = `This has taken ${duration(current.elapsed / 1000)} and is ${percent(current)} done: it takes more than the ${duration(budget / workers(current.header.spec))} that may pass by itself. It is paused, and what it has is kept.`;
  const goOn = (): void => {
    asking = false;
    hold();
  };
  notify("budget", words, "plain", { label: "Go on", act: goOn }, { label: "Stop", act: stop });
  announce(words);
}

/** Lets the experiment compute, or not. */
function hold(): void {
  experiment?.pause(halted || asking);
  if (experiment && (halted || asking)) status(progressed(experiment));
}

function percent({ share }: Experiment): string {
  return `${Math.floor(100 * share)}%`;
}

function finish({ snapshot, stopped, failure, records }: Outcome, { header, elapsed }: Experiment, link: string): void {
  const { runs } = header.spec;
  panel.end(snapshot, header, records);
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
    status(`Finished in ${duration(elapsed / 1000)}.`);
  }
  const verdict = address.ran(link, header, snapshot);
  embed?.finished(snapshot, stopped);
  announce(`${byId("status", HTMLElement).textContent} ${snapshot.conclusion} ${verdict}`);
}

function stop(): void {
  if (experiment) {
    experiment.stop();
    return;
  }
  attempts++;
  setState("stopped");
  status("Stopped: no run was complete.");
}

function progressed(current: Experiment): string {
  const { elapsed, share } = current;
  if (halted || asking) return `${percent(current)} · paused`;
  if (share === 0 || elapsed < 1000) return percent(current);
  return `${percent(current)} · about ${duration(((1 - share) / share) * (elapsed / 1000))} left`;
}

// The stage, which nobody loads who does not ask for it

let watch: Promise<Watch | undefined> | undefined;

async function openWatch(): Promise<void> {
  try {
    watch ??= later(() => import("./watch/watch")).then((module) => module && new module.Watch(settings, announce));
    const stage = await watch;
    if (!stage) {
      watch = undefined;
      return;
    }
    if (address.checked) stage.follow(address.checked);
    stage.open();
    await check(); // the form may have been refused since
  } catch (error) {
    watch = undefined;
    fail(words(error));
  }
}

// Start

arrange();
if (!embedded) foldSettings();
const theme = new Theme(byId("theme", HTMLButtonElement));
const embed = embedded
  ? new Embed(address, {
      run: () => begin(false),
      stop() {
        if (document.documentElement.dataset["state"] === "running") stop();
        return ending;
      },
      asking: () => asking,
      pause(paused) {
        halted = paused;
        hold();
        void watch?.then((stage) => stage?.hold(paused));
      },
      running,
      theme: (name) => theme.show(name),
    })
  : undefined;
fillMenus();
setText("engine", `version ${catalogue.engine}`);
presetMenu.addEventListener("change", () => choose(presetMenu.value));
stopButton.addEventListener("click", stop);
byId("watch-open", HTMLButtonElement).addEventListener("click", () => void openWatch());
settings.onchange = () => void check();
settings.onsubmit = () => begin(true);
settings.onspec = async (text, signal) => {
  const { header, link } = await engine.ask<Checked>("POST", "/v1/check", text, signal);
  if (signal.aborted) return;
  address.drop();
  void show(header.spec, presetOf(link));
};
for (const name of ["Share", "Embed"] as const) {
  byId(name.toLowerCase(), HTMLButtonElement).addEventListener("click", () =>
    later(() => import("./share"))
      .then((dialogs) => dialogs?.[`open${name}`](address))
      .catch((error: unknown) => fail(words(error))),
  );
}
preset = address.preset ?? address.own;
presetMenu.value = preset.name;
settings.fill(preset.spec);
if (address.preset) void panel.open(preset);
else status("Opening the link…");

// After the first paint: the engine.
requestAnimationFrame(() =>
  setTimeout(async () => {
    try {
      await engine.load();
      if (!(await address.start())) {
        if (!address.preset) void panel.open(preset);
        await check();
      }
      if (document.documentElement.dataset["state"] === "loading") {
        setState("ready");
        status("Ready.");
      }
      embed?.ready(catalogue.engine);
      void later(() => import("./offline")).then((offline) => offline?.keepOffline());
    } catch (error) {
      setState("failed");
      fail(words(error));
      status("Not ready.");
    }
  }),
);
