// What can be done with results: keep them, export them, and open a file of them.

import { effect } from "@preact/signals-core";
import { html, nothing, render } from "lit-html";
import type { Exported } from "../../dialogs/export";
import { byId, typeset } from "../../dom";
import { later } from "../../lost";
import type { Playground } from "../../state/playground";
import { alike, problemOf, sameProblem } from "../../state/differences";
import { withValue } from "../../state/form";
import { precomputed, runsWords } from "../../state/results";
import { apart } from "../../state/arms";
import { type Showing, tagOf } from "./showing";
import { labelWords, suits } from "../../state/foreign";
import { comparison, origin } from "./origin";
import { columnTitle } from "./words";

/** How many runs a press adds. */
const step = 20;

const megabytes = new Intl.NumberFormat("en", { maximumSignificantDigits: 2 });

export function results(playground: Playground, showing: Showing, box: HTMLElement): void {
  const { root, app, comparison: all, runner } = playground;
  const { foreign, foreigners, main, pair, settled, caption } = showing;

  const keep = byId(root, "keep-result", HTMLButtonElement);
  const exporting = byId(root, "export", HTMLButtonElement);
  const upload = byId(root, "upload", HTMLButtonElement);
  const file = byId(root, "upload-file", HTMLInputElement);
  effect(() => {
    const of = main.value;
    const kept = of && all.markOf(of);
    keep.disabled = !of || all.running.value || of.runs === 0 || (!kept && all.full);
    keep.textContent = kept ? `Drop ${kept}` : all.full ? "4 kept at most" : `Keep as ${all.next}`;
    exporting.disabled = !of || !settled.value;
    upload.disabled = all.running.value;
  });
  const list = byId(root, "kept", HTMLElement);
  const remove = (mark: string): void => {
    all.remove(mark);
    (keep.disabled ? box : keep).focus();
  };
  effect(() => {
    const beside = all.beside.value;
    const own = all.kept.value.filter(({ result }) => result === all.main.value);
    const current = main.value && own.length === 0 ? main.value.spec : app.spec.value;
    const files = all.foreign.value;
    const drawn = foreigners.value.length > 0;
    const chip = (mark: string, words: string, more: string, label: string, drop: () => void) =>
      html`<li title=${more}>${mark ? html`<b>${mark}</b>` : nothing}<span>${typeset(words)}</span><span class="hidden">${typeset(more)}</span><button type="button" aria-label=${label} @click=${drop}>×</button></li>`;
    const forget = (file: (typeof files)[number]): void => {
      all.forget(file);
      upload.focus();
    };
    const others = files.map((file) => {
      const why = !suits(file, current)
        ? " They are of another problem and not drawn here."
        : drawn
          ? ""
          : " They are drawn as regret or return only, and not as a difference.";
      const words = `${file.name}: another program (${labelWords(file)}), not computed here.${why}`;
      return chip("", `${file.name}${why ? " (not drawn)" : ""}`, words, `Forget ${file.name}`, () => forget(file));
    });
    const kept = [...own, ...beside].toSorted((a, b) => a.mark.localeCompare(b.mark));
    list.hidden = kept.length + files.length === 0;
    render(
      [
        ...kept.map(({ mark, result }) => {
          const figure = mark === precomputed;
          const words = origin(result);
          const more = `${words.charAt(0).toUpperCase()}${words.slice(1)}. ${comparison(result, current)}`;
          const other = result === main.value ? (beside[0]?.result ?? all.figure.value) : main.value;
          const short = (other && apart(result.spec, other.spec)[0]) || columnTitle(result, false);
          return chip(tagOf(mark), short, more, figure ? "Hide the precomputed lines" : `Drop ${mark}`, () => remove(mark));
        }),
        ...others,
      ],
      list,
    );
  });
  keep.addEventListener("click", () => {
    const kept = main.value && all.markOf(main.value);
    if (kept) all.remove(kept);
    else all.keep();
  });
  const lasting = byId(root, "lasting", HTMLElement);
  effect(() => {
    const of = all.main.value;
    const own =
      playground.shows("controls") &&
      of?.source === "run" &&
      of.runs > 0 &&
      !all.running.value &&
      alike({ ...of.spec, runs: 1 }, { ...app.spec.value, runs: 1 });
    const asked = app.spec.value.runs;
    const rest = own && of.runs < asked;
    /** Whether there can be so many. */
    const more = own && !rest && asked + step <= (app.form.value.fields.find(({ pointer }) => pointer === "/runs")?.max ?? Infinity);
    const goOn = (): void => {
      if (more) app.edit(withValue(app.form.value, "/runs", String(asked + step)));
      void runner.begin(true);
    };
    const { experiments, bytes } = runner.stored.value?.held.value ?? { experiments: 0, bytes: 0 };
    const forget = (): void => {
      (keep.disabled ? box : keep).focus();
      void runner.forget();
    };
    lasting.hidden = !rest && !more && experiments === 0;
    render(
      [
        rest || more
          ? html`<li><span>${rest ? `${of.runs} of ${asked} runs are there.` : `${runsWords(of.runs)} are there; more are added to them.`}</span><button type="button" id="more-runs" @click=${goOn}>${rest ? "Go on" : `${step} more runs`}</button></li>`
          : nothing,
        experiments > 0
          ? html`<li><span>Kept in this browser, also after a reload: the whole runs of ${experiments === 1 ? "1 experiment" : `${experiments} experiments`}, ${megabytes.format(bytes / 1e6)} MB. The oldest go first.</span><button type="button" aria-label="Forget the runs kept in this browser" @click=${forget}>Forget</button></li>`
          : nothing,
      ],
      lasting,
    );
  });
  const exported = (): Exported | undefined => {
    const result = all.main.value;
    if (!result || !settled.value) return undefined;
    const own = sameProblem(result.spec, app.spec.value);
    return {
      result,
      ...(own ? {} : { of: problemOf(result.spec) }),
      heading: own ? app.view.value.heading : undefined,
      truth: playground.shows("reveal"),
      running: all.running.value,
      ghosts: all.beside.value.map(({ mark, result: ghost }) => `${mark}: ${origin(ghost)}. ${comparison(ghost, result.spec)}`),
      others: foreign.value,
      picture: settled.value,
      caption: caption.value,
      pair: pair.value,
    };
  };
  const output = async <T>(make: (dialog: typeof import("../../dialogs/export"), of: Exported) => Promise<T>): Promise<T> => {
    const of = exported();
    if (!of) throw new Error("there is no result yet");
    const dialog = await later(() => import("../../dialogs/export"));
    if (!dialog) throw new Error("a part of the page did not load");
    return make(dialog, of);
  };
  playground.output.value = {
    summary: () => output(async ({ figure }, of) => JSON.parse(await (await figure(of)).text())),
    svg: () => output(async ({ svg }, of) => (await svg(of)).text()),
  };
  exporting.addEventListener("click", async () => {
    await (await later(() => import("../../dialogs/export")))?.openExport(root, exported);
  });
  upload.addEventListener("click", () => file.click());
  file.addEventListener("change", () => {
    const chosen = [...(file.files ?? [])];
    file.value = "";
    if (chosen.length > 0) void playground.open(chosen);
  });
}
