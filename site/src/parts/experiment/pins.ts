// What can be done with results: pin them, export them, and open a file of them.

import { effect } from "@preact/signals-core";
import { html, render } from "lit-html";
import type { Exported } from "../../dialogs/export";
import { byId, takeDrops, typeset } from "../../dom";
import { later } from "../../lost";
import type { Playground } from "../../state/playground";
import type { Showing } from "./showing";
import { comparison, origin } from "./words";

export function pins(playground: Playground, showing: Showing, box: HTMLElement): void {
  const { root, app, comparison: results } = playground;
  const { main, pair, picture, caption } = showing;

  const pin = byId(root, "pin", HTMLButtonElement);
  const exporting = byId(root, "export", HTMLButtonElement);
  const upload = byId(root, "upload", HTMLButtonElement);
  const file = byId(root, "upload-file", HTMLInputElement);
  effect(() => {
    const of = main.value;
    const kept = of && results.markOf(of);
    pin.disabled = !of || results.running.value || of.runs === 0 || (!kept && results.full);
    pin.textContent = kept ? `Drop ${kept}` : results.full ? "4 kept at most" : `Keep as ${results.next}`;
    exporting.disabled = !of || !picture.value;
    upload.disabled = results.running.value;
  });
  const list = byId(root, "pins", HTMLElement);
  const remove = (mark: string): void => {
    results.remove(mark);
    (pin.disabled ? box : pin).focus();
  };
  effect(() => {
    const ghosts = results.ghosts.value;
    const current = main.value && !results.markOf(main.value) ? main.value.spec : app.spec.value;
    list.hidden = ghosts.length === 0;
    render(
      ghosts.map(({ mark, result }) => {
        const ref = mark === "ref";
        const words = origin(result);
        return html`<li><b>${mark}</b><span>${typeset(`${words.charAt(0).toUpperCase()}${words.slice(1)}. ${comparison(result, current)}`)}</span><button type="button" aria-label=${ref ? "Hide the precomputed lines" : `Drop ${mark}`} @click=${() => remove(mark)}>${ref ? "Hide" : "Drop"}</button></li>`;
      }),
      list,
    );
  });
  pin.addEventListener("click", () => {
    const kept = main.value && results.markOf(main.value);
    if (kept) results.remove(kept);
    else results.pin();
  });
  const exported = (): Exported | undefined => {
    const result = results.main.value;
    if (!result || !picture.value) return undefined;
    return {
      result,
      heading: app.view.value.heading,
      truth: playground.shows("reveal"),
      running: results.running.value,
      ghosts: results.ghosts.value.map(({ mark, result: ghost }) => `${mark}: ${origin(ghost)}. ${comparison(ghost, result.spec)}`),
      picture: picture.value,
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
    const [chosen] = file.files ?? [];
    file.value = "";
    if (chosen) void results.read(chosen);
  });
  takeDrops(
    byId(root, "experiment", HTMLElement),
    (dropped) => void results.read(dropped),
    () => results.running.value,
  );
}
