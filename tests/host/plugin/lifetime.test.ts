import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { whenEngineEnds } from "../../../provider/host/plugin/lifetime.ts";

/** A process that has only the parts by which it can be ended. */
function createProcess() {
  const stdin = Object.assign(new EventEmitter(), { flows: false, resume: () => stdin });
  stdin.resume = () => {
    stdin.flows = true;
    return stdin;
  };
  return Object.assign(new EventEmitter(), { stdin });
}

test.each([
  ["SIGINT", "told", (process: ReturnType<typeof createProcess>) => process.emit("SIGINT")],
  ["SIGTERM", "noticed", (process: ReturnType<typeof createProcess>) => process.emit("SIGTERM")],
  [
    "the end of its input",
    "noticed",
    (process: ReturnType<typeof createProcess>) => process.stdin.emit("end"),
  ],
  [
    "broken input",
    "noticed",
    (process: ReturnType<typeof createProcess>) => process.stdin.emit("error", new Error("EIO")),
  ],
])("a plugin ends by %s, and the end counts as %s", (_by, how, happen) => {
  const process = createProcess();
  const endings: string[] = [];
  whenEngineEnds(process, (by) => void endings.push(by));
  expect(endings).toEqual([]);
  happen(process);
  expect(endings).toEqual([how]);
});

test("it ends once, even after several signals, and keeps listening", () => {
  const process = createProcess();
  let ended = 0;
  whenEngineEnds(process, () => {
    ended += 1;
  });
  for (const signal of ["SIGINT", "SIGINT", "SIGTERM"]) process.emit(signal);
  process.stdin.emit("end");
  expect(ended).toBe(1);
  expect(process.listenerCount("SIGINT")).toBe(1);
  expect(process.listenerCount("SIGTERM")).toBe(1);
});

test("it reads its standard input, because otherwise it would not notice its end", () => {
  const process = createProcess();
  whenEngineEnds(process, () => undefined);
  expect(process.stdin.flows).toBe(true);
});

test("where nobody holds its input, its end means nothing, and the engine is watched", async () => {
  const process = createProcess();
  const endings: string[] = [];
  const gone = Promise.withResolvers<void>();
  whenEngineEnds(
    process,
    (how) => void endings.push(how),
    () => gone.promise,
  );
  process.stdin.emit("end");
  expect(endings).toEqual([]);
  gone.resolve();
  await gone.promise;
  expect(endings).toEqual(["noticed"]);
});
