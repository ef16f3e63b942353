// Draws figures. One instance of the engine draws them one after the other, so it stays warm, which WebKit needs most.

import { type EngineWorker, start, text } from "./engine";

let worker: EngineWorker | undefined;
let last: Promise<unknown> = Promise.resolve();

/** Asks the engine for a figure as SVG. If the standing instance cannot draw it, another one draws it or says why it cannot. */
export function draw(figure: string): Promise<string> {
  const drawn = last.then(() => drawNext(figure)).catch(() => drawAs(figure, "svg"));
  last = drawn.catch(() => {});
  return drawn;
}

/** Asks a separate instance for a figure. */
export const drawAs = (figure: string, as: string): Promise<string> => text(`/v1/chart?as=${as}`, figure);

async function drawNext(figure: string): Promise<string> {
  if (!worker) {
    worker = await start();
    worker.send({ kind: "request", path: "/v1/charts", body: "stream", answer: "texts" });
  }
  const standing = worker;
  return new Promise((resolve, reject) => {
    standing.onmessage = (message) => {
      if (message.kind === "line") resolve(message.value as string);
      if (message.kind === "line" || message.kind === "more") return;
      standing.terminate();
      worker = undefined;
      reject(new Error("the instance has ended"));
    };
    const bytes = new TextEncoder().encode(`${figure}\n`);
    standing.send({ kind: "input", bytes }, [bytes.buffer]);
  });
}
