// Oracle: pictures put together by hand.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../../test/modules.mjs";

const { indexOf, pictureOf } = await load("src/parts/stage/film.ts");

const film = {
  marks: ["<a/>", "<b/>", "<c/>", "<d/>"],
  frames: [
    { episode: 1, marks: [0, 3] },
    { episode: 1, marks: [0, 1, 3, 1, 2, 1] },
    { episode: 20, marks: [] },
    { episode: 100, marks: [3, 1] },
  ],
};

test("a picture is the runs of marks of its frame, in their order", () => {
  assert.deepEqual(
    film.frames.map((frame) => pictureOf(film, frame)),
    ["<a/><b/><c/>", "<a/><d/><c/>", "", "<d/>"],
  );
});

test("while the stage is loaded, the film shows the episode that is awaited, or the last one before it that it has", () => {
  const at = (/** @type {number | undefined} */ awaited) => indexOf(film, 3, awaited);
  assert.deepEqual([undefined, 1, 19, 20, 99, 100, 400].map(at), [3, 1, 1, 2, 2, 3, 3]);
});
