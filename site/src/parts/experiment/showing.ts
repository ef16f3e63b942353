// What the chart shows: the results, the measure, the lines that are drawn, and what is
// pointed at. The other modules of this part draw it or change the app's view.

import { computed, effect, type ReadonlySignal, signal } from "@preact/signals-core";
import { byId } from "../../dom";
import { once } from "../../lost";
import type { Playground } from "../../state/playground";
import { measures } from "../../state/measures";
import { isOf, pairOf } from "../../state/pairs";
import { apart, onlySizes, sameLine } from "../../state/arms";
import { suits } from "../../state/foreign";
import { byMeasure, type Curve, numberFormat, precomputed, type Result } from "../../state/results";
import { styleOf } from "../../agents";
import type { Chart, Line, Picture, Whose } from "./chart";
import { paced } from "./pace";
import type { Pairing } from "./pair";
import { type Column, rowOf } from "./readout";
import type { Spreading } from "./spread";
import { captionOf, columnTitle } from "./words";

/** The mark of the run that is played anew after an edit. */
const now = "now";

/** Of so many results beside the main one the lines have names. */
const mostNamed = 2;

export type Picked = { readonly episode: number; readonly whose?: Whose | undefined };

export type Showing = ReturnType<typeof showing>;

export function showing(playground: Playground) {
  const { root, app, comparison: results, preview } = playground;
  const toolbar = byId(root, "toolbar", HTMLElement);

  /** The main result. During a run it changes only as often as the chart is drawn. */
  const main = paced(results.main, () => results.running.value);
  const measure = computed(() => app.view.value.measure ?? measures[0]!.key);
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
  /** Which of two lines pays more, the shown one or the one that was kept; "" if no two can be compared. */
  const comparing = signal<ReadonlySignal<string> | undefined>(undefined);
  const wantComparing = once(
    () => import("./compared"),
    (made) => void (comparing.value = made.compared(playground, main)),
  );
  effect(() => {
    if (main.value?.source !== "figure" && results.beside.value.length > 0) wantComparing();
  });
  const verdict = computed(() => comparing.value?.value ?? "");
  const differencesOf = (result: Result): readonly Curve[] => pairing.value?.of(result) ?? result.differences.filter((curve) => isOf(curve, pair.value!));
  /** Whether so few results are beside the main one that their lines have names and looks of their own. Otherwise they are thin, with letters. */
  const named = computed(() => !paired.value && !band.value && results.beside.value.length <= mostNamed);
  /** Whether a result stands behind the main one as it is: a precomputed figure of the same experiment in other sizes. */
  const faint = (mark: string, { spec }: Result): boolean => mark === precomputed && main.value !== undefined && onlySizes(spec, main.value.spec);
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
  const columns = computed<readonly Column[]>(() => {
    const curvesOf = (result: Result) =>
      (!paired.value && spread.value?.curves(result)) || byMeasure(paired.value ? differencesOf(result) : result.curves, measure.value);
    const of = main.value;
    const run = paired.value || band.value ? undefined : preview.beside.value;
    const rival = named.value ? results.beside.value.find(({ mark, result }) => !faint(mark, result)) : undefined;
    const [played, shown] = run && named.value ? edited.value : ["", ""];
    const words = shown || (rival && told(rival.result)[1]) || "";
    const runs = of ? columnTitle(of, results.running.value) : "";
    const mine = words ? `${words}, ${runs.charAt(0).toLowerCase()}${runs.slice(1)}` : runs;
    return [
      ...(of || foreigners.value.length > 0 ? [{ mark: "", title: mine || "Other programs", curves: [...(of ? curvesOf(of) : []), ...foreigners.value] }] : []),
      ...(run && run.curves.length > 0
        ? [{ mark: now, title: `${played || "now"}, run ${run.spec.firstRun ?? 0}`, curves: byMeasure(run.curves, measure.value) }]
        : []),
      ...results.beside.value
        .map(({ mark, result }) => ({ mark, title: (named.value && !faint(mark, result) && told(result)[0]) || mark, curves: curvesOf(result), result }))
        .filter(({ curves }) => !paired.value || curves.length > 0),
    ];
  });
  const curves = computed(() => (columns.value[0]?.curves ?? []).filter((curve) => curve.foreign === undefined));
  const number = computed(() => numberFormat(columns.value.find(({ curves }) => curves.length > 0)?.curves ?? []));
  // Members of the view by themselves, because a stage that plays makes another view at each moment.
  const hiding = computed(() => app.view.value.hidden);
  const hidden = computed(() => new Set(hiding.value));
  const logX = computed(() => app.view.value.logX ?? false);
  const logY = computed(() => app.view.value.logY ?? false);
  /** How a curve of a column is drawn: not at all if the main result has the same line. */
  function lineOf(mark: string, curve: Curve, result: Result | undefined): readonly Line[] {
    if (curve.foreign !== undefined) return [{ curve, mark }];
    const { name } = styleOf(curve.agent);
    const [played, shown] = edited.value;
    if (mark === now) return [{ curve: { ...curve, name: played ? `${name}, ${played}` : `${name} now` }, mark: "", apart: true, bare: true }];
    const of = main.value;
    if (!named.value || !of || curve.base !== undefined) return [{ curve, mark }];
    if (mark === "") {
      const rival = results.beside.value.find(
        ({ mark, result: kept }) => !faint(mark, kept) && told(kept)[1] && kept.spec.agents.includes(curve.agent) && !sameLine(kept.spec, of.spec, curve.agent),
      );
      const words = preview.beside.value?.spec.agents.includes(curve.agent) ? shown : rival && told(rival.result)[1];
      return [{ curve: words ? { ...curve, name: `${name}, ${words}` } : curve, mark }];
    }
    if (!result || faint(mark, result)) return [{ curve, mark }];
    const same = sameLine(result.spec, of.spec, curve.agent);
    if (same && !results.running.value) return [];
    const [words] = told(result);
    return words && !same ? [{ curve: { ...curve, name: `${name}, ${words}` }, mark: "", apart: true, bare: true }] : [{ curve, mark }];
  }
  const picture = computed<Picture | undefined>(() => {
    if (columns.value.every(({ curves }) => curves.length === 0)) return undefined;
    const lines = columns.value.flatMap(({ mark, curves, result }) =>
      curves.filter((curve) => !hidden.value.has(rowOf(curve))).flatMap((curve) => lineOf(mark, curve, result)),
    );
    // All results and the run that is played anew; where there are none, the curves of other programs.
    const asked = [main.value, preview.beside.value, ...results.kept.value.map(({ result }) => result)].flatMap((result) => result?.spec.episodes ?? []);
    const episodes = Math.max(1, ...(asked.length > 0 ? asked : lines.map(({ curve }) => curve.mean.length)));
    const dots = spread.value?.dots(hidden.value);
    const agents = [...new Set([main.value, ...results.beside.value.map(({ result }) => result)].flatMap((result) => result?.spec.agents ?? []))];
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
  });
  /** The episode that is pointed at. */
  const pointed = signal<number | undefined>(undefined);
  /** The episode that a click or the keys have chosen, and perhaps whose line or dot. */
  const picked = signal<Picked | undefined>(undefined);
  /** Whether what is shown belongs to the domain of the settings. */
  const own = computed(() => main.value?.spec.domain.name === app.spec.value.domain.name);
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
    pointed,
    picked,
    own,
    held,
    caption,
    chart,
    verdict,
  };
}
