// What the chart shows: the results, the measure, the lines that are drawn, and what is
// pointed at. The other modules of this part draw it or change the app's view.

import { computed, effect, type ReadonlySignal, signal } from "@preact/signals-core";
import { byId } from "../../dom";
import { once } from "../../lost";
import type { Playground } from "../../state/playground";
import { usual } from "../../state/measures";
import { isOf, pairOf } from "../../state/pairs";
import { apart, sameLine } from "../../state/arms";
import { sameProblem } from "../../state/differences";
import { suits } from "../../state/foreign";
import { byMeasure, type Curve, numberFormat, precomputed, type Result } from "../../state/results";
import { isTold, styleOf } from "../../agents";
import type { Chart, Line, Picture, Whose } from "./chart";
import { paced } from "./pace";
import type { Said } from "./line";
import type { Pairing } from "./pair";
import { type Column, rowOf } from "./readout";
import type { Spreading } from "./spread";
import { captionOf, columnTitle } from "./words";

/** The name of the run that is played anew after an edit, and of what was there before it. */
const now = "now";
const old = "old";

/** The word on the chart for a result that stands beside the main one: its letter, or that it was there before. */
export const tagOf = (mark: string): string => (mark === precomputed ? old : mark);

export type Picked = { readonly episode: number; readonly whose?: Whose | undefined };

export type Showing = ReturnType<typeof showing>;

