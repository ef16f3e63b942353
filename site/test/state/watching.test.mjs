// What is watched, what the stage has painted, and what the rest of the page knows of it. A test stands
// for the stage.

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { start, Tab, until } from "./engine.mjs";

/** @type {Awaited<ReturnType<typeof start>>} */
let page;
before(async () => (page = await start()));
afterEach(() => page.leave());
after(() => page.stop());

/** Paints what is wanted. @param {any} watching */
const paint = (watching) => void (watching.painted.value = { ...watching.wanted.value, step: 0, text: "" });

/** Whether a promise has resolved by now. @param {Promise<unknown>} promise */
async function settled(promise) {
  const nothing = {};
  await new Promise((resolve) => setTimeout(resolve, 20));
  return (await Promise.race([promise, nothing])) !== nothing;
}

test("an episode has come when it is painted, of this experiment and not of the one before", async () => {
  const { app, links, watching } = await page.open();
  watching.watch(1);
  assert.deepEqual(watching.wanted.value, { experiment: app.experiment.value, agent: "c-psrl", run: 0, episode: 1, moment: "sample" });
  const stage = { rest() {} };
  watching.stage.value = stage;
  const first = watching.arrival(true);
  assert.ok(!(await settled(first)), "nothing is painted yet");
  paint(watching);
  assert.equal(await first, stage);

  // A host sends another experiment, episode 1 and a variable to highlight, one after the other.
  assert.equal(await links.open("v=1&domain=figure1", false), undefined);
  watching.watch(1);
  const second = watching.arrival(true);
  assert.ok(!(await settled(second)), "the stage still shows episode 1 of the experiment before");
  assert.equal(await watching.arrival(false), stage, "but there is a stage to play and to rest");
  paint(watching);
  assert.equal(await second, stage);

  const closed = watching.arrival(true);
  assert.ok(await settled(closed));
  app.look({ watched: undefined });
  assert.equal(await watching.arrival(true), "the stage was closed");
});

test("nothing is wanted of an experiment that the engine has not accepted", async () => {
  const { app, watching } = await page.open(new Tab("v=1&domain=taxi&grid=3x3&watch=2,5,plan,psrl"));
  assert.deepEqual(watching.wanted.value, { experiment: app.experiment.value, agent: "psrl", run: 2, episode: 5, moment: "plan" });
  const accepted = app.show({ ...page.preset("fig1").spec, seed: 9 });
  assert.equal(watching.wanted.value, undefined);
  await accepted;
  assert.deepEqual(watching.wanted.value, { experiment: app.experiment.value, agent: "psrl", run: 2, episode: 1, moment: "sample" });
});

test("the prior shows no beliefs of another experiment", async () => {
  const { app, links, watching } = await page.open();
  const { Showing } = page.parts_stage_showing;
  const showing = new Showing({ app, watching });
  const trace = { agent: "c-psrl", run: 0, episode: 1, sampled: { graph: [[0]] } };
  showing.spec.value = app.spec.value;
  showing.experiment = app.experiment.value;
  showing.trace.value = trace;
  showing.place.value = { agent: "c-psrl", run: 0, episode: 1 };
  assert.ok(showing.hasPlace);
  app.believe(showing.experiment, { graph: [[0]] });
  assert.deepEqual(app.sampled.value?.graph, [[0]]);

  links.choose(page.preset("fig1"));
  await until(() => app.checked.value?.link === page.preset("fig1").link, "another experiment is accepted");
  showing.spec.value = app.spec.value;
  assert.ok(!showing.hasPlace, "the trace is of the experiment before");
  app.believe(showing.experiment, { graph: [[0]] });
  assert.equal(app.sampled.value, undefined);
});

test("what was learned becomes the prior, and Undo takes it back", async () => {
  const { app } = await page.open(new Tab("v=1&domain=figure1"));
  await until(() => app.about.value !== undefined, "the problem is described");
  const { withLearned } = page.parts_prior_model;
  const about = app.about.value;
  const sure = about.state.map(() => [...about.state, ...about.action].map((_, i) => (i % 2 ? 0.97 : 0.02)));
  const before = app.form.value.line.now;
  const learned = withLearned(before, sure, about);
  app.know(learned);
  assert.ok(app.form.value.line.now.edges.some((/** @type {unknown[]} */ [, , p]) => p === 0.1), "what the belief excludes is unlikely");
  await until(() => app.checked.value?.link?.includes("prior="), "the engine takes the prior");
  const line = page.state_history.moved(app.form.value.line, "undo");
  app.edit({ ...app.form.value, line });
  assert.deepEqual(app.form.value.line.now, before);
});

