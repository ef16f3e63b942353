// A problem that no link can hold is kept in this browser, so that a reload does not lose it.

import { effect, untracked } from "@preact/signals-core";
import { sentence } from "./dom";
import { ask, detailOf } from "./engine/engine";
import type { Checked } from "./formats";
import { Database, whyNot } from "./state/database";
import type { Playground } from "./state/playground";
import { presetOf } from "./state/spec";

const last = "last";

/** How many milliseconds without a sign pass before the page says that a problem is not kept. */
const patient = 10_000;

const database = new Database("cpsrl-problems", ["problems"]);

const closing = "To share the problem, save it as a file: Edit… under Problem, then “Save the file”.";

/** Offers the problem that was kept last, and keeps each one that no link can hold. */
export function large({ app, links }: Playground): void {
  let replaced = false;
  const forget = (): void => {
    database
      .change("readwrite", async ([problems], ask) => ask(problems!.delete(last)))
      .catch((error: unknown) => app.notify("kept", `The problem could not be deleted: ${whyNot(error)}.`, "bad"));
  };
  /** What the browser has kept may be damaged, or of another version: the engine judges it before anything is shown. */
  const open = async (kept: object): Promise<void> => {
    try {
      const checked = await ask<Checked>("/v1/check", kept);
      links.drop();
      app.begin();
      await app.show(checked.header.spec, { preset: presetOf(checked.link), checked });
    } catch (error) {
      const words = `The problem that is kept in this browser cannot be opened. ${sentence(detailOf(error))}`;
      app.notify("kept", words, "bad", { label: "Keep it", act: () => {} }, { label: "Forget it", act: forget });
    }
  };
  database
    .change("readonly", async ([problems], ask) => ask<unknown>(problems!.get(last)), patient)
    .then(
      (kept) => {
        if (typeof kept !== "object" || kept === null || replaced) return;
        const words = `The problem ${nameIn(kept)}is too large for a link and is kept in this browser.`;
        app.notify("kept", words, "plain", { label: "Open it", act: () => void open(kept) }, { label: "Forget it", act: forget });
      },
      () => {}, // nothing is offered
    );
  effect(() => {
    const { spec, why } = links.homeless.value ?? {};
    if (!spec || why === undefined) return;
    untracked(() => {
      replaced = true;
      database
        .change("readwrite", async ([problems], ask) => ask(problems!.put(spec, last)), patient)
        .then(
          () => {
            app.dismiss("kept"); // another problem has taken its place
            app.notify("link", `${why} The problem is kept in this browser. ${closing.replace("the problem", "it")}`);
          },
          (error: unknown) => app.notify("link", `${why} The problem is not kept in this browser either: ${whyNot(error)}. ${closing}`),
        );
    });
  });
}

/** The name of a kept problem, in quotes and with a space after it, if it has one. */
function nameIn(kept: object): string {
  const { model } = ((kept as { readonly domain?: unknown }).domain ?? {}) as { readonly model?: { readonly name?: unknown } | null };
  const name = model?.name;
  return typeof name === "string" && name !== "" ? `“${name}” ` : "";
}
