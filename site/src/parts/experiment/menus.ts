// The menus and buttons that change how results are shown.

import { effect } from "@preact/signals-core";
import { byId, typeset } from "../../dom";
import type { View } from "../../formats";
import type { Playground } from "../../state/playground";
import { measures, nounOf, usual } from "../../state/measures";
import { nameOfPair } from "../../state/pairs";
import type { Showing } from "./showing";

export function menus({ root, app, comparison }: Playground, showing: Showing): void {
  const { main, measure, pair, paired, picture } = showing;
  /** What says why there is no regret, if there is none. */
  const told = () => main.value ?? app.checked.value?.header;

  const menu = byId(root, "measure", HTMLSelectElement);
  menu.append(...measures.map(({ key, noun }) => new Option(noun, key)));
  menu.addEventListener("change", () => app.look({ measure: menu.value === usual(told()).key ? undefined : menu.value }));
  const bands = byId(root, "band", HTMLSelectElement);
  bands.addEventListener("change", () => app.look({ band: bands.value === "interval" ? undefined : (bands.value as View["band"]) }));
  effect(() => {
    const learned = bands.querySelector<HTMLOptionElement>("[value=learned]")!;
    learned.hidden = told()?.regret !== undefined && app.view.value.band !== "learned"; // regret tells when an agent has learned
    bands.value = app.view.value.band ?? "interval";
  });
  const costs = root.querySelector("#costs-in");
  effect(() => {
    if (costs) costs.textContent = told()?.regret === undefined ? "regret: reward missed" : "return: reward collected";
  });
  const toggles = {
    logX: byId(root, "log-x", HTMLButtonElement),
    logY: byId(root, "log-y", HTMLButtonElement),
    paired: byId(root, "difference", HTMLButtonElement),
  };
  for (const [name, button] of Object.entries(toggles)) {
    button.addEventListener("click", () => app.look({ [name]: !app.view.value[name as keyof typeof toggles] }));
    effect(() => void (button.ariaPressed = String(app.view.value[name as keyof typeof toggles] === true)));
  }
  // A measure that the records of the experiment do not have is not offered, unless it is shown.
  effect(() => {
    const ends = app.about.value?.ends ?? [];
    measures.forEach((of, at) => {
      const option = menu.options[at]!;
      const lacks =
        (of.switch !== undefined && app.spec.value[of.switch] !== "yes") || (of.end ?? 0) > ends.length || (of.solved === true && told()?.regret !== undefined);
      option.hidden = lacks && of.key !== measure.value;
      option.text = nounOf(of, ends);
    });
  });
  effect(() => {
    menu.value = measure.value;
    toggles.logY.disabled = paired.value; // a difference may be negative
    if (comparison.running.value) return; // nothing comes or goes
    toggles.logX.hidden = toggles.logY.hidden = picture.value === undefined;
    toggles.paired.hidden = pair.value === undefined;
    if (pair.value) toggles.paired.textContent = typeset(nameOfPair(pair.value));
  });
}
