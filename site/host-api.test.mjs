// The promise for messages of frames (docs/formats.md): pages that were written for version 1 of the host API stay understood.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

/** @typedef {{properties: Record<string, {const?: string, $ref?: string}>, required: string[]}} Message */
const { $defs } = JSON.parse(readFileSync(new URL("host-api.schema.json", import.meta.url), "utf8"));

/** The messages of a kind, by type. @param {"command" | "event"} kind @returns {Map<string | undefined, Message>} */
const messages = (kind) => new Map($defs[kind].oneOf.map((/** @type {Message} */ message) => [message.properties["type"]?.const, message]));

/** Every command and event of version 1 with its members; a ! follows those that it must have. */
const kept = {
  command: {
    state: "id link!",
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
  },
  event: {
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
    done: "command! id",
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
      if (kind === "command") assert.deepEqual(message.required.toSorted(), always);
      else for (const member of always) assert.ok(message.required.includes(member), member);
    });
  }
}
