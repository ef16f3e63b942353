// The stage's panel: it follows one agent in one run and shows its episodes,
// moment by moment. The stage itself is a page in a frame (../stage-host.ts);
// traces are the only source of what it shows.

import { styleOf, subjectOf } from "../agents";
import { byId, make, sentence, setText } from "../dom";
import { Refused, detailOf } from "../engine";
import type { Checked, Spec, Trace } from "../formats";
import { root } from "../link";
import { next } from "../prior/model";
import type { Settings } from "../settings";
import { domainOf } from "../spec";
import { StageHost } from "../stage-host";
import type { Focus, FromStage, Moment, View } from "../stage-messages";
import { edgeTable, markStep, planTable, setTable, stepTable } from "./tables";
import { Traces, type Place, type Taken } from "./traces";

const moments: readonly Moment[] = ["sample", "plan", "act", "update"];
const speeds: readonly (readonly [speed: number, label: string])[] = [
  [0.5, "½×"],
  [1, "1×"],
  [2, "2×"],
  [4, "4×"],
  [8, "8×"],
  [16, "16×"],
];

/** How long a slider rests before its episode is computed. */
const rest = 120;
/** The least space between the buttons and the window's edge, in pixels. */
const edge = 10;
/** How long a stage may be silent once its page is there. */
const silence = 5000;

type State = "closed" | "loading" | "computing" | "showing" | "failed";

const panel = byId("watch", HTMLElement);
const place = byId("watch-stage", HTMLElement);
const wait = byId("watch-wait", HTMLElement);
const openButton = byId("watch-open", HTMLButtonElement);
const playButton = byId("watch-play", HTMLButtonElement);
const agentMenu = byId("watch-agent", HTMLSelectElement);
const runMenu = byId("watch-run", HTMLSelectElement);
const speedMenu = byId("watch-speed", HTMLSelectElement);
const episodeSlide = byId("watch-episode", HTMLInputElement);
const stepSlide = byId("watch-h", HTMLInputElement);
const valuesBox = byId("watch-values", HTMLInputElement);
const policyBox = byId("watch-policy", HTMLInputElement);
const modelMenu = byId("watch-model", HTMLSelectElement);
const passengerMenu = byId("watch-passenger", HTMLSelectElement);
const revealButton = byId("watch-reveal", HTMLButtonElement);
const stepDetails = byId("watch-steps", HTMLDetailsElement);
const planDetails = byId("watch-plan", HTMLDetailsElement);
const beliefDetails = byId("watch-belief", HTMLDetailsElement);
const yMenu = byId("watch-y", HTMLSelectElement);

