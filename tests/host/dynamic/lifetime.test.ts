import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { createCalls, whenEngineEnds } from "../../../provider/host/dynamic/lifetime.ts";

test("a dynamic provider ends once by SIGINT, even after several signals, and keeps listening", async () => {
  const process = new EventEmitter();
  const endings: string[] = [];
  const gone = Promise.withResolvers<void>();
  whenEngineEnds(process, gone.promise, (how) => void endings.push(how));
  expect(endings).toEqual([]);
  for (let times = 0; times < 3; times++) process.emit("SIGINT");
  gone.resolve();
  await gone.promise;
  expect(endings).toEqual(["told"]);
  expect(process.listenerCount("SIGINT")).toBe(1);
});

test("it ends when its engine is found gone, which does not count as an ending in order", async () => {
  const endings: string[] = [];
  whenEngineEnds(new EventEmitter(), Promise.resolve(), (how) => void endings.push(how));
  await Promise.resolve();
  expect(endings).toEqual(["noticed"]);
});

test("a call is under way until it returns or fails", async () => {
  const calls = createCalls();
  expect(calls.areUnderWay()).toBe(false);
  const { promise, resolve } = Promise.withResolvers<string>();
  const answer = calls.follow(() => promise);
  const failure = calls.follow(() => Promise.reject(new Error("refused")));
  await expect(failure).rejects.toThrow("refused");
  expect(calls.areUnderWay()).toBe(true);
  resolve("bought");
  expect(await answer).toBe("bought");
  expect(calls.areUnderWay()).toBe(false);
});

test("the end waits for every call, also for new and failing ones", async () => {
  const calls = createCalls();
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  calls.follow(() => first.promise).catch(() => undefined);
  let drained = false;
  const draining = calls.drain().then(() => {
    drained = true;
  });
  calls.follow(() => second.promise);
  first.reject(new Error("refused"));
  await new Promise((resolve) => setImmediate(resolve));
  expect(drained).toBe(false);
  second.resolve();
  await draining;
  expect(drained).toBe(true);
});
