import { describe, expect, it } from "vitest";
import { startForTest } from "../../simulator/start.ts";
import { hosts } from "../../support/program-files.ts";
import { writerFor } from "../../support/program-writer.ts";
import { expectInvariants } from "../invariants.ts";
import { readIntents } from "../journal-files.ts";
import { createScene } from "./engine-scene.ts";

const { on, order, program } = writerFor("plugin");

it("12: refused with code 14: an error with the code, nothing charged, the intent closed", async () => {
  const simulator = await startForTest();
  const { stack, scene } = await createScene({
    ...on,
    simulator,
    program: program(order("usa")),
  });
  simulator.addFault({
    ...{ endpoint: "createOrder", calls: [1], phase: "before" },
    fault: { kind: "refuse", code: 14 },
  });
  expect(await stack.fail("up")).toContain("code 14");
  expect(await readIntents(stack.journalDir)).toMatchObject([{ closedBecause: "rejected" }]);
  await expectInvariants(scene, { charges: [], orderCalls: 1, again: ["7.00"] });
});

it("15: the price rises after the preview: above the previewed price, and above a cap: no POST", async () => {
  const simulator = await startForTest();
  const { stack, scene } = await createScene({
    ...on,
    simulator,
    program: program(order("usa")),
  });
  await stack.succeed("preview");
  simulator.setPriceFactor("IPv4", "1.01");
  expect(await stack.fail("up")).toContain("PRICE_ROSE");

  await stack.rewrite(program(order("usa", { maxPrice: 7 })));
  await expectInvariants(scene, { charges: [], again: "stopped" });
  expect(scene.outcomes.at(-1)?.text).toContain("above the 7.00 USD that is allowed");
  simulator.setPriceFactor("IPv4", "1");
  await expectInvariants(scene, { charges: [], again: ["7.00"] });
});

it("41: the country of a paid order changed: refused, no call", async () => {
  const simulator = await startForTest();
  const { stack, scene } = await createScene({
    ...on,
    simulator,
    program: program(order("usa")),
  });
  await stack.succeed("up");
  await stack.rewrite(program(order("usa", { country: "DEU" })));
  expect(await stack.fail("preview")).toContain("would mean buying again");
  await expectInvariants(scene, { charges: ["7.00"], again: "stopped" });
  expect(scene.outcomes.at(-1)?.text).toContain("would mean buying again");
  await stack.rewrite(program(order("usa")));
  await expectInvariants(scene, { charges: ["7.00"] });
});

describe.each(hosts)("%s host", (host) => {
  const { on, order, program, urnOf } = writerFor(host);

  it("35c: --target-replace, taint and replacementTrigger on a paid order, with a refresh: refused as a replacement", async () => {
    const simulator = await startForTest();
    const { stack, scene } = await createScene({
      ...on,
      simulator,
      program: program(order("usa")),
    });
    const refusal = "this resource's order is paid and can't be cancelled";
    const urn = urnOf("usa");
    await stack.succeed("up");
    expect(await stack.fail("up", "--refresh", "--target-replace", urn)).toContain(refusal);

    await stack.succeed("state taint", urn);
    expect(await stack.fail("up", "--refresh")).toContain(refusal);
    await stack.succeed("state untaint", urn);

    // A YAML program can't declare a `replacementTrigger`.
    if (host === "dynamic") {
      const triggered = (trigger: string) =>
        program(order("usa", {}, `{ replacementTrigger: "${trigger}" }`));
      await stack.rewrite(triggered("one"));
      await stack.succeed("up");
      await stack.rewrite(triggered("two"));
      expect(await stack.fail("up", "--refresh")).toContain(refusal);
      await stack.rewrite(triggered("one"));
    }
    await expectInvariants(scene, { charges: ["7.00"] });
  });
});
