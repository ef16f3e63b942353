// The experiment panel: which results are on the chart, and everything that is
// said of them around it. It is told of runs by the page and draws them.

import { styleOf } from "./agents";
import { differences, listed, titleOf } from "./differences";
import { byId, setText, typeset } from "./dom";
import { draw, detailOf } from "./engine";
import { figureName, hasFigure, loadFigure } from "./figures";
import type { Checked, Header, MeasureKey, PresetEntry, Snapshot, Spec } from "./formats";
import { Latest } from "./latest";
import { later } from "./lost";
import { measureOf, measures } from "./measures";
import { comparison, fillPins, fingerprintWords, origin, Pins, runsWords, type Pin } from "./pins";
import { Readout, rowOf, spoken, type Column } from "./readout";
import { byMeasure, nothing, numberFormat, ofSnapshot, type Result } from "./results";
import { fillDiscovery, fillTable } from "./table";
import { Chart, figureOf, type Picture } from "./chart";
import type { Exported } from "./export";

/** What the panel needs of the page. */
export interface Host {
  fail(words: string): void;
  announce(words: string): void;
  status(words: string): void;
}

/** The least time between two pictures of a run, in milliseconds; longer for who wants less motion. */
const pace = 200;
const calmPace = 1000;
/** And at least so many times as long as a picture takes to make. */
const share = 10;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

const box = byId("chart", HTMLElement);
const empty = byId("empty", HTMLElement);
const measureMenu = byId("measure", HTMLSelectElement);
const differenceButton = byId("difference", HTMLButtonElement);
const logYButton = byId("log-y", HTMLButtonElement);
const logXButton = byId("log-x", HTMLButtonElement);
const pinButton = byId("pin", HTMLButtonElement);
const exportButton = byId("export", HTMLButtonElement);
const uploadButton = byId("upload", HTMLButtonElement);
const uploadFile = byId("upload-file", HTMLInputElement);
const dataDetails = byId("data", HTMLDetailsElement);

const pressed = (button: HTMLButtonElement): boolean => button.getAttribute("aria-pressed") === "true";
const press = (button: HTMLButtonElement, on: boolean): void => button.setAttribute("aria-pressed", String(on));

export class Panel {
  #chart: Chart | undefined;
  /** The figure that the engine was asked for last, and what it shows; undefined if there is nothing to show. */
  #wanted: { readonly figure: string; readonly picture: Picture } | undefined;
  /** The figure that is on the page. */
  #shown = "";
  #drawing = false;
  /** How often the chart was taken away: what was asked for before is not shown after. */
  #cleared = 0;
  #preset: PresetEntry;
  /** The spec of the form, as the engine accepted it last, and the name of its model. */
  #form: Spec;
  #model: string | undefined;
  /** The precomputed figure of the preset; null once it is hidden. */
  #figure: Result | undefined | null;
  #loading = false;
  #result: Result | undefined;
  /** What is to be on the chart: a file, a run or a preset's figure. */
  readonly #wishes = new Latest();
  #running = false;
  #episode: number | undefined;
  #columns: Column[] = [];
  #number = numberFormat([]);
  #scheduled = false;
  #drawn = -Infinity;
  /** How long the last picture took, in milliseconds. */
  #took = 0;
  readonly #pins = new Pins();
  readonly #readout = new Readout(byId("readout", HTMLTableElement));

