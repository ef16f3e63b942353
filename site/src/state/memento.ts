// All that a visitor had before something else was shown, to be given back afterwards.

import { overtaken } from "./links";
import type { Heart } from "./playground";

type Parts = Pick<Heart, "app" | "comparison" | "links" | "watching">;

export type Memento = Awaited<ReturnType<typeof keep>>;

export async function keep({ app, comparison, links, watching }: Parts) {
  return {
    /** "": no link can hold a large model. */
    link: await links.now().catch(() => ""),
    spec: app.spec.value,
    view: app.view.value,
    left: app.left,
    revealed: app.revealed.value,
    speed: watching.speed.value,
    result: comparison.result.value,
    kept: comparison.kept.value,
    /** Whether the precomputed lines were hidden. */
    bare: comparison.figure.value === null,
    last: links.auto.last.value,
    file: app.notices.value.find(({ name }) => name === "file"),
    /** Whether the visitor had changed or run something. */
    own: comparison.result.value !== undefined || !app.unchanged.value,
  };
}

/** Shows what was shown before, unless something else is asked for meanwhile. */
export async function giveBack({ app, comparison, links, watching }: Parts, before: Memento): Promise<void> {
  const { link, spec, view, left, file } = before;
  watching.speed.value = before.speed;
  if (!new URLSearchParams(link).has("watch")) app.look({ watched: undefined }); // a link that does not mention the stage leaves it open
  const refusal = link === "" ? "no link" : await links.open(link, false, left);
  if (refusal === overtaken) return;
  if (refusal !== undefined) {
    links.drop(); // another link may still be on its way
    await app.show(spec, { left, view });
  }
  comparison.result.value = before.result;
  if (before.bare) comparison.figure.value = null;
  links.auto.last.value = before.last;
  app.revealed.value = before.revealed;
  // A link leaves out the lines that only a kept result has. If those have changed, a letter may be another result's.
  app.look({ hidden: view.hidden, ...(comparison.kept.value === before.kept && { pair: view.pair }) });
  if (file) app.notify(file.name, file.text, file.tone, ...file.actions);
}
