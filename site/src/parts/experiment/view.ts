// The figure: the chart with its results, and everything around it that is said about them.

import { batch, computed, effect, signal, untracked } from "@preact/signals-core";
import { html, nothing, render } from "lit-html";
import catalogue from "cpsrl:catalogue";
import { styleOf } from "../../agents";
import { calm } from "../../calm";
import { byId, say, takeDrops, typeset } from "../../dom";
import { detailOf, draw } from "../../engine/engine";
import type { Exported } from "../../dialogs/export";
import type { View } from "../../formats";
import { later, once } from "../../lost";
import type { Playground } from "../../mount";
import { figureName } from "../../state/figures";
import { Latest } from "../../state/latest";
import { hosted, site } from "../../site";
import { measureOf, measures } from "../../state/measures";
import { isOf, nameOfPair, pairOf } from "../../state/pairs";
import { styled } from "../../styles";
import { byMeasure, type Curve, numberFormat, type Result } from "../../state/results";
import { Chart, figureOf, type Picture, type Whose } from "./chart";
import { ledTo } from "./keys";
import type { Pairing } from "./pair";
import { type Column, readout, rowOf, spoken } from "./readout";
import type { Spreading } from "./spread";
import { captionOf, columnTitle, comparison, emptyWords, origin, question, sourceWords } from "./words";

/** The least time between two pictures of a run, in milliseconds, and the same with reduced motion. */
const pace = 200;
const calmPace = 1000;
/** The time between two pictures is also at least this many times as long as drawing one takes. */
const share = 10;

const noDifference = "These two lines have no difference in this measure.";

