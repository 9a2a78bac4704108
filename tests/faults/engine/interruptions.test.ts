import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startForTest } from "../../simulator/start.ts";
import { type Host, hosts } from "../../support/program-files.ts";
import { writerFor } from "../../support/program-writer.ts";
import { expectInvariants } from "../invariants.ts";
import { createScene } from "./engine-scene.ts";
import { freezeAt } from "./moments.ts";

describe.each(hosts)("%s host", (host) => {
  const { on, order, program } = writerFor(host);

  const one = program(order("usa"));

  it("27 A: Ctrl-C once during the POST: the order is finished and saved", async () => {
    const simulator = await startForTest();
    const { stack, scene } = await createScene({ ...on, simulator, program: one });
    const reached = Promise.withResolvers<void>();
    const rule = { endpoint: "createOrder", phase: "after" } as const;
    simulator.addFault({ ...rule, fault: { kind: "act", run: () => reached.resolve() } });
    simulator.addFault({ ...rule, fault: { kind: "delay", ms: 1_000 } });
    const up = stack.start("up");
    await reached.promise;
    up.interrupt();
    await up.ended;
    expect((await stack.state()).find("usa")?.outputs).toMatchObject({
      status: "active",
      orderNumber: simulator.orders()[0]?.orderNumber,
    });
    await expectInvariants(scene, { charges: ["7.00"] });
  });

  it("27 B: Ctrl-C twice during the POST: the next preview shows the recovery at 0, the next up recovers the order", async () => {
    const simulator = await startForTest();
    const { stack, scene } = await createScene({ ...on, simulator, program: one });
    const reached = freezeAt(simulator, { endpoint: "createOrder", phase: "after" });
    const up = stack.start("up");
    await reached;
    up.interrupt();
    await up.says("press ^C again");
    up.interrupt();
    await up.ended;
    await stack.run("cancel --yes");
    expect((await stack.state()).find("usa")).toBeUndefined();
    expect((await stack.plan()).inputs("usa").quote).toMatchObject({ effect: "recover", price: 0 });
    await expectInvariants(scene, { charges: ["7.00"], killed: true });
  });
});

/** The engine waits half a minute before it gives up a save, so both hosts wait together. */
it("28: on both hosts, the state can't be saved after create: preview shows the recovery at 0, the next up returns the same order", async () => {
  await Promise.all(hosts.map(failToSave));
});

async function failToSave(host: Host): Promise<void> {
  const { on, order, program } = writerFor(host);
  const simulator = await startForTest();
  const one = program(order("usa"));
  const { stack, scene } = await createScene({ ...on, spawned: true, simulator, program: one });
  const states = join(stack.backendDir, ".pulumi", "stacks");
  const away = join(stack.backendDir, "away");
  const breakBackend = async () => {
    await rename(states, away);
    await writeFile(states, "no folder");
  };
  simulator.addFault({
    ...{ endpoint: "createOrder", phase: "after" },
    fault: { kind: "act", run: breakBackend },
  });
  await stack.fail("up");
  await rm(states);
  await rename(away, states);
  await stack.run("cancel --yes");
  expect((await stack.state()).find("usa")).toBeUndefined();
  expect((await stack.plan()).inputs("usa").quote).toMatchObject({ effect: "recover", price: 0 });
  await expectInvariants(scene, { charges: ["7.00"] });
}
