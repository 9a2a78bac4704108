import { expect, test, vi } from "vitest";
import { openEngineLog } from "../../../provider/host/run/engine-log.ts";
import { startEngine } from "../plugin/engine.ts";

const urn = "urn:pulumi:dev::fleet::proxyrental:index:ProxyOrder::fleet";

test("a line arrives with its severity, at its resource", async () => {
  const engine = await startEngine();
  const log = openEngineLog({ endsLast: true });
  log.connect(engine.address);
  await log.about(urn, async () => {
    log.progress("order 1: waiting");
    await Promise.resolve();
    log.warn("the promo code is not valid any more");
  });
  await log.about("", async () => log.info("about nothing"));
  expect(engine.lines).toEqual([
    { severity: "progress", message: "order 1: waiting", urn },
    { severity: "warning", message: "the promo code is not valid any more", urn },
    { severity: "info", message: "about nothing", urn: "" },
  ]);
  log.close();
});

test("all lines arrive before the answer, also before a failure", async () => {
  const engine = await startEngine(50);
  const log = openEngineLog({ endsLast: true });
  log.connect(engine.address);
  const answer = log.about(urn, async () => {
    log.info("first");
    throw new Error("refused");
  });
  await expect(answer).rejects.toThrow("refused");
  expect(engine.lines.map(({ message }) => message)).toEqual(["first"]);
  log.close();
});

test("lines of several resources at once are not mixed up", async () => {
  const engine = await startEngine();
  const log = openEngineLog({ endsLast: true });
  log.connect(engine.address);
  const names = ["a", "b", "c"];
  await Promise.all(
    names.map((name) =>
      log.about(name, async () => {
        for (const _ of names) {
          await new Promise((resolve) => setImmediate(resolve));
          log.info(name);
        }
      }),
    ),
  );
  expect(engine.lines).toHaveLength(9);
  for (const line of engine.lines) expect(line.urn).toBe(line.message);
  log.close();
});

test("lines before the engine is known go to stderr", async () => {
  const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const log = openEngineLog({ endsLast: true });
  log.connect("");
  await log.about(urn, async () => log.warn("too early"));
  expect(written.mock.calls).toEqual([["too early\n"]]);
  written.mockRestore();
  const engine = await startEngine();
  log.connect(engine.address);
  await log.about(urn, async () => log.warn("in time"));
  expect(engine.lines.map(({ message }) => message)).toEqual(["in time"]);
  log.close();
});

test("an engine that is gone, or never was there, does no harm", async () => {
  const engine = await startEngine();
  const log = openEngineLog({ endsLast: true });
  log.connect(engine.address);
  await log.about(urn, async () => log.info("here"));
  engine.kill();
  expect(await log.about(urn, async () => log.info("gone") ?? "the answer")).toBe("the answer");
  log.connect("127.0.0.1:1");
  expect(await log.about(urn, async () => log.info("never") ?? "the answer")).toBe("the answer");
  log.close();
});

test("a line under way while the engine attaches again still arrives", async () => {
  const [first, second] = [await startEngine(50), await startEngine()];
  const log = openEngineLog({ endsLast: true });
  log.connect(first.address);
  await log.about(urn, async () => {
    log.info("to the first");
    log.connect(second.address);
    log.info("to the second");
  });
  expect(first.lines.map(({ message }) => message)).toEqual(["to the first"]);
  expect(second.lines.map(({ message }) => message)).toEqual(["to the second"]);
  log.close();
});

test("remarks wait for the engine's step, and are said before the last words at the latest", async () => {
  const engine = await startEngine();
  const log = openEngineLog({ endsLast: true });
  log.connect(engine.address);
  await log.about(urn, async () => log.remark(`acme/${urn}`, "buys 5"));
  expect(engine.lines).toEqual([]);
  await log.conclude("In all: 1 purchase");
  const remark = { severity: "progress", message: "buys 5", urn };
  const last = { severity: "info", message: "In all: 1 purchase", urn: "" };
  expect(engine.lines).toEqual([remark, last]);
  log.close();
});

test("remarks stay where they are said if nobody waits for last words", async () => {
  const engine = await startEngine();
  const log = openEngineLog({ endsLast: false });
  log.connect(engine.address);
  await log.about(urn, async () => log.remark(`acme/${urn}`, "buys 5"));
  expect(engine.lines).toEqual([{ severity: "info", message: "buys 5", urn }]);
  log.close();
});