export function experiment(playground: Playground): void {
  const { root, app, comparison: results } = playground;
  const at = <T extends HTMLElement>(id: string, kind: { new (): T }): T => byId(root, id, kind);
  const box = at("chart", HTMLElement);

  // The results and the way they are shown

  /** The main result. During a run it changes only as often as the chart is drawn. */
  const main = paced(results.main, () => results.running.value);
  const measure = computed(() => app.view.value.measure ?? measures[0]!.key);
  /** The two lines whose difference can be shown. */
  const pair = computed(() => main.value && pairOf(main.value, results.pins.value, app.view.value.pair));
  const paired = computed(() => app.view.value.paired === true && pair.value !== undefined);
  /** The module for differences, once one is wanted. */
  const pairing = signal<Pairing | undefined>(undefined);
  const wantPairing = once(
    () => import("./pair"),
    (made) => void (pairing.value = made.pairing(playground, main, paired, at("toolbar", HTMLElement))),
  );
  effect(() => {
    if (paired.value) wantPairing();
  });
  /** The module for single runs, once they are wanted. */
  const spread = signal<Spreading | undefined>(undefined);
  const wantSpread = once(
    () => import("./spread"),
    (made) => void (spread.value = made.spreading(playground, main, measure, paired, at("toolbar", HTMLElement))),
  );
  const band = computed(() => app.view.value.band);
  effect(() => {
    if (band.value) wantSpread();
  });
  const differencesOf = (result: Result): readonly Curve[] => pairing.value?.of(result) ?? result.differences.filter((curve) => isOf(curve, pair.value!));
  const columns = computed<readonly Column[]>(() => {
    const curvesOf = (result: Result) =>
      (!paired.value && spread.value?.curves(result)) || byMeasure(paired.value ? differencesOf(result) : result.curves, measure.value);
    const of = main.value;
    return [
      ...(of ? [{ mark: "", title: columnTitle(of, results.running.value), curves: curvesOf(of) }] : []),
      ...results.ghosts.value
        .map(({ mark, result }) => ({ mark, title: mark, curves: curvesOf(result) }))
        .filter(({ curves }) => !paired.value || curves.length > 0),
    ];
  });
  const curves = computed(() => columns.value[0]?.curves ?? []);
  const number = computed(() => numberFormat(columns.value.find(({ curves }) => curves.length > 0)?.curves ?? []));
  const hidden = computed(() => new Set(app.view.value.hidden));
  const picture = computed<Picture | undefined>(() => {
    if (columns.value.every(({ curves }) => curves.length === 0)) return undefined;
    const lines = columns.value.flatMap(({ mark, curves }) => curves.filter((curve) => !hidden.value.has(rowOf(curve))).map((curve) => ({ curve, mark })));
    const { logX = false, logY = false } = app.view.value;
    const episodes = Math.max(1, main.value?.spec.episodes ?? 0, ...results.pins.value.map(({ result }) => result.spec.episodes));
    const dots = spread.value?.dots(hidden.value);
    return { measure: measure.value, lines: spread.value?.dress(lines, hidden.value) ?? lines, episodes, logX, logY: logY && !paired.value, dots };
  });
  /** The episode that is pointed at. */
  const pointed = signal<number | undefined>(undefined);
  /** The run that is pointed at. */
  const held = signal<Whose | undefined>(undefined);
  const caption = computed(() => {
    const count = curves.value.length;
    return main.value && count > 0 ? (spread.value?.caption(count) ?? captionOf(main.value, measure.value, count, paired.value)) : "";
  });

  // The chart

  const chart = signal<Chart | undefined>(undefined);
  const width = signal(0);
  const height = signal(0);
  /** Whether the engine has not answered yet, so that the prior above the chart is still empty. */
  const waits = computed(() => app.phase.value === "loading");
  const pane = at("beside", HTMLElement);
  const drawers = at("drawers", HTMLElement);
  /** The height of what is below the chart while no drawer is open, in CSS px. */
  let under = 0;
  const measureBox = (): void =>
    batch(() => {
      const { top, bottom } = box.getBoundingClientRect();
      if (!drawers.querySelector("[open]")) under = drawers.getBoundingClientRect().bottom - bottom;
      // The room that the chart has on an unscrolled page, or in its pane if the page is one screen.
      const inPane = getComputedStyle(pane).position === "sticky";
      const room = inPane ? pane.getBoundingClientRect().top - pane.scrollTop + pane.clientHeight - top - under - 12 : innerHeight - scrollY - top - 16;
      if (!waits.value) box.style.setProperty("--room", !inPane && room < 120 ? "" : `${room}px`);
      width.value = box.clientWidth;
      height.value = Math.round(Number.parseFloat(getComputedStyle(box).minHeight));
    });
  effect(measureBox);
  const resized = new ResizeObserver(measureBox);
  for (const part of [box, pane, at("cut", HTMLElement), at("prior", HTMLElement)]) resized.observe(part);
  addEventListener("resize", measureBox);
  playground.ends.add(() => removeEventListener("resize", measureBox));
  const empty = at("empty", HTMLElement);
  const put = (content: Element): void => {
    delete box.dataset["still"];
    empty.hidden = false;
    box.replaceChildren(content);
  };
  /** The last figure that was asked for, the figure that is shown, and whether the engine is drawing. */
  let wanted: { readonly figure: string; readonly picture: Picture; readonly high: number } | undefined;
  let drawn = "";
  let drawing = false;
  /** Clearing the chart cancels the figures that were asked for before. */
  const cleared = new Latest();
  const clear = (): void => {
    cleared.next();
    drawn = "";
    chart.value = undefined;
    put(empty);
  };
  const drawWanted = async (): Promise<void> => {
    if (drawing) return;
    drawing = true;
    try {
      for (let next = wanted; next && next.figure !== drawn; next = wanted) {
        const { figure, picture, high } = next;
        const show = (made: Chart | undefined): void => {
          drawn = figure;
          put(made?.element ?? empty);
          if (performance.getEntriesByName("chart").length === 0) performance.mark("chart");
          chart.value = made;
        };
        if (picture.lines.length === 0) {
          show(undefined);
          empty.textContent = "Every curve is hidden: tick a box below.";
          continue;
        }
        box.ariaBusy = "true";
        const [begun, before] = [performance.now(), cleared.signal];
        const document = await draw(figure);
        main.took(performance.now() - begun);
        if (wanted && wanted.high !== high) continue; // this one would be cut off or leave a gap
        if (!before.aborted) show(picture.dots?.chart(document) ?? new Chart(document, picture.lines));
      }
    } catch (error) {
      empty.textContent = "The chart could not be drawn.";
      app.failure.value = `The chart could not be drawn: ${detailOf(error)}`;
    } finally {
      box.ariaBusy = null;
      drawing = false;
    }
  };
  const slider = ["role", "tabindex", "aria-roledescription", "aria-label", "aria-valuemin", "aria-valuemax", "aria-valuenow", "aria-valuetext"];
  effect(() => {
    const loading = results.loading.value;
    const still = box.dataset["still"];
    const own = still !== undefined && still === figureName(app.preset.value);
    if (still !== undefined && !own) clear();
    if (!picture.value) {
      if (loading && own) return; // the page came with the figure's picture
      wanted = undefined;
      clear();
      for (const name of slider) box.removeAttribute(name);
      empty.textContent = loading
        ? ""
        : paired.value
          ? (pairing.value?.words.value ?? "") || noDifference
          : emptyWords(main.value, measure.value, results.running.value);
      empty.classList.toggle("waiting", loading);
      return;
    }
    box.role = "slider";
    box.tabIndex = 0;
    box.ariaRoleDescription = "chart";
    box.ariaLabel = `${measureOf(measure.value).noun}${paired.value ? ", difference" : ""} by episode${paired.value ? "" : ", by agent"}`;
    box.ariaValueMin = "1";
    box.ariaValueMax = String(picture.value.episodes);
    if (width.value === 0 || (own && waits.value)) return; // the picture that the page came with stays for now
    const figure = figureOf(picture.value, { width: width.value, height: height.value, type: 13, theme: "page", inline: true });
    wanted = { picture: picture.value, figure, high: height.value };
    untracked(() => void drawWanted());
  });

  // The read-out

  const body = at("readout", HTMLTableElement);
  effect(() => {
    const last = Math.max(1, ...curves.value.map(({ episodes }) => episodes.at(-1) ?? 1));
    const episode = pointed.value ?? last;
    chart.value?.point(pointed.value, held.value);
    body.hidden = picture.value === undefined;
    const hide = (label: string, on: boolean): void => {
      const now = app.view.value.hidden ?? [];
      const labels = on ? [...now, label] : now.filter((other) => other !== label);
      app.look({ hidden: labels.length === 0 ? undefined : labels });
    };
    render(readout(columns.value, hidden.value, hide, episode, number.value), body);
    if (!picture.value) return;
    box.ariaValueNow = String(episode);
    const run = chart.value?.runsAt(episode).find(({ agent, run }) => agent === held.value?.agent && run === held.value.run);
    box.ariaValueText =
      (run ? `${styleOf(run.agent).name}, run ${run.run}: ${run.words ?? number.value(run.value)}. ` : "") +
      spoken(columns.value, hidden.value, episode, number.value);
  });
  /** The episodes that the keys step through: those of the longest curve of the main result. */
  const steps = (): Float64Array => {
    const { curves = [] } = columns.value.find((column) => column.curves.length > 0) ?? {};
    const [first, ...others] = curves.map(({ episodes }) => episodes);
    return others.reduce((longest, list) => (list.length > longest.length ? list : longest), first ?? new Float64Array());
  };
  const snapped = (episode: number): number => {
    const list = Array.from(steps());
    const after = list.find((e) => e >= episode) ?? list.at(-1) ?? 1;
    const before = list.findLast((e) => e <= episode) ?? after;
    return episode - before < after - episode ? before : after;
  };
  const follow = (event: PointerEvent): void => {
    if (!chart.value) return;
    const { dotted } = chart.value;
    const whose = chart.value.whoseAt(event.clientX, event.clientY);
    batch(() => {
      held.value = whose?.run === undefined ? undefined : whose;
      pointed.value = dotted ? whose?.episode : snapped(chart.value!.episodeAt(event.clientX));
    });
  };
  /** Watches an episode. If the line of a single run was chosen, it is that run's, provided the stage would show the same run. */
  const watch = (episode: number, whose: Whose | undefined): void => {
    if (whose?.run !== undefined && !spread.value?.watchable(whose.run)) return;
    playground.watching.watch(episode, whose?.agent, whose?.run);
    const stage = at("watch", HTMLElement);
    if (stage.getBoundingClientRect().bottom < 64) stage.scrollIntoView({ behavior: calm.matches ? "auto" : "smooth" }); // on a narrow page it may be far above
  };
  let focused = false;
  box.addEventListener("pointermove", follow);
  box.addEventListener("pointerdown", follow);
  box.addEventListener("pointerleave", () => {
    if (!focused) pointed.value = held.value = undefined;
  });
  box.addEventListener("focus", () => (focused = true));
  box.addEventListener("blur", () => {
    focused = false;
    pointed.value = held.value = undefined;
  });
  box.addEventListener("keydown", (event) => {
    if (!chart.value || event.ctrlKey || event.altKey || event.metaKey) return;
    const list = steps();
    const now = pointed.value === undefined ? list.length : list.findIndex((episode) => episode >= pointed.value!);
    const to = ledTo(event, now, list.length);
    const { dotted } = chart.value;
    const runs = chart.value.runsAt(pointed.value ?? list.at(-1) ?? 1);
    const forward = event.key === "ArrowDown" || (dotted && event.key === "ArrowRight");
    const back = event.key === "ArrowUp" || (dotted && event.key === "ArrowLeft");
    if (event.key === "Escape") pointed.value = held.value = undefined;
    else if (event.key === "Enter" && playground.shows("stage")) watch(pointed.value ?? list.at(-1) ?? 1, held.value);
    else if (runs.length > 0 && (forward || back)) {
      const place = runs.findIndex(({ agent, run }) => agent === held.value?.agent && run === held.value.run);
      const next = forward ? place + 1 : place < 0 ? runs.length - 1 : place - 1;
      batch(() => {
        held.value = runs[Math.min(runs.length - 1, Math.max(0, next))];
        pointed.value = held.value?.episode ?? pointed.value ?? list.at(-1) ?? 1;
      });
    } else if (!dotted && to !== undefined) pointed.value = list[to];
    else return;
    event.preventDefault();
  });

  // Watching an episode

  if (playground.shows("stage")) {
    const hint = at("chart-hint", HTMLElement);
    const usual = hint.textContent;
    hint.hidden = false;
    effect(() => void (hint.textContent = chart.value?.hint ?? usual));
    const own = computed(() => main.value?.spec.domain.name === app.spec.value.domain.name);
    box.addEventListener("click", ({ clientX, clientY }) => {
      if (!chart.value) return;
      const whose = own.value ? chart.value.whoseAt(clientX, clientY) : undefined;
      if (whose || !chart.value.dotted) watch(whose?.episode ?? chart.value.episodeAt(clientX), whose);
    });
    const map = at("heat", HTMLDetailsElement);
    map.hidden = false;
    const open = signal(false);
    const wantMap = once(
      () => styled(map, "heat.css").then(() => import("./heat")),
      (made) => made.heat(playground, chart, own, open, at("heat-body", HTMLElement)),
    );
    map.addEventListener("toggle", () => {
      open.value = map.open;
      wantMap();
    });
    const wantCursor = once(
      () => import("./cursor"),
      (made) => made.cursor(playground, chart, own, box),
    );
    const watches = computed(() => app.view.value.watched !== undefined);
    effect(() => {
      if (watches.value) wantCursor();
    });
  }

  // The words around the chart

  effect(() => {
    const of = main.value;
    at("experiment-title", HTMLElement).textContent = of?.title ?? app.title.value.title;
    say(root, "question", app.unchanged.value ? app.preset.value.question : "");
    // If the settings were changed, the source replaces the question; otherwise it is with the numbers.
    at(app.unchanged.value ? "about" : "measured", HTMLElement).before(at("source", HTMLElement));
    say(root, "source", of ? typeset(sourceWords(of, app.spec.value, results.running.value, results.figure.value)) : "");
    const said = paired.value ? curves.value[0]?.conclusion : of?.conclusions[measure.value];
    say(root, "conclusion", typeset(said ?? ""));
    const why = hosted && said && !paired.value && measure.value === measures[0]!.key ? question(curves.value) : "";
    at("why", HTMLElement).hidden = why === "";
    render(
      why === ""
        ? nothing
        : html`<a href="${site}docs/#why-c-psrl-can-beat-the-agent-that-knows-the-true-graph" target="_blank" rel="noopener">${typeset(why)}</a>`,
      at("why", HTMLElement),
    );
    const fingerprint = of?.source === "figure" ? undefined : of?.fingerprint;
    at("fingerprint-row", HTMLElement).hidden = fingerprint === undefined;
    at("fingerprint", HTMLElement).textContent = fingerprint ?? "";
  });
  effect(() => {
    const reading = caption.value && picture.value?.dots?.of !== "learned" && measureOf(measure.value).reading;
    say(root, "caption", [caption.value, reading].filter(Boolean).join(" "));
  });
  effect(() => say(root, "cut", chart.value?.hidden ?? ""));
  at("engine", HTMLElement).textContent = `version ${catalogue.engine}`;
  // The words about the numbers are unfolded. Where the page is one screen, they are unfolded only if there is room for them.
  const about = at("about", HTMLDetailsElement);
  const panels = at("panels", HTMLElement);
  about.open ||= getComputedStyle(panels).overflowY !== "auto";
  const unfold = effect(() => {
    if (!main.value) return;
    if (!about.open) {
      about.open = true;
      about.open = panels.scrollHeight <= panels.clientHeight;
    }
    queueMicrotask(() => unfold());
  });
  // The tables are loaded when the first of them is unfolded.
  const tables = signal<typeof import("./table") | undefined>(undefined);
  const unfolded = signal<ReadonlySet<string>>(new Set());
  for (const id of ["data", "discovery"]) {
    const details = at(id, HTMLDetailsElement);
    details.addEventListener("toggle", async () => {
      const others = [...unfolded.value].filter((other) => other !== id);
      unfolded.value = new Set(details.open ? [...others, id] : others);
      tables.value ??= await later(() => import("./table"));
    });
  }
  effect(() => {
    const reports = main.value?.discovery ?? [];
    const [data, discovery] = [curves.value.length > 0, reports.length > 0];
    at("data", HTMLElement).hidden = !data;
    at("discovery", HTMLElement).hidden = !discovery;
    const made = tables.value;
    if (!made) return;
    if (data && unfolded.value.has("data"))
      render(picture.value?.dots?.table() ?? made.table(measureOf(measure.value).noun, curves.value, number.value), at("table", HTMLElement));
    if (!discovery || !unfolded.value.has("discovery")) return;
    at("discovery-words", HTMLElement).textContent = made.discoveryWords(reports);
    render(made.discoveryTable(reports), at("discovery-table", HTMLElement));
  });

  // The menus and buttons of the view

  const menu = at("measure", HTMLSelectElement);
  menu.append(...measures.map(({ key, noun }) => new Option(noun, key)));
  menu.addEventListener("change", () => app.look({ measure: menu.value === measures[0]!.key ? undefined : menu.value }));
  const bands = at("band", HTMLSelectElement);
  bands.addEventListener("change", () => app.look({ band: bands.value === "interval" ? undefined : (bands.value as View["band"]) }));
  effect(() => void (bands.value = app.view.value.band ?? "interval"));
  const toggles = { logX: at("log-x", HTMLButtonElement), logY: at("log-y", HTMLButtonElement), paired: at("difference", HTMLButtonElement) };
  for (const [name, button] of Object.entries(toggles)) {
    button.addEventListener("click", () => app.look({ [name]: !app.view.value[name as keyof typeof toggles] }));
    effect(() => void (button.ariaPressed = String(app.view.value[name as keyof typeof toggles] === true)));
  }
  effect(() => {
    menu.value = measure.value;
    toggles.logX.hidden = toggles.logY.hidden = picture.value === undefined;
    toggles.logY.disabled = paired.value; // a difference may be negative
    toggles.paired.hidden = pair.value === undefined;
    if (pair.value) toggles.paired.textContent = typeset(nameOfPair(pair.value));
  });

  // Pins, export, files

  const pin = at("pin", HTMLButtonElement);
  const exporting = at("export", HTMLButtonElement);
  const upload = at("upload", HTMLButtonElement);
  const file = at("upload-file", HTMLInputElement);
  effect(() => {
    const of = main.value;
    const kept = of && results.markOf(of);
    pin.disabled = !of || results.running.value || of.runs === 0 || (!kept && results.full);
    pin.textContent = kept ? `Unpin ${kept}` : results.full ? "4 pins at most" : "Pin";
    exporting.disabled = !of || of.curves.length === 0;
    upload.disabled = results.running.value;
  });
  const pins = at("pins", HTMLElement);
  const remove = (mark: string): void => {
    results.remove(mark);
    (pin.disabled ? box : pin).focus();
  };
  effect(() => {
    const ghosts = results.ghosts.value;
    const current = main.value && !results.markOf(main.value) ? main.value.spec : app.spec.value;
    pins.hidden = ghosts.length === 0;
    render(
      ghosts.map(({ mark, result }) => {
        const ref = mark === "ref";
        const words = origin(result);
        return html`<li><b>${mark}</b><span>${typeset(`${words.charAt(0).toUpperCase()}${words.slice(1)}. ${comparison(result, current)}`)}</span><button type="button" aria-label=${ref ? "Hide the precomputed lines" : `Unpin ${mark}`} @click=${() => remove(mark)}>${ref ? "Hide" : "Unpin"}</button></li>`;
      }),
      pins,
    );
  });
  pin.addEventListener("click", () => {
    const kept = main.value && results.markOf(main.value);
    if (kept) results.remove(kept);
    else results.pin();
  });
  exporting.addEventListener("click", async () => {
    const result = results.main.value;
    if (!result || !picture.value) return;
    const exported: Exported = {
      result,
      running: results.running.value,
      ghosts: results.ghosts.value.map(({ mark, result: ghost }) => `${mark}: ${origin(ghost)}. ${comparison(ghost, result.spec)}`),
      picture: picture.value,
      caption: caption.value,
      pair: pair.value,
    };
    await (await later(() => import("../../dialogs/export")))?.openExport(root, exported);
  });
  upload.addEventListener("click", () => file.click());
  file.addEventListener("change", () => {
    const [chosen] = file.files ?? [];
    file.value = "";
    if (chosen) void results.read(chosen);
  });
  takeDrops(
    at("experiment", HTMLElement),
    (dropped) => void results.read(dropped),
    () => results.running.value,
  );
}

/** A signal that follows another one: at once, or while busy only as often as leaves time to compute. */
function paced<T>(source: { readonly value: T }, busy: () => boolean) {
  const shown = signal(source.value);
  /** How long the last picture took to draw, in milliseconds. */
  let cost = 0;
  let last = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const take = (): void => {
    clearTimeout(timer);
    timer = undefined;
    last = performance.now();
    shown.value = source.value;
  };
  let wasBusy = false;
  effect(() => {
    void source.value;
    const now = busy();
    untracked(() => {
      const wait = now && wasBusy ? last + Math.max(calm.matches ? calmPace : pace, share * cost) - performance.now() : 0;
      wasBusy = now;
      if (!now || (wait <= 0 && !timer)) take();
      else timer ??= setTimeout(() => requestAnimationFrame(take), Math.max(0, wait));
    });
  });
  return {
    get value(): T {
      return shown.value;
    },
    /** Notes how long a picture took to draw. */
    took: (milliseconds: number): void => void (cost = milliseconds),
  };
}