test("what a stage says of an earlier trace is not heard once it has been sent another", async (t) => {
  /** @type {any} */
  let meet;
  Object.assign(globalThis, { addEventListener: (/** @type {string} */ _type, /** @type {unknown} */ listener) => (meet = listener), removeEventListener() {} });
  /** @type {any} */
  let port;
  const contentWindow = { postMessage: (/** @type {string} */ _hello, /** @type {string} */ _to, /** @type {unknown[]} */ [given]) => (port = given) };
  /** @type {any[]} */
  const heard = [];
  // Counts what arrives, heard or not.
  const { MessageChannel: Channel } = globalThis;
  let arrived = 0;
  globalThis.MessageChannel = class extends Channel {
    constructor() {
      super();
      this.port1.addEventListener("message", () => void arrived++);
    }
  };
  const host = new page.parts_stage_host.StageHost({ contentWindow }, (/** @type {object} */ message) => heard.push(message));
  t.after(() => {
    globalThis.MessageChannel = Channel;
    host.close();
    port.close();
  });
  meet({ source: contentWindow, data: "cpsrl-stage" });
  const say = async (/** @type {object} */ message) => {
    const before = arrived;
    port.postMessage(message);
    await until(() => arrived > before, "the message");
    return heard.splice(0).map(({ kind }) => kind);
  };
  host.show(new Uint8Array([1]), {}); // it is sent once the stage is ready
  assert.deepEqual(await say({ kind: "ready" }), ["ready"]);
  assert.deepEqual(await say({ kind: "moment", moment: "sample", step: 0, traces: 1 }), ["moment"]);
  host.show(new Uint8Array([2]), {});
  assert.deepEqual(await say({ kind: "moment", moment: "act", step: 0, traces: 1 }), []);
  assert.deepEqual(await say({ kind: "done", traces: 1 }), []);
  assert.deepEqual(await say({ kind: "done", traces: 2 }), ["done"]);

  // A stage that starts anew, after a lost context, counts from the beginning.
  meet({ source: contentWindow, data: "cpsrl-stage" });
  assert.deepEqual(await say({ kind: "ready" }), ["ready"]);
  assert.deepEqual(await say({ kind: "passed", episode: 3, traces: 1 }), ["passed"]);
});

test("the episodes that pass by at the usual pace are those of a film, for as long", async () => {
  const { send } = page.engine_engine;
  for (const [name, episodes] of /** @type {const} */ ([["fig1", 100], ["fig2c", 400], ["fig2c", 12], ["fig2c", 2], ["fig2c", 1]])) {
    /** @type {any[]} */
    const frames = [];
    await send("/v1/film?run=0&agent=c-psrl", JSON.stringify({ ...page.preset(name).spec, episodes }), "json", (/** @type {any} */ piece) => frames.push(...piece.frames));
    const passes = frames.filter(({ episode }) => episode > 1 && episode < episodes);
    assert.deepEqual(page.parts_stage_tempo.passing(episodes), passes.map(({ episode, time }) => ({ episode, time })), `${name}, ${episodes} episodes`);
  }
});

test("while the stage plays, the page names the episode that it has painted", async () => {
  const { app, watching } = await page.open();
  watching.watch(5);
  paint(watching);
  watching.playing.value = "episodes";
  app.look({ watched: { ...app.view.value.watched, episode: 6 } });
  assert.equal(watching.episode.value, 5, "6 is on its way");
  paint(watching);
  assert.equal(watching.episode.value, 6);
  watching.pass(9);
  assert.equal(watching.episode.value, 9, "someone goes past it");
  watching.pass(undefined);
  watching.painted.value = { ...watching.painted.value, run: 1 };
  app.look({ watched: { ...app.view.value.watched, episode: 7 } });
  assert.equal(watching.episode.value, 7, "what is painted is of another run");
  watching.playing.value = undefined;
});