export function showing(playground: Playground) {
  const { root, app, comparison: results, preview } = playground;
  const toolbar = byId(root, "toolbar", HTMLElement);

  /** The main result. During a run it changes only as often as the chart is drawn. */
  const main = paced(results.main, () => results.running.value);
  const measure = computed(() => app.view.value.measure ?? usual(main.value ?? app.checked.value?.header).key);
  /** The two lines whose difference can be shown. */
  const chosen = computed(() => app.view.value.pair);
  const pair = computed(() => main.value && pairOf(main.value, results.kept.value, chosen.value));
  const paired = computed(() => app.view.value.paired === true && pair.value !== undefined);
  /** The module for differences, once one is wanted. */
  const pairing = signal<Pairing | undefined>(undefined);
  const wantPairing = once(
    () => import("./pair"),
    (made) => void (pairing.value = made.pairing(playground, main, paired, toolbar)),
  );
  effect(() => {
    if (paired.value) wantPairing();
  });
  /** The module for single runs, once they are wanted. */
  const spread = signal<Spreading | undefined>(undefined);
  const wantSpread = once(
    () => import("./spread"),
    (made) => void (spread.value = made.spreading(playground, main, measure, paired, toolbar)),
  );
  const band = computed(() => app.view.value.band);
  effect(() => {
    if (band.value) wantSpread();
  });
  /** Whether the settings are those of a preset that was not run here: then the line above the chart has its question and answer. */
  const rests = computed(() => app.unchanged.value && main.value?.source === "figure");
  /** The module for the line in all other cases. */
  const line = signal<ReadonlySignal<Said | undefined> | undefined>(undefined);
  const wantLine = once(
    () => Promise.all([import("./line"), import("./compared")]),
    ([made, { compared }]) => void (line.value = made.line(playground, main, compared(playground, main))),
  );
  effect(() => {
    if (!rests.value && (app.checked.value || results.running.value)) wantLine();
  });
  const said = computed(() => (rests.value ? undefined : line.value?.value));
  /** Whether that module is still to come. */
  const speechless = computed(() => !rests.value && line.value === undefined);
  const differencesOf = (result: Result): readonly Curve[] => pairing.value?.of(result) ?? result.differences.filter((curve) => isOf(curve, pair.value!));
  /** What tells a kept result from the main one, and the main one from it. */
  const told = (result: Result): readonly [string, string] => (main.value ? apart(result.spec, main.value.spec) : ["", ""]);
  /** What tells the present settings from the main result, and the main result from them. */
  const edited = computed(() => (main.value ? apart(app.spec.value, main.value.spec) : (["", ""] as const)));
  /** The files of other programs that are of this problem. */
  const foreign = computed(() => results.foreign.value.filter((of) => suits(of, main.value?.spec ?? app.spec.value)));
  /** Their curves. They have no difference and no dots, because they do not meet the same true models. */
  const foreigners = computed(() => {
    const medians = band.value === "quantiles" && main.value && spread.value?.curves(main.value) !== undefined;
    return paired.value
      ? []
      : byMeasure(
          foreign.value.flatMap((of) => (medians ? of.medians : of.curves)),
          measure.value,
        );
  });
  /** The run that is played anew. */
  const anew = computed(() => (paired.value || band.value ? undefined : preview.beside.value));
  /** What else stands beside the main result. While a run is played anew, that is not the precomputed figure. */
  const besides = (run: Result | undefined) => results.beside.value.filter(({ mark }) => mark !== precomputed || !run);
  /** What is shown, with a run that is played anew or without one. */
  const columnsOf = (run: Result | undefined): readonly Column[] => {
    const beside = besides(run);
    const curvesOf = (result: Result) =>
      (!paired.value && spread.value?.curves(result)) || byMeasure(paired.value ? differencesOf(result) : result.curves, measure.value);
    const of = main.value;
    const [played, shown] = run ? edited.value : ["", ""];
    const rival = beside.find(({ result }) => told(result)[1]);
    const words = paired.value ? "" : shown || (rival && told(rival.result)[1]) || "";
    const runs = of ? columnTitle(of, results.running.value) : "";
    const mine = words ? `${words}, ${runs.charAt(0).toLowerCase()}${runs.slice(1)}` : runs;
    return [
      ...(of || foreigners.value.length > 0
        ? [
            {
              mark: "",
              tag: of && (results.markOf(of) ?? (run ? old : "")),
              title: mine || "Other programs",
              curves: [...(of ? curvesOf(of) : []), ...foreigners.value],
            },
          ]
        : []),
      ...(run && run.curves.length > 0
        ? [{ mark: now, tag: now, title: [played, `run ${run.spec.firstRun ?? 0}`].filter(Boolean).join(", "), curves: byMeasure(run.curves, measure.value) }]
        : []),
      ...beside
        .map(({ mark, result }) => ({ mark, tag: tagOf(mark), title: told(result)[0] || columnTitle(result, false), curves: curvesOf(result), result }))
        .filter(({ curves }) => !paired.value || curves.length > 0),
    ];
  };
  const columns = computed(() => columnsOf(anew.value));
  const curves = computed(() => (columns.value[0]?.curves ?? []).filter((curve) => curve.foreign === undefined));
  const number = computed(() => numberFormat(columns.value.find(({ curves }) => curves.length > 0)?.curves ?? []));
  // Members of the view by themselves, because a stage that plays makes another view at each moment.
  const hiding = computed(() => app.view.value.hidden);
  const hidden = computed(() => new Set(hiding.value));
  const logX = computed(() => app.view.value.logX ?? false);
  const logY = computed(() => app.view.value.logY ?? false);
  /** How a curve of a column is drawn: not at all if the main result has the same line. */
  function lineOf(mark: string, curve: Curve, result: Result | undefined, run: Result | undefined): readonly Line[] {
    const of = main.value;
    if (curve.foreign !== undefined || !of) return [{ curve, mark }];
    if (mark === now) return [{ curve: { ...curve, name: `${styleOf(curve.agent).name}, ${now}` }, mark: "", bare: true }];
    const letter = results.markOf(of);
    if (mark === "" && run?.spec.agents.includes(curve.agent)) return [{ curve, mark: letter ?? old }];
    if (mark === "") return [{ curve, mark }, ...(letter && curve.base === undefined && isTold(curve.agent) ? [{ curve, mark: letter }] : [])];
    if (result && curve.base === undefined && !band.value && !results.running.value && sameLine(result.spec, of.spec, curve.agent)) return [];
    return [{ curve, mark: tagOf(mark) }];
  }
  const pictureOf = (columns: readonly Column[], run: Result | undefined): Picture | undefined => {
    if (columns.every(({ curves }) => curves.length === 0)) return undefined;
    const lines = columns.flatMap(({ mark, curves, result }) =>
      curves.filter((curve) => !hidden.value.has(rowOf(curve))).flatMap((curve) => lineOf(mark, curve, result, run)),
    );
    // All results and the run that is played anew; where there are none, the curves of other programs.
    const asked = [main.value, run, ...results.kept.value.map(({ result }) => result)].flatMap((result) => result?.spec.episodes ?? []);
    const episodes = Math.max(1, ...(asked.length > 0 ? asked : lines.map(({ curve }) => curve.mean.length)));
    const dots = spread.value?.dots(hidden.value);
    const agents = [...new Set([main.value, ...besides(run).map(({ result }) => result)].flatMap((result) => result?.spec.agents ?? []))];
    return {
      measure: measure.value,
      agents,
      others: foreign.value.flatMap(({ labels }) => labels.map(({ label }) => label)),
      lines: spread.value?.dress(lines, hidden.value) ?? lines,
      episodes,
      logX: logX.value,
      logY: logY.value && !paired.value,
      dots,
    };
  };
  const picture = computed(() => pictureOf(columns.value, anew.value));
  /** The picture without the run that is played anew, which no caption and no link of the results is about. */
  const settled = computed(() => pictureOf(columnsOf(undefined), undefined));
  /** The episode that is pointed at. */
  const pointed = signal<number | undefined>(undefined);
  /** The episode that a click or the keys have chosen, and perhaps whose line or dot. */
  const picked = signal<Picked | undefined>(undefined);
  /** Whether what is shown is of the problem of the settings. */
  const own = computed(() => main.value !== undefined && sameProblem(main.value.spec, app.spec.value));
  /** The run that is pointed at. */
  const held = signal<Whose | undefined>(undefined);
  const caption = computed(() => {
    const count = curves.value.length;
    const words = main.value && count > 0 ? (spread.value?.caption(count) ?? captionOf(main.value, measure.value, count, paired.value)) : "";
    return [words, ...(foreigners.value.length > 0 && words && !spread.value?.dots(hidden.value) ? foreign.value.map(({ about }) => about) : [])]
      .filter(Boolean)
      .join(" ");
  });
  /** The chart, once it is drawn. */
  const chart = signal<Chart | undefined>(undefined);
  return {
    foreign,
    foreigners,
    main,
    measure,
    pair,
    paired,
    pairing,
    spread,
    columns,
    curves,
    number,
    hidden,
    picture,
    settled,
    pointed,
    picked,
    own,
    held,
    caption,
    chart,
    rests,
    said,
    speechless,
  };
}
