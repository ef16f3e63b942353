// The line above the chart after an edit, during a run and after it: what was changed, and what that costs.
// Loaded with the first edit or run.

import { computed, type ReadonlySignal } from "@preact/signals-core";
import { standardOf, styleOf } from "../../agents";
import type { About, Spec } from "../../formats";
import { said } from "../../state/arms";
import { alike, differences, listed, priorWords } from "../../state/differences";
import { brief, edgesOf } from "../../state/edges";
import { knownOf } from "../../state/history";
import type { Playground } from "../../state/playground";
import type { Result } from "../../state/results";
import { fieldsOf } from "../../state/spec";
import type { Compared } from "./compared";
import { costs, paid, short, verbOf } from "./words";

/** The line: what it is about, and what there is to say. */
export interface Said {
  readonly head: string;
  readonly body: string;
}

/** So many edges are named. */
const most = 2;

/** What a spec changes in the edges of another, such as "without row → col′"; "" if nothing. */
function edges(spec: Spec, base: Spec, about: About | undefined): string {
  const [now, before] = [knownOf(spec), knownOf(base)];
  if (JSON.stringify(now) === JSON.stringify(before)) return "";
  const whole = [now, before].some((of) => of && ("trust" in of || "false" in of));
  if (!about || whole) return `with ${priorWords(now ?? {})}`;
  const [mine, theirs] = [now, before].map((of) => new Map(edgesOf(of, about).map(([from, to, p = 1]) => [`${from} → ${to}′`, p]))) as [
    Map<string, number>,
    Map<string, number>,
  ];
  const more = [...mine].filter(([edge, p]) => theirs.get(edge) !== p).map(([edge, p]) => edge + (p === 1 ? "" : p === 0 ? " forbidden" : ` at ${brief(p)}`));
  const less = [...theirs.keys()].filter((edge) => !mine.has(edge));
  if (more.length + less.length === 0) return "";
  if (mine.size === 0) return "without any edge";
  if (more.length + less.length > most) return `with ${mine.size} edges instead of ${theirs.size}`;
  return listed([...(more.length > 0 ? [`with ${listed(more)}`] : []), ...(less.length > 0 ? [`without ${listed(less)}`] : [])]);
}

/** What a spec changes in another, such as "Without move → row′". About: what the engine says of the problem of both. */
export function edit(spec: Spec, base: Spec, about: About | undefined): string {
  const fields =
    spec.domain.name === base.domain.name
      ? fieldsOf(spec).flatMap((field) => (field.pointer.startsWith("/prior/") || said(spec, field) === said(base, field) ? [] : [said(spec, field)]))
      : ["another problem"];
  const parts = [edges(spec, base, about), fields.length > 0 ? `with ${listed(fields)}` : ""].filter(Boolean);
  const words = parts.join(", ") || "with other agents";
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function line(
  { app, comparison, preview }: Playground,
  main: { readonly value: Result | undefined },
  compared: ReadonlySignal<Compared | undefined>,
): ReadonlySignal<Said | undefined> {
  const editOf = (spec: Spec, base: Spec): string => edit(spec, base, app.about.value);
  /** How far the run has come that is played anew. */
  const played = (spec: Spec): string => {
    const { agents, firstRun = 0 } = spec;
    const { watched } = app.view.value;
    const run = `run ${watched?.run ?? firstRun}`;
    const of = preview.result.value;
    const [label = standardOf(agents)] = of?.spec.agents ?? [];
    const now = of && paid(of, label);
    if (preview.failure.value) return `${run} cannot be played: ${preview.failure.value}`;
    const asks = preview.asks.value;
    if (!now) return asks === undefined ? `playing ${run} …` : `one episode of ${run} takes long.`;
    if (asks !== undefined) return `${run} was played as far as episode ${now.episode}: ${short(now.mean)} so far.`;
    if (now.episode < spec.episodes) return `playing ${run}, episode ${now.episode} of ${spec.episodes}: ${short(now.mean)} so far.`;
    const before = main.value?.spec.episodes === spec.episodes && main.value.runs > 1 ? paid(main.value, label) : undefined;
    return `${run} ${verbOf(of)} ${short(now.mean)}.${before ? ` The mean was ${short(before.mean)}.` : ""}`;
  };
  return computed(() => {
    const [of, spec] = [main.value, app.spec.value];
    if (!of) return preview.subject.value ? { head: app.title.value.title, body: played(spec) } : undefined;
    if (comparison.running.value) {
      const rival = comparison.beside.value.at(-1)?.result.spec ?? app.preset.value.spec;
      const label = standardOf(of.spec.agents);
      const now = paid(of, label);
      const far = now ? `${styleOf(label).name} ${short(now.mean)} so far.` : "the first episodes are on their way.";
      const goesOn = alike(of.spec, spec) ? "" : " It goes on as it began.";
      return { head: alike(of.spec, rival) ? of.title : editOf(of.spec, rival), body: far + goesOn };
    }
    if (!alike(of.spec, spec)) {
      const head = of.source === "file" ? of.title : editOf(spec, of.spec);
      if (preview.subject.value && of.source !== "file") return { head, body: played(spec) };
      if (app.checked.value?.told === false && edges(spec, of.spec, app.about.value)) return { head, body: "no agent of this experiment uses these edges." };
      const list = differences(of.spec, spec).map((words) => words.replace(/ instead of .*/, ""));
      return { head, body: list.length > 0 ? `the curves are of ${listed(list)}.` : costs(of) };
    }
    const told = compared.value;
    return told ? { head: editOf(spec, told.base), body: told.words } : undefined;
  });
}
