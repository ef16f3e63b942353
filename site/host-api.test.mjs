// The declaration of the messages: the promise of docs/formats.md that pages that were written for version 1 of the
// host API stay understood, and that what is written from the declaration agrees with it and with the page's own lists.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { page, types } from "./host-api.mjs";
import { load } from "./test/modules.mjs";

/** @typedef {{properties: Record<string, {const?: string, $ref?: string}>, required: string[]}} Message */
const { $defs } = JSON.parse(readFileSync(new URL("host-api.schema.json", import.meta.url), "utf8"));

/** The messages of a kind, by type. @param {"command" | "event"} kind @returns {Map<string | undefined, Message>} */
const messages = (kind) => new Map($defs[kind].oneOf.map((/** @type {Message} */ message) => [message.properties["type"]?.const, message]));

/** Every command and event of version 1 with its members; a ! follows those that it must have. */
const kept = {
  command: {
    state: "id link! spec preset heading",
    run: "id",
    pause: "id",
    theme: "id theme!",
    episode: "id episode! run agent moment",
    moment: "id moment!",
    play: "id playing",
    speed: "id speed!",
    reveal: "id revealed!",
    highlight: "id from to",
    view: "id view!",
    summary: "id",
    svg: "id",
    belief: "id episode run agent",
  },
  event: {
    loading: "",
    ready: "engine!",
    height: "height!",
    state: "link! seconds! autorun!",
    progress: "done! total!",
    finished: "runs! stopped! conclusion! link engine fingerprint",
    episode: "agent! run! episode!",
    moment: "episode! moment! step! text!",
    play: "playing!",
    speed: "speed!",
    reveal: "revealed!",
    highlight: "from to",
    view: "view!",
    done: "command! id summary svg belief",
    refused: "detail! id",
  },
};

for (const kind of /** @type {const} */ (["command", "event"])) {
  for (const [type, words] of Object.entries(kept[kind])) {
    test(`the ${kind} ${type} keeps its members`, () => {
      const message = messages(kind).get(type);
      assert.ok(message, "the type is still there");
      const members = words.split(" ").filter(Boolean);
      for (const member of members) assert.ok(message.properties[member.replace("!", "")], member);
      const needed = members.filter((member) => member.endsWith("!")).map((member) => member.slice(0, -1));
      const always = ["cpsrl", "type", ...needed].sort();
      // A command of an old page is still complete, and an event still tells an old page what it told.
      if (kind === "command") for (const member of message.required) assert.ok(always.includes(member), member);
      else for (const member of always) assert.ok(message.required.includes(member), member);
    });
  }
}

const { read } = await load("src/commands.ts");

for (const [file, written] of /** @type {const} */ ([["npm/messages.d.ts", types()], ["docs/host.md", page()]])) {
  test(`${file} is written from the declaration`, () => {
    assert.ok(readFileSync(new URL(file, import.meta.url), "utf8") === written, "node site/host-api.mjs writes it anew");
  });
}

test("the declaration lists what the page knows, and every command", async () => {
  const { bands, moments } = await load("src/state/view.ts");
  const [{ speeds }, { themes }, { longest }] = await Promise.all(["src/state/watching.ts", "src/theme.ts", "src/state/links.ts"].map(load));
  assert.deepEqual($defs.look.properties.band.enum, bands);
  assert.deepEqual($defs.moment.enum, moments);
  assert.deepEqual($defs.speed.enum, speeds.map((/** @type {number} */ speed) => (speed === Infinity ? "fast" : speed)));
  assert.deepEqual($defs.theme.enum, themes);
  assert.equal($defs.link.maxLength, longest);
  assert.deepEqual($defs.commandName.enum, [...messages("command").keys()]);
});

test("a command that breaks the declaration is refused with one plain sentence", () => {
  const says = /** @type {[object, string][]} */ ([
    [{ type: "episode" }, "the episode is not a whole number from 1 on"],
    [{ type: "episode", episode: 1.5 }, "the episode is not a whole number from 1 on"],
    [{ type: "episode", episode: 1, run: -1 }, "the run is not a whole number from 0 on"],
    [{ type: "episode", episode: 1, agent: 3 }, "the agent is not a text"],
    [{ type: "moment", moment: "toString" }, "the moment is none of sample, plan, act, update"],
    [{ type: "speed", speed: "2" }, "the speed is none of auto, 0.5, 1, 2, 4, 8, 16, fast"],
    [{ type: "reveal" }, "revealed is not true or false"],
    [{ type: "highlight", from: null }, "from is not a text"],
    [{ type: "state", link: "a".repeat(65537) }, "the link is not a text of at most 65536 characters"],
    [{ type: "state" }, "the link is not a text of at most 65536 characters"],
    [{ type: "state", spec: [] }, "the spec is not an object"],
    [{ type: "state", preset: 1 }, "the preset is not a text"],
    [{ type: "state", link: "a", spec: {} }, "state takes only one of link, spec, preset"],
    [{ type: "state", link: "a", toString: 1 }, 'state has no member "toString"'],
    [{ type: "view", view: null }, "the view is not an object"],
    [{ type: "view", view: { logX: 1 } }, "logX is not true or false"],
    [{ type: "view", view: { hidden: [1] } }, "hidden is not a list of texts"],
    [{ type: "view", view: { pair: ["a", "b"] } }, 'the view has no member "pair"'],
    [{ type: "run", id: {} }, "the id is neither a text nor a number"],
  ]);
  for (const [command, words] of says) assert.equal(read({ cpsrl: 1, ...command }), words);
  assert.match(read({ cpsrl: 1, type: "valueOf" }), /^the type is none of state, run, /);
  assert.equal(read({ type: "run" }), "the version is not 1");
  for (const command of [{ type: "state", link: "a" }, { type: "state", spec: {}, heading: "b" }, { type: "state", preset: "c" }, { type: "episode", episode: 3, agent: "psrl" }, { type: "highlight" }, { type: "view", view: {} }, { type: "speed", speed: "fast" }]) {
    assert.deepEqual(read({ cpsrl: 1, ...command, id: 7 }), command);
  }
});
