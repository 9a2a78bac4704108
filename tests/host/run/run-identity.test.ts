import { expect, test } from "vitest";
import { identifyRun } from "../../../provider/host/dynamic/run.ts";
import { followRun } from "../../../provider/host/plugin/run.ts";
import { type CliCommand, parseCliCommand } from "../../../provider/host/run/cli-command.ts";

const engine = { host: "127.0.0.1", port: 4000, text: "127.0.0.1:4000" };
const typed =
  (...words: string[]) =>
  () =>
    parseCliCommand(words);
const unseen = (): CliCommand => ({ command: undefined, phase: "unknown" });

test("a dynamic provider learns its phase when the program has written it, and keeps it", () => {
  let said: "preview" | "update" | undefined;
  const readMarker = () => said;
  const run = identifyRun(engine, { findCommand: typed("up", "--yes"), readMarker });
  expect(run).toMatchObject({ run: "127.0.0.1:4000", command: "up" });
  expect(run.phase()).toBe("unknown");
  said = "preview";
  expect(run.phase()).toBe("preview");
  said = undefined;
  expect(run.phase()).toBe("preview");
});

test("the program's phase replaces an earlier run's marker on the same port", () => {
  let said: "preview" | "update" = "preview";
  const run = identifyRun(engine, { findCommand: typed("up"), readMarker: () => said });
  expect(run.phase()).toBe("preview");
  said = "update";
  expect(run.phase()).toBe("update");
});

test.each([
  ["preview", ["preview"]],
  ["update", ["up", "--skip-preview"]],
])("a command with one phase only gives it: %s", (phase, words) => {
  // Another run has left a marker on this port. It must not be read.
  const readMarker = () => "preview" as const;
  expect(identifyRun(engine, { findCommand: typed(...words), readMarker }).phase()).toBe(phase);
  expect(followRun("127.0.0.1:4000", typed(...words)).phase()).toBe(phase);
});

test("both hosts know whether the command applies a plan file", () => {
  const planned = typed("up", "--plan", "plan.json");
  const readMarker = () => undefined;
  expect(identifyRun(engine, { findCommand: planned, readMarker }).appliesPlanFile).toBe(true);
  expect(followRun("127.0.0.1:4000", planned).appliesPlanFile).toBe(true);
  expect(followRun("127.0.0.1:4000", typed("up")).appliesPlanFile).toBeUndefined();
});

test("without an engine and a visible command nothing is known", () => {
  const run = identifyRun(undefined, { findCommand: unseen, readMarker: () => "preview" });
  expect(run).toMatchObject({ run: undefined, command: undefined });
  expect(run.phase()).toBe("unknown");
  expect(followRun("", unseen)).toMatchObject({ run: undefined, command: undefined });
});

test("a plugin learns its phase from the first Create or Update", () => {
  const run = followRun("127.0.0.1:4000", typed("up"));
  expect(run).toMatchObject({ run: "127.0.0.1:4000", command: "up" });
  expect(run.phase()).toBe("unknown");
  run.tell(true);
  expect(run.phase()).toBe("preview");
  run.tell(false);
  expect(run.phase()).toBe("update");
});