  constructor(
    preset: PresetEntry,
    private readonly host: Host,
  ) {
    this.#preset = preset;
    this.#form = preset.spec;
    measureMenu.append(...measures.map(({ key, noun }) => new Option(noun, key)));
    measureMenu.addEventListener("change", () => this.#draw());
    for (const button of [differenceButton, logYButton, logXButton]) {
      button.addEventListener("click", () => {
        press(button, !pressed(button));
        this.#draw();
      });
    }
    pinButton.addEventListener("click", () => this.#pin());
    exportButton.addEventListener("click", () => void this.#export());
    uploadButton.addEventListener("click", () => uploadFile.click());
    uploadFile.addEventListener("change", () => {
      const [file] = uploadFile.files ?? [];
      if (file) void this.read(file);
      uploadFile.value = "";
    });
    this.#takeDrops(byId("experiment", HTMLElement));
    this.#followPointer();
    dataDetails.addEventListener("toggle", () => this.#fillTable());
    this.#readout.onchange = () => this.#draw();
    new ResizeObserver(() => this.#schedule()).observe(box);
  }

  /** The run or the file on the chart. */
  get result(): Result | undefined {
    return this.#result;
  }

  /** Opens a spec on the precomputed figure of the preset it is nearest to, if there is one. */
  async open(preset: PresetEntry, spec = preset.spec): Promise<void> {
    this.#wishes.next();
    this.#preset = preset;
    this.#form = spec;
    this.#model = undefined;
    this.#figure = undefined;
    if (!this.#running) this.#result = undefined;
    this.#loading = hasFigure(preset);
    this.#draw();
    const figure = await loadFigure(preset);
    if (this.#preset !== preset) return;
    this.#loading = false;
    this.#figure ??= figure;
    this.#draw();
  }

  /** The form holds this spec now. */
  edited({ header, problem }: Checked): void {
    this.#form = header.spec;
    this.#model = problem?.name;
    if (!this.#running) this.#draw();
  }

  /** A run begins. */
  begin(header: Header): void {
    this.#wishes.next();
    this.#running = true;
    this.#result = nothing(header, { source: "run", ...titleOf(header.spec, this.#preset, this.#model) });
    this.#draw();
  }

  /** The run has come so far. */
  update(snapshot: Snapshot, header: Header): void {
    if (!this.#running || !this.#result) return;
    this.#result = ofSnapshot(snapshot, header, this.#result);
    this.#schedule();
  }

  /** The run is over; without a snapshot nothing of it is kept. */
  end(snapshot?: Snapshot, header?: Header, records?: Blob): void {
    this.#running = false;
    this.#result = snapshot && header && this.#result && snapshot.runs > 0 ? ofSnapshot(snapshot, header, this.#result, records) : undefined;
    this.#draw();
  }

  /** Shows the records of a file. */
  async read(file: File): Promise<void> {
    if (this.#running) return;
    const signal = this.#wishes.next();
    signal.addEventListener("abort", () => this.host.status("Ready."));
    this.host.fail("");
    this.host.status(`Reading ${file.name}…`);
    try {
      const upload = await later(() => import("./upload"));
      if (!upload) this.host.status("Nothing was read.");
      const result = await upload?.readRecords(file, signal);
      if (!result || signal.aborted) return;
      this.#result = result;
      this.#draw();
      const words = `Read ${runsWords(result.runs)} from ${file.name}.`;
      this.host.status(words);
      this.host.announce(`${words} ${result.conclusions[measures[0]!.key] ?? ""}`);
    } catch (error) {
      if (signal.aborted) return;
      this.host.status("Nothing was read.");
      this.host.fail(`${file.name} cannot be shown: ${detailOf(error)}`);
    }
  }

  // What is drawn

  get #measure(): MeasureKey {
    return measureMenu.value;
  }

  /** The result that the panel is about. */
  get #main(): Result | undefined {
    if (this.#result) return this.#result;
    return this.#figure?.spec.domain.name === this.#form.domain.name ? this.#figure : undefined; // not of another problem
  }

  /** The results behind the main one, the precomputed figure first. */
  get #ghosts(): Pin[] {
    const main = this.#main;
    const figure = this.#figure;
    const pinned = this.#pins.list.some(({ result }) => result.fingerprint === figure?.fingerprint);
    const near = figure && main && main !== figure && main.spec.domain.name === figure.spec.domain.name && !pinned;
    const pins = this.#pins.list.filter(({ result }) => result !== main);
    return [...(near ? [{ mark: "ref", result: figure }] : []), ...pins];
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    // While it runs, drawing leaves time to compute.
    const least = this.#running ? Math.max(calm.matches ? calmPace : pace, share * this.#took) : 0;
    setTimeout(
      () =>
        requestAnimationFrame(() => {
          this.#scheduled = false;
          this.#draw();
        }),
      Math.max(0, this.#drawn + least - performance.now()),
    );
  }

  #draw(): void {
    this.#drawn = performance.now();
    const main = this.#main;
    const measure = this.#measure;
    const ghosts = this.#ghosts;
    const paired = this.#showPaired(main);
    const curvesOf = (result: Result) => byMeasure(paired ? result.differences : result.curves, measure);
    this.#columns = [
      ...(main ? [{ mark: "", title: columnTitle(main, this.#running), curves: curvesOf(main) }] : []),
      ...ghosts.map(({ mark, result }) => ({ mark, title: mark, curves: curvesOf(result) })),
    ];
    this.#number = numberFormat(this.#columns.find(({ curves }) => curves.length > 0)?.curves ?? []);
    this.#drawChart(paired);
    this.#say(main, paired);
    fillPins(byId("pins", HTMLElement), ghosts, main && !this.#pins.holds(main) ? main.spec : this.#form, (mark) => this.#remove(mark));
    this.#fillTable();
    this.#showTools(main);
  }

  /** Whether the difference of two agents is what is shown; its button is there if there is one. */
  #showPaired(main: Result | undefined): boolean {
    const [first] = main?.differences ?? [];
    const paired = first !== undefined && pressed(differenceButton);
    if (first) differenceButton.textContent = typeset(`${styleOf(first.agent).name} − ${styleOf(first.base!).name}`);
    differenceButton.hidden = first === undefined;
    logYButton.disabled = paired; // a difference has a sign
    return paired;
  }

  /** The last episode of the axis: the main result's, or that of a longer pin. */
  #episodes(): number {
    const lengths = this.#pins.list.map(({ result }) => result.spec.episodes);
    return Math.max(1, this.#main?.spec.episodes ?? 0, ...lengths);
  }

  /** What the chart shows. */
  picture(): Picture | undefined {
    const lines = this.#columns.flatMap(({ mark, curves }) =>
      curves.filter((curve) => !this.#readout.hidden.has(rowOf(curve))).map((curve) => ({ curve, mark })),
    );
    if (this.#columns.every(({ curves }) => curves.length === 0)) return undefined;
    const signed = lines.some(({ curve }) => curve.base !== undefined);
    return { measure: this.#measure, lines, episodes: this.#episodes(), logX: pressed(logXButton), logY: pressed(logYButton) && !signed };
  }

  #drawChart(paired: boolean): void {
    const picture = this.picture();
    const shown = picture !== undefined;
    byId("readout", HTMLElement).hidden = !shown;
    for (const button of [logXButton, logYButton]) button.hidden = !shown;
    const still = box.dataset["still"];
    if (still !== undefined && still !== figureName(this.#preset)) this.#clear();
    if (!picture) {
      if (this.#loading && box.dataset["still"] !== undefined) return; // the page came with the figure
      this.#wanted = undefined;
      this.#chart = undefined;
      this.#clear();
      for (const name of ["role", "tabindex", "aria-roledescription", "aria-label", "aria-valuemin", "aria-valuemax", "aria-valuenow", "aria-valuetext"])
        box.removeAttribute(name);
      empty.textContent = this.#emptyWords();
      empty.classList.toggle("waiting", this.#loading);
      return;
    }
    box.role = "slider";
    box.tabIndex = 0;
    box.ariaRoleDescription = "chart";
    box.ariaLabel = `${measureOf(this.#measure).noun}${paired ? ", difference" : ""} by episode${paired ? "" : ", by agent"}`;
    box.ariaValueMin = "1";
    box.ariaValueMax = String(picture.episodes);
    const width = box.clientWidth;
    if (width === 0) return;
    const height = Math.round(Math.min(460, Math.max(280, width * 0.54)));
    this.#wanted = { picture, figure: figureOf(picture, { width, height, type: 13, theme: "page", inline: true }) };
    void this.#drawWanted();
    this.#point(this.#episode);
  }

  /** Takes away what is in the chart's box. */
  #clear(): void {
    delete box.dataset["still"];
    this.#shown = "";
    this.#cleared++;
    box.ariaBusy = null;
    empty.hidden = false;
    box.replaceChildren(empty);
  }

  /** Has the engine draw until what is wanted is shown. Of several wishes, the last counts. */
  async #drawWanted(): Promise<void> {
    if (this.#drawing) return;
    this.#drawing = true;
    try {
      for (let wanted = this.#wanted; wanted && wanted.figure !== this.#shown; wanted = this.#wanted) {
        const { figure, picture } = wanted;
        if (picture.lines.length === 0) {
          this.#show(figure, undefined);
          empty.textContent = "Every curve is hidden: tick a box below.";
          continue;
        }
        box.ariaBusy = "true";
        const [begun, cleared] = [performance.now(), this.#cleared];
        const document = await draw(figure);
        this.#took = performance.now() - begun;
        if (cleared === this.#cleared) this.#show(figure, new Chart(document, picture.lines));
      }
      box.ariaBusy = null;
    } catch (error) {
      box.ariaBusy = null;
      empty.textContent = "The chart could not be drawn.";
      this.host.fail(`The chart could not be drawn: ${detailOf(error)}`);
    } finally {
      this.#drawing = false;
    }
  }

  #show(figure: string, chart: Chart | undefined): void {
    this.#chart = chart;
    this.#shown = figure;
    delete box.dataset["still"];
    empty.hidden = false;
    box.replaceChildren(chart?.element ?? empty);
    if (performance.getEntriesByName("chart").length === 0) performance.mark("chart");
    this.#sayCaption();
    this.#point(this.#episode);
  }

  #emptyWords(): string {
    if (this.#loading) return "";
    const main = this.#main;
    if (this.#running && main?.curves.length === 0) return "The first episodes are on their way.";
    if (!main) return "Press Run: the curves grow here as they are computed.";
    if (this.#measure === "model-error" && main.modelError) return `Model error: ${main.modelError}.`;
    return measureOf(this.#measure).absent ?? "";
  }

  /** The words around the chart. */
  #say(main: Result | undefined, paired: boolean): void {
    setText("experiment-title", main?.title ?? titleOf(this.#form, this.#preset, this.#model).title);
    const source = byId("source", HTMLElement);
    source.textContent = main ? typeset(this.#sourceWords(main)) : "";
    source.hidden = source.textContent === "";
    const curves = this.#columns[0]?.curves ?? [];
    this.#sayCaption();
    const conclusion = byId("conclusion", HTMLElement);
    const [difference] = paired ? curves : [];
    conclusion.textContent = typeset(difference?.conclusion ?? (paired ? "" : (main?.conclusions[this.#measure] ?? "")));
    conclusion.hidden = conclusion.textContent === "";
    const discovery = byId("discovery", HTMLElement);
    discovery.hidden = !main || main.discovery.length === 0;
    if (main && !discovery.hidden) fillDiscovery(byId("discovery-words", HTMLElement), byId("discovery-table", HTMLElement), main.discovery);
    const fingerprint = main?.source === "figure" ? undefined : main?.fingerprint;
    byId("fingerprint-row", HTMLElement).hidden = fingerprint === undefined;
    setText("fingerprint", fingerprint ?? "");
  }

  #sourceWords(main: Result): string {
    if (main.source === "figure") {
      const words = `Precomputed: our own ${runsWords(main.runs)}, engine ${main.engine}${fingerprintWords(main)}.`;
      const changes = differences(main.spec, this.#form);
      return changes.length === 0 ? `${words} Run computes them here.` : `${words} ${comparison(main, this.#form)} Run computes yours.`;
    }
    if (this.#running) return "";
    const changes = differences(this.#form, main.spec);
    if (main.source === "file") return changes.length === 0 ? "From a file." : `From a file. The settings have ${listed(changes)}.`;
    return changes.length === 0 ? "" : `The settings have changed since: ${listed(changes)}.`;
  }

  #sayCaption(): void {
    const main = this.#main;
    const caption = main && (this.#columns[0]?.curves ?? []).length > 0 ? this.caption(main) : "";
    const hidden = this.#shown === this.#wanted?.figure ? this.#chart?.hidden : "";
    setText("caption", [caption, hidden].filter(Boolean).join(" "));
  }

  /** The caption of the chart. */
  caption(main: Result): string {
    const paired = main.differences.length > 0 && pressed(differenceButton);
    const { noun, caption, absent = "" } = measureOf(this.#measure);
    const { runs } = main;
    const interval =
      runs === 0
        ? "The first run, as it is computed."
        : runs === 1
          ? "One run: no interval yet."
          : `Mean over n = ${runs} runs; bands are 95% confidence intervals, Student’s t across runs.`;
    const curves = this.#columns[0]?.curves ?? [];
    const missing = !paired && curves.length < main.spec.agents.length ? absent : "";
    const what = paired ? `Difference of two agents in each run, which met the same true model. ${noun}: ${caption}.` : `${noun}: ${caption}.`;
    return [what, interval, missing].filter(Boolean).join(" ");
  }

  #fillTable(): void {
    const curves = this.#columns[0]?.curves ?? [];
    dataDetails.hidden = curves.length === 0;
    if (dataDetails.open && !dataDetails.hidden) fillTable(byId("table", HTMLElement), measureOf(this.#measure).noun, curves, this.#number);
  }

  #showTools(main: Result | undefined): void {
    const kept = main !== undefined && this.#pins.holds(main);
    pinButton.disabled = !main || this.#running || main.runs === 0 || kept || this.#pins.full;
    pinButton.textContent = kept ? "Pinned" : this.#pins.full ? "4 pins, no more" : "Pin";
    exportButton.disabled = !main || main.curves.length === 0;
    uploadButton.disabled = this.#running;
  }

  // The read-out

  #point(episode: number | undefined): void {
    this.#episode = episode;
    this.#chart?.point(episode);
    const last = Math.max(1, ...(this.#columns[0]?.curves ?? []).map(({ episodes }) => episodes.at(-1) ?? 1));
    const at = episode ?? last;
    this.#readout.show(this.#columns, at, this.#number);
    box.ariaValueNow = String(at);
    box.ariaValueText = spoken(this.#columns, this.#readout.hidden, at, this.#number);
  }

  #followPointer(): void {
    const follow = (event: PointerEvent): void => {
      if (this.#chart) this.#point(this.#snap(this.#chart.episodeAt(event.clientX)));
    };
    box.addEventListener("pointermove", follow);
    box.addEventListener("pointerdown", follow);
    box.addEventListener("pointerleave", () => {
      if (this.#chart && document.activeElement !== box) this.#point(undefined);
    });
    box.addEventListener("blur", () => {
      if (this.#chart) this.#point(undefined);
    });
    box.addEventListener("keydown", (event) => {
      if (!this.#chart || event.ctrlKey || event.altKey || event.metaKey) return;
      const list = this.#steps();
      const now = this.#episode === undefined ? list.length : list.findIndex((episode) => episode >= this.#episode!);
      const ten = Math.max(1, Math.round(list.length / 10));
      const steps: Readonly<Record<string, number>> = {
        ArrowRight: now + 1,
        ArrowUp: now + 1,
        ArrowLeft: now - 1,
        ArrowDown: now - 1,
        PageUp: now + ten,
        PageDown: now - ten,
        Home: 0,
        End: list.length - 1,
      };
      if (event.key === "Escape") this.#point(undefined);
      else if (event.key in steps) this.#point(list[Math.min(list.length - 1, Math.max(0, steps[event.key]!))]);
      else return;
      event.preventDefault();
    });
  }

  /** The episodes that the keys step through: those of the main result. */
  #steps(): Float64Array {
    const { curves = [] } = this.#columns.find((column) => column.curves.length > 0) ?? {};
    const [first, ...others] = curves.map(({ episodes }) => episodes);
    return others.reduce((longest, list) => (list.length > longest.length ? list : longest), first ?? new Float64Array());
  }

  #snap(episode: number): number {
    const list = Array.from(this.#steps());
    const after = list.find((e) => e >= episode) ?? list.at(-1) ?? 1;
    const before = list.findLast((e) => e <= episode) ?? after;
    return episode - before < after - episode ? before : after;
  }

  // Pins, export, upload

  #pin(): void {
    const main = this.#main;
    if (!main || pinButton.disabled) return;
    const { mark } = this.#pins.add(main);
    this.#draw();
    this.host.announce(`Pinned as ${mark}: it stays on the chart under the next run.`);
  }

  #remove(mark: string): void {
    if (mark === "ref") this.#figure = null;
    else this.#pins.remove(mark);
    this.#draw();
    (pinButton.disabled ? box : pinButton).focus();
  }

  async #export(): Promise<void> {
    const result = this.#main;
    const picture = this.picture();
    if (!result || !picture) return;
    const exported: Exported = {
      result,
      running: this.#running,
      ghosts: this.#ghosts.map(({ mark, result: ghost }) => `${mark}: ${origin(ghost)}. ${comparison(ghost, result.spec)}`),
      picture,
      caption: this.caption(result),
    };
    (await later(() => import("./export")))?.openExport(exported);
  }

  #takeDrops(place: HTMLElement): void {
    const withFile = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
    place.addEventListener("dragover", (event) => {
      if (!withFile(event) || this.#running) return;
      event.preventDefault();
      place.classList.add("drop");
    });
    place.addEventListener("dragleave", (event) => {
      if (!(event.relatedTarget instanceof Node && place.contains(event.relatedTarget))) place.classList.remove("drop");
    });
    place.addEventListener("drop", (event) => {
      place.classList.remove("drop");
      const [file] = event.dataTransfer?.files ?? [];
      if (!file) return;
      event.preventDefault();
      void this.read(file);
    });
  }
}

function columnTitle({ source, runs }: Result, running: boolean): string {
  if (source === "figure") return `Our ${runsWords(runs)}`;
  if (source === "file") return `File, ${runsWords(runs)}`;
  return running && runs === 0 ? "First run" : runsWords(runs);
}
