// Drives the second figure through the steps of the text: ../docs/host.html.

import { embed } from "../playground.mjs";

const said = document.getElementById("said");
const progress = document.getElementById("progress");
const buttons = [...document.querySelectorAll("button[data-link]")];
const say = (words) => {
  said.textContent = words;
};
const refused = ({ message }) => say(`The figure refused: ${message}.`);
const enable = (on) => {
  for (const button of buttons) button.disabled = !on;
};

try {
  const figure = await embed(document.getElementById("figure"), { link: buttons[0].dataset.link, title: "Regret on the 3 × 3 taxi, live" });
  figure.on("progress", ({ done, total }) => (progress.value = done / total));
  figure.on("finished", ({ conclusion }) => say(conclusion));
  for (const [i, button] of buttons.entries()) {
    button.addEventListener("click", async () => {
      enable(false);
      try {
        await figure.show(button.dataset.link);
        say(`Step ${i + 1}: running…`);
        const { conclusion } = await figure.run();
        say(`Step ${i + 1}. ${conclusion}`);
      } catch (error) {
        refused(error);
      }
      enable(true);
    });
  }
  enable(true);
  say("Ready: choose a step.");
} catch (error) {
  refused(error);
}
