// The playground as a widget of a notebook, by the protocol of anywidget (https://anywidget.dev/en/afm): the Python beside it has
// the same traits.

import type { Embedded } from "../npm/playground";
import { embed } from "./module";

/** The traits of a widget, which the notebook keeps in step with its Python. */
interface Model {
  get(trait: string): unknown;
  set(trait: string, value: unknown): void;
  save_changes(): void;
  on(event: string, hear: (message?: unknown) => void): void;
  off(event: string, hear: (message?: unknown) => void): void;
}

async function render({ model, el }: { readonly model: Model; readonly el: HTMLElement }): Promise<() => void> {
  const text = (trait: string): string => String(model.get(trait) ?? "");
  const place = document.createElement("div");
  el.append(place);
  const [link, preset, parts] = [text("link"), text("preset"), text("parts")];
  const shown: Embedded = await embed(place, { ...(link ? { link } : { preset }), ...(parts && { parts: parts.split(",") }) });
  const tell = (traits: Record<string, unknown>): void => {
    for (const [trait, value] of Object.entries(traits)) model.set(trait, value);
    model.save_changes();
  };
  const refused = ({ message }: Error): void => tell({ refused: message });
  const see = ({ link }: { readonly link: string }): void => tell({ link, refused: "" });
  if (shown.state) see(shown.state);
  shown.on("state", see);
  let asked = 0;
  const believe = async (): Promise<void> => {
    const turn = ++asked;
    const belief = await shown.belief().catch(() => null);
    if (turn === asked) tell({ belief });
  };
  shown.on("episode", () => void believe());
  shown.on("finished", ({ conclusion, fingerprint = "", link = "" }) => {
    shown.summary().then((summary) => tell({ ...(link && { link }), conclusion, fingerprint, summary }), refused);
    void believe();
  });
  const follow = (): void => {
    if (text("link") !== "" && text("link") !== shown.state?.link) shown.show(text("link")).catch(refused);
  };
  const hear = (message: unknown): void => {
    if (message === "run") shown.run().catch(refused);
  };
  model.on("change:link", follow);
  model.on("msg:custom", hear);
  return () => {
    model.off("change:link", follow);
    model.off("msg:custom", hear);
    shown.stop();
  };
}

export default { render };