export class Watch {
  readonly #traces = new Traces();
  #stage: StageHost | undefined;
  #frame: HTMLIFrameElement | undefined;
  #spec: Spec | undefined;
  /** The form has been refused since. */
  #stale = false;
  /** Why it is drawn as SVG, if it is. */
  #still = "";
  #place: Place = { agent: "", run: 0, episode: 1 };
  /** Counts the places gone to. */
  #ticket = 0;
  #shown: Trace | undefined;
  /** What draws its world. */
  #scene: string | undefined;
  #moment: Moment = "sample";
  #step = 0;
  /** The step h whose values are shown while planning; absent: the first. */
  #h: number | undefined;
  #focus: Focus | undefined;
  /** How far it plays on. */
  #playing: "moment" | "episodes" | undefined;
  #held = false;
  #told = "";
  #table: HTMLTableElement | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly announce: (words: string) => void,
  ) {
    speedMenu.append(...speeds.map(([speed, label]) => new Option(label, String(speed), speed === 1, speed === 1)));
    const on = (id: string, act: () => void): void => byId(id, HTMLButtonElement).addEventListener("click", act);
    on("watch-close", () => this.close());
    on("watch-play", () => (this.#playing ? this.#pause() : this.#play("episodes")));
    on("watch-step", () => this.#walk(1));
    on("watch-back", () => this.#walk(-1));
    on("watch-previous", () => this.#leap(-1));
    on("watch-next", () => this.#leap(1));
    on("watch-reveal", () => settings.prior.reveal(!settings.prior.revealed));
    byId("watch-moments", HTMLElement).addEventListener("click", ({ target }) => {
      if (target instanceof HTMLButtonElement) this.#turn(target.value as Moment);
    });
    speedMenu.addEventListener("change", () => this.#resume());
    for (const menu of [agentMenu, runMenu]) {
      menu.addEventListener("change", () => void this.#go({ agent: agentMenu.value, run: Number(runMenu.value), episode: this.#place.episode }, this.#moment));
    }
    let pause: ReturnType<typeof setTimeout>;
    episodeSlide.addEventListener("input", () => {
      const episode = episodeSlide.valueAsNumber;
      this.#showEpisode(episode);
      clearTimeout(pause);
      pause = setTimeout(() => void this.#go({ ...this.#place, episode }, this.#moment), rest);
    });
    stepSlide.addEventListener("input", () => this.#slide(stepSlide.valueAsNumber));
    for (const control of [valuesBox, policyBox, modelMenu, passengerMenu]) control.addEventListener("change", () => this.#look());
    for (const menu of [modelMenu, passengerMenu]) menu.addEventListener("change", () => this.#showPlan());
    settings.prior.onreveal = () => {
      this.#look();
      this.#showSets();
    };
    yMenu.addEventListener("change", () => {
      this.#focus = yMenu.value === "" ? undefined : { y: Number(yMenu.value) };
      this.#look();
      this.#showSets();
    });
    stepDetails.addEventListener("toggle", () => this.#showSteps());
    planDetails.addEventListener("toggle", () => this.#showPlan());
    beliefDetails.addEventListener("toggle", () => this.#showSets());
    new MutationObserver(() => this.#look()).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  }

  /** Opens the panel, and loads the stage. */
  open(): void {
    if (this.#frame) return;
    this.#still = "";
    this.#note("");
    setText("watch-text", "");
    this.#setState("loading");
    this.#load();
    if (this.#spec) void this.#go(this.#place, "sample");
    playButton.focus({ preventScroll: true });
  }

  close(): void {
    this.#pause();
    this.#traces.stop();
    this.#ticket++;
    this.#unload();
    this.settings.showGraph(null);
    this.#setState("closed");
    openButton.focus();
  }

  /** The engine has accepted the form. */
  follow({ header: { spec } }: Checked): void {
    const other = this.#traces.open(spec);
    const changed = other && this.#spec !== undefined;
    this.#spec = spec;
    this.#stale = false;
    this.#fillMenus(spec);
    const { firstRun = 0, runs, agents, episodes } = spec;
    const old = this.#place;
    const kept: Place = {
      agent: agents.includes(old.agent) ? old.agent : (subjectOf(agents) ?? agents[0]!),
      run: old.run >= firstRun && old.run < firstRun + runs ? old.run : firstRun,
      episode: other ? 1 : Math.min(old.episode, episodes),
    };
    const same = !other && kept.agent === old.agent && kept.run === old.run && kept.episode === old.episode;
    this.#place = kept;
    this.#showPlace();
    if (!this.#frame) return;
    if (same) {
      this.#note("");
      this.#showBelief();
      return;
    }
    void this.#go(kept, "sample", true);
    if (changed) this.#note("The settings have changed: here is the first episode with the new ones.");
  }

  /** The engine has refused the form. */
  refused(): void {
    this.#stale = true;
    if (!this.#frame) return;
    if (this.#shown) this.#note("The settings are refused, so this is still a run with the last ones that were accepted.", "bad");
    else if (!this.#spec) wait.textContent = "The settings are refused; the stage waits for others.";
  }

  /** Nothing plays in a page that nobody sees. */
  hold(held: boolean): void {
    this.#held = held;
    if (!this.#playing) return;
    if (held) this.#stage?.send({ kind: "pause" });
    else this.#resume();
  }

  // The stage

  #load(): void {
    const frame = document.createElement("iframe");
    frame.title = "The stage: press Enter to walk its graph with the arrow keys, Esc to leave";
    frame.src = new URL("stage.html", root).href;
    frame.addEventListener("load", () =>
      setTimeout(() => {
        if (frame === this.#frame && !this.#stage?.met) this.#fail("The stage could not be loaded.");
      }, silence),
    );
    this.#frame = frame;
    this.#stage = new StageHost(frame, (message) => this.#hear(message));
    place.append(frame);
  }

  #unload(): void {
    this.#stage?.close();
    this.#stage = undefined;
    this.#frame?.remove();
    this.#frame = undefined;
    this.#shown = undefined;
  }

  #hear(message: FromStage): void {
    switch (message.kind) {
      case "ready":
        this.#still = message.still ?? "";
        if (this.#still) this.#note("");
        this.#resume();
        break;
      case "moment":
        this.#moment = message.moment;
        this.#step = message.step;
        this.#grow(message.height);
        setText("watch-text", message.text);
        if (!this.#playing && message.text !== this.#told) this.announce(message.text);
        this.#told = message.text;
        this.#showMoment();
        break;
      case "select":
        this.#focus = message.focus;
        yMenu.value = String(message.focus?.y ?? "");
        this.#look();
        this.#showSets();
        break;
      case "focus":
        if (message.focus?.y !== undefined && yMenu.value !== String(message.focus.y)) {
          yMenu.value = String(message.focus.y);
          this.#showSets();
        }
        break;
      case "done":
        this.#arrive();
        break;
      case "refused":
        this.#note(sentence(message.detail), "bad");
        break;
      case "unavailable":
        this.#fail(message.detail);
        break;
    }
  }

  /** Takes the height that the tallest moment asked for, so that nothing below jumps. */
  #grow(height: number): void {
    const frame = this.#frame;
    if (!frame) return;
    const width = String(frame.clientWidth);
    if (frame.dataset["width"] === width) height = Math.max(height, Number(frame.height));
    frame.dataset["width"] = width;
    frame.height = String(Math.ceil(height));
    if (panel.dataset["watch"] === "showing") return;
    this.#setState("showing");
    // Who has just opened it sees the whole picture with the buttons below it.
    if (document.activeElement === playButton) scrollBy(0, Math.max(0, playButton.getBoundingClientRect().bottom + edge - innerHeight));
  }

  #fail(words: string): void {
    this.#pause();
    this.#unload();
    this.#setState("failed");
    const again = make("button", { type: "button" }, "Try again");
    again.addEventListener("click", () => this.open());
    wait.replaceChildren(make("span", {}, words), again);
    this.announce(words);
  }

  // Where it is

  /** Goes to a place, at one of its moments. */
  async #go(to: Place, moment: Moment, anew = false): Promise<void> {
    const ticket = ++this.#ticket;
    if (this.#playing === "moment") this.#pause();
    this.#place = to;
    this.#showPlace();
    if (!this.#stale) this.#note("");
    const kept = this.#traces.kept(to);
    if (kept) {
      this.#show(kept, moment, anew);
      return;
    }
    place.setAttribute("aria-busy", "true");
    setText("watch-computing", `Playing the run again, up to episode ${to.episode}…`);
    try {
      const taken = await this.#traces.take(to);
      if (ticket === this.#ticket && this.#stage) this.#show(taken, moment, anew);
    } catch (error) {
      if (ticket === this.#ticket)
        this.#stay(error instanceof Refused ? sentence(detailOf(error)) : `This episode could not be played again: ${detailOf(error)}`);
    }
  }

  /** There is no way to where it was to go. */
  #stay(words: string): void {
    this.#pause();
    place.removeAttribute("aria-busy");
    const trace = this.#shown;
    if (!trace) {
      wait.textContent = words;
      return;
    }
    this.#place = { agent: trace.agent, run: trace.run, episode: trace.episode };
    this.#showPlace();
    this.#note(words, "bad");
  }

  #show({ trace, bytes }: Taken, moment: Moment, anew: boolean): void {
    place.removeAttribute("aria-busy");
    this.#showEpisode(trace.episode);
    const variables = (t: Trace | undefined): string => (t ? JSON.stringify([t.state, t.action]) : "");
    if (anew || variables(trace) !== variables(this.#shown)) {
      if (this.#frame) delete this.#frame.dataset["width"];
      this.#h = this.#focus = undefined;
      yMenu.replaceChildren(new Option("choose", ""), ...trace.state.map(({ name }, j) => new Option(next(name), String(j))));
    }
    byId("watch-passenger-field", HTMLElement).hidden = trace.grid === undefined;
    this.#shown = trace;
    this.#scene = domainOf(this.#spec!)?.picture;
    this.#moment = moment;
    this.#step = 0;
    this.#table = undefined;
    this.#stage?.show(bytes, this.#view());
    this.#resume();
    if (this.#stale) this.refused();
    this.#showSteps();
    this.#showMoment();
    if (this.#playing && trace.episode < this.#spec!.episodes) this.#traces.prepare({ ...this.#place, episode: trace.episode + 1 });
  }

  #view(): View {
    const theme = document.documentElement.dataset["theme"];
    const passenger = passengerMenu.value;
    return {
      ...(this.#shown && { agent: styleOf(this.#shown.agent).name }),
      ...(this.#scene !== undefined && { scene: this.#scene }),
      moment: this.#moment,
      step: this.#step,
      ...((theme === "light" || theme === "dark") && { theme }),
      ...(!valuesBox.checked && { values: false }),
      ...(!policyBox.checked && { policy: false }),
      model: modelMenu.value as "sampled" | "true",
      ...(this.#moment === "plan" && this.#h !== undefined && { h: this.#h }),
      ...(passenger !== "" && this.#shown?.grid && { passenger: passenger as "waiting" | "aboard" }),
      truth: this.settings.prior.revealed,
      ...(this.#focus && { focus: this.#focus }),
    };
  }

  #look(): void {
    revealButton.ariaPressed = String(this.settings.prior.revealed);
    if (this.#shown) this.#stage?.look(this.#view());
  }

  // Transport

  /** Whether what is to be shown is on show. */
  get #here(): boolean {
    const { agent, run, episode } = this.#place;
    return this.#shown !== undefined && this.#shown.episode === episode && this.#shown.run === run && this.#shown.agent === agent;
  }

  #play(until: "moment" | "episodes"): void {
    if (!this.#shown) return;
    this.#held = false; // a person is there
    this.#playing = until;
    playButton.textContent = "Pause";
    const { episode } = this.#shown;
    const last = this.#spec?.episodes ?? episode;
    if (this.#moment === "update" && episode === last) this.#turnTo("sample");
    else if (this.#h !== undefined) {
      this.#h = undefined; // from now on it is of the step that is next
      this.#look();
    }
    this.#resume();
    if (until === "episodes" && episode < last) this.#traces.prepare({ ...this.#place, episode: episode + 1 });
  }

  /** Has a stage go on that was told what to show. */
  #resume(): void {
    if (this.#playing && !this.#held && this.#here) {
      this.#stage?.send({ kind: "play", speed: Number(speedMenu.value), until: this.#playing === "moment" ? "moment" : "episode" });
    }
  }

  #pause(): void {
    this.#playing = undefined;
    playButton.textContent = "Play";
    this.#stage?.send({ kind: "pause" });
  }

  /** The stage has played to the end of the moment or the episode. */
  #arrive(): void {
    if (this.#playing === "episodes" && this.#place.episode < (this.#spec?.episodes ?? 0)) {
      void this.#go({ ...this.#place, episode: this.#place.episode + 1 }, "sample");
    } else {
      this.#playing = undefined;
      playButton.textContent = "Play";
      this.announce(this.#told);
    }
  }

  /** One moment on or back, into the next episode or the one before. */
  #walk(by: 1 | -1): void {
    if (!this.#here) return;
    const moment = moments[moments.indexOf(this.#moment) + by];
    if (moment) this.#turn(moment, by);
    else this.#leap(by, by > 0 ? "sample" : "update");
  }

  /** Goes to a moment; forward into acting, the steps are played. */
  #turn(moment: Moment, by = 1): void {
    if (!this.#here) return;
    this.#pause();
    this.#turnTo(moment);
    if (moment === "act" && by > 0) this.#play("moment");
  }

  #turnTo(moment: Moment): void {
    this.#moment = moment;
    this.#step = 0;
    this.#look();
    this.#showMoment();
  }

  /** Goes to the next episode or the one before. */
  #leap(by: 1 | -1, moment: Moment = this.#moment): void {
    const episode = this.#place.episode + by;
    if (episode < 1 || episode > (this.#spec?.episodes ?? 0)) return;
    void this.#go({ ...this.#place, episode }, this.#playing === "episodes" ? "sample" : moment);
  }

  /** The step slider: where the trajectory is, or whose values are planned. */
  #slide(step: number): void {
    if (this.#playing) this.#pause();
    if (this.#moment === "plan") this.#h = Math.max(1, step);
    else this.#step = step;
    this.#look();
    this.#showMoment();
  }

  // Showing

  #setState(state: State): void {
    panel.dataset["watch"] = state;
    const open = state !== "closed";
    byId("watch-body", HTMLElement).hidden = byId("watch-follow", HTMLElement).hidden = !open;
    byId("watch-invite", HTMLElement).hidden = open;
    wait.hidden = state === "showing";
    if (state === "loading") wait.textContent = "Loading the stage…";
  }

  #note(words: string, tone = ""): void {
    const note = byId("watch-note", HTMLElement);
    note.textContent = words || this.#still;
    note.className = `watch-note ${tone}`;
    note.hidden = note.textContent === "";
  }

  #fillMenus({ agents, firstRun = 0, runs }: Spec): void {
    const fill = (menu: HTMLSelectElement, options: readonly (readonly [value: string, label: string])[]): void => {
      if ([...menu.options].map(({ value }) => value).join() === options.map(([value]) => value).join()) return;
      menu.replaceChildren(...options.map(([value, label]) => new Option(label, value)));
    };
    fill(
      agentMenu,
      agents.map((label) => [label, styleOf(label).name]),
    );
    fill(
      runMenu,
      Array.from({ length: runs }, (_, k) => [String(firstRun + k), String(firstRun + k)]),
    );
  }

  #showPlace(): void {
    agentMenu.value = this.#place.agent;
    runMenu.value = String(this.#place.run);
    episodeSlide.max = String(this.#spec?.episodes ?? 1);
    episodeSlide.value = String(this.#place.episode);
    this.#showEpisode(this.#place.episode);
  }

  #showEpisode(episode: number): void {
    const all = this.#spec?.episodes ?? episode;
    setText("watch-episode-shown", `${episode} of ${all}`);
    episodeSlide.setAttribute("aria-valuetext", `${episode} of ${all}`);
    byId("watch-previous", HTMLButtonElement).ariaDisabled = String(episode <= 1);
    byId("watch-next", HTMLButtonElement).ariaDisabled = String(episode >= all);
  }

  #showMoment(): void {
    const trace = this.#shown;
    if (!trace) return;
    for (const button of byId("watch-moments", HTMLElement).querySelectorAll("button")) {
      if (button.value === this.#moment) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    }
    const planning = this.#moment === "plan";
    const step = planning ? (this.#h ?? 1) : this.#moment === "act" ? this.#step : this.#moment === "update" ? trace.horizon : 0;
    stepSlide.min = planning ? "1" : "0";
    stepSlide.max = String(trace.horizon);
    stepSlide.value = String(step);
    stepSlide.disabled = !planning && this.#moment !== "act";
    const words = `${step} of ${trace.horizon}`;
    setText("watch-h-shown", words);
    stepSlide.setAttribute("aria-valuetext", words);
    if (this.#table) markStep(this.#table, planning ? 0 : step);
    this.#showBelief();
    this.#showPlan();
    this.#showSets();
  }

  /** Marks the sampled graph and what is believed in the prior's views. */
  #showBelief(): void {
    const trace = this.#shown;
    if (!trace || this.#stale || !this.#here) return;
    const { firstRun = 0 } = this.#spec!;
    if (domainOf(this.#spec!)?.perRun && trace.run !== firstRun) {
      this.settings.showGraph(null); // the prior's views are of the first run's problem
      return;
    }
    const belief = this.#moment === "update" ? trace.after : trace.before;
    this.settings.showGraph(
      trace.sampled.graph ?? null,
      belief?.map(({ edges }) => edges),
    );
  }

  #showSteps(): void {
    const trace = this.#shown;
    if (!trace || !stepDetails.open || this.#table) return;
    this.#table = stepTable(trace);
    byId("watch-step-table", HTMLElement).replaceChildren(this.#table);
    markStep(this.#table, this.#moment === "act" ? this.#step : 0);
  }

  #showPlan(): void {
    const trace = this.#shown;
    if (!trace || !planDetails.open) return;
    const passed = this.#moment === "act" ? this.#step : this.#moment === "update" ? trace.horizon : 0;
    const h = this.#moment === "plan" && this.#h !== undefined ? this.#h : Math.min(passed + 1, trace.horizon);
    const passenger = passengerMenu.value === "" ? (trace.steps[passed]?.x ?? trace.steps.at(-1)!.y)[2]! : Number(passengerMenu.value === "aboard");
    byId("watch-plan-table", HTMLElement).replaceChildren(planTable(trace, modelMenu.value as "sampled" | "true", h, passenger));
  }

  #showSets(): void {
    const trace = this.#shown;
    if (!trace || !beliefDetails.open) return;
    const belief = this.#moment === "update" ? trace.after : trace.before;
    const edges = byId("watch-edge-table", HTMLElement);
    edges.hidden = !belief;
    if (belief) edges.replaceChildren(edgeTable(trace, belief, this.settings.prior.revealed));
    const table = byId("watch-set-table", HTMLElement);
    if (!belief) table.textContent = "This agent has no graph.";
    else if (yMenu.value === "") table.textContent = "Choose a variable, or point at one on the stage.";
    else table.replaceChildren(setTable(trace, Number(yMenu.value), belief[Number(yMenu.value)]!));
  }
}
