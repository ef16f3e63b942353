// Drives the second figure through the steps of the text: ../docs/host.html.

const frame = document.getElementById("figure");
const said = document.getElementById("said");
const done = document.getElementById("done");
const buttons = [...document.querySelectorAll("button[data-link]")];
const site = new URL(frame.src);

// A sandboxed frame has no origin that could be named.
const target = frame.sandbox.length > 0 && !frame.sandbox.contains("allow-same-origin") ? "*" : site.origin;
const tell = (message) => frame.contentWindow.postMessage({ cpsrl: 1, ...message }, target);

let step = 0;
let running = false;

addEventListener("message", ({ source, data }) => {
  if (source !== frame.contentWindow || data?.cpsrl !== 1) return;
  switch (data.type) {
    case "ready":
      for (const button of buttons) button.disabled = false;
      said.textContent = "Ready: choose a step.";
      break;
    case "height":
      frame.height = data.height;
      break;
    case "done":
      // The frame shows the experiment of the step, so run it.
      if (data.command === "state" && data.id === step) tell({ type: "run", id: step });
      running = data.command === "run";
      break;
    case "progress":
      done.value = data.done / data.total;
      break;
    case "finished":
      if (step > 0 && !running) break; // this is the run that the step has stopped
      said.textContent = step > 0 ? `Step ${step}. ${data.conclusion}` : data.conclusion;
      for (const button of buttons) button.disabled = false;
      break;
    case "refused":
      said.textContent = `The figure refused: ${data.detail}.`;
      for (const button of buttons) button.disabled = false;
  }
});

for (const [i, button] of buttons.entries()) {
  button.addEventListener("click", () => {
    step = i + 1;
    for (const other of buttons) other.disabled = true;
    said.textContent = `Step ${step}: running…`;
    done.value = 0;
    tell({ type: "state", link: button.dataset.link, id: step });
  });
}
