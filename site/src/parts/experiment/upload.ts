// Reads a records file: the engine checks every line and summarises them.

import { isKnown, learn } from "../../agents";
import * as engine from "../../engine/engine";
import { mostBytes } from "../../engine/keeper";
import type { Checked, Header, Snapshot } from "../../formats";
import { ofSnapshot, type Result } from "../../state/results";

/** How many bytes the first line may have. */
const mostHeader = 1 << 20;

export async function readRecords(file: File, signal: AbortSignal): Promise<Result> {
  if (file.size > mostBytes) throw new Error(`it is larger than ${mostBytes >> 20} MB; cpsrl summary reads it.`);
  let snapshot: Snapshot | undefined;
  await engine.send<Snapshot>("/v1/summary?strict=true", file, "json", (last) => void (snapshot = last), signal);
  if (!snapshot || snapshot.runs === 0) throw new Error("it holds no complete run.");
  const [line] = (await file.slice(0, mostHeader).text()).split("\n", 1);
  const header = JSON.parse(line!) as Header; // the engine has checked it
  if (!header.spec.agents.every(isKnown)) learn((await engine.ask<Checked>("/v1/check", header.spec, signal)).agents);
  const name = file.name.replace(/\.[^.]*$/, "");
  return ofSnapshot(snapshot, header, { source: "file", name, title: `Results in ${file.name}` }, file);
}
