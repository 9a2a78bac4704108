import { createRequire } from "node:module";
import * as pulumi from "@pulumi/pulumi";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { parseEngineAddress } from "../../provider/host/run/engine-address.ts";
import { readPhaseMarker } from "../../provider/host/run/phase-marker.ts";
import { announcePhase } from "../../sdk/phase.ts";
import { makeFolder } from "../journals/file/folders.ts";

beforeEach(() => void vi.stubEnv("TMPDIR", makeFolder()));

afterEach(() => {
  startProgram("", false);
  vi.unstubAllEnvs();
});

/** Does what the SDK does when a program starts, in a separate process or inline. */
function startProgram(engine: string, isPreview: boolean): void {
  pulumi.runtime.resetOptions("fleet", "dev", 1, engine, "", isPreview, "organization");
}

function readMarker(address: string): string | undefined {
  const engine = parseEngineAddress(address);
  return engine && readPhaseMarker(engine, new Date());
}

test.each([
  ["preview", true],
  ["update", false],
])("a program writes for its providers that the phase is %s", (phase, isPreview) => {
  startProgram("127.0.0.1:4000", isPreview);
  announcePhase();
  expect(readMarker("127.0.0.1:4000")).toBe(phase);
});

test("a process with several inline programs in turn writes each phase, on the same port too", () => {
  startProgram("127.0.0.1:4000", true);
  announcePhase();
  startProgram("127.0.0.1:4000", false);
  announcePhase();
  expect(readMarker("127.0.0.1:4000")).toBe("update");
});

test("two inline programs at once write a phase each", async () => {
  const { withLocalStorage } = createRequire(import.meta.resolve("@pulumi/pulumi"))(
    "@pulumi/pulumi/runtime/state",
  );
  expect(withLocalStorage).toBeTypeOf("function");
  const started = Promise.withResolvers<void>();
  const run = (engine: string, isPreview: boolean) =>
    withLocalStorage(async () => {
      startProgram(engine, isPreview);
      await started.promise;
      announcePhase();
    });
  const both = [run("127.0.0.1:4000", true), run("127.0.0.1:4001", false)];
  started.resolve();
  await Promise.all(both);
  expect(readMarker("127.0.0.1:4000")).toBe("preview");
  expect(readMarker("127.0.0.1:4001")).toBe("update");
});

test("without an engine, as with mocks, nothing is written and nothing fails", () => {
  startProgram("", true);
  announcePhase();
  expect(readMarker("127.0.0.1:4000")).toBeUndefined();
});
