import { describe, expect, it } from "vitest";
import { startForTest } from "../../simulator/start.ts";
import { countMostInFlight } from "../../support/in-flight.ts";
import { hosts } from "../../support/program-files.ts";
import { writerFor } from "../../support/program-writer.ts";
import { createStack } from "../../support/stack.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { expectInvariants } from "../invariants.ts";
import { createScene, sceneOf } from "./engine-scene.ts";

it("20: twelve identical orders in one run: twelve charges, one after the other, each claimed once", async () => {
  const { on, order, program } = writerFor("plugin");
  const simulator = await startForTest({ latencyMs: 10 });
  const names = Array.from({ length: 12 }, (_, index) => `usa${index}`);
  const text = program(...names.map((name) => order(name)));
  const { stack, scene } = await createScene({ ...on, simulator, program: text });
  await stack.succeed("up");
  expect(countMostInFlight(simulator.requests(), "createOrder")).toBe(1);
  const state = await stack.state();
  const claimed = names.map((name) => state.find(name)?.outputs.orderNumber);
  expect(new Set(claimed)).toEqual(new Set(simulator.orders().map((made) => made.orderNumber)));
  await expectInvariants(scene, { charges: names.map(() => "7.00") });
});

describe.each(hosts)("%s host", (host) => {
  const { on, order, program } = writerFor(host);

  it("21: two stacks of one account and machine buy the same, and an answer is lost: they take turns, each gets its own", async () => {
    const simulator = await startForTest();
    const journalDir = await makeTemporaryFolder();
    const env = { PROXYRENTAL_JOURNAL_DIR: journalDir, PROXYRENTAL_SETTLING_SECONDS: "2" };
    const both = { ...on, spawned: true, simulator, env };
    const stacks = [
      await createStack({ ...both, program: program(order("ours")) }),
      await createStack({ ...both, program: program(order("theirs")) }),
    ];
    const scene = sceneOf(simulator, stacks, journalDir);
    const rule = { endpoint: "createOrder", calls: [1], phase: "after" } as const;
    simulator.addFault({ ...rule, fault: { kind: "delay", ms: 1_500 } });
    simulator.addFault({ ...rule, fault: { kind: "reset" } });
    await Promise.all(stacks.map((stack) => stack.succeed("up")));
    expect(countMostInFlight(simulator.requests(), "createOrder")).toBe(1);
    const { held } = await scene.state();
    expect(new Set(held)).toEqual(new Set(simulator.orders().map((made) => made.orderNumber)));
    await expectInvariants(scene, { charges: ["7.00", "7.00"] });
  });
});
