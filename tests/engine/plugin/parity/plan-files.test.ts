import { expect, it } from "vitest";
import { playOnBoth, type WriteProgram } from "./both-hosts.ts";

it("a saved plan is bought, and refused after a price change, on both hosts alike", async () => {
  const fleet =
    (quantity: number): WriteProgram =>
    ({ program, order, autoExtension }) =>
      program(order("usa", { quantity }), autoExtension("keep", "usa"));
  await playOnBoth({ program: fleet(5) }, async ({ simulator, succeed, fail, rewrite }) => {
    await succeed("preview", "--save-plan", "plan.json");
    simulator.setPriceFactor("IPv4", "1.01");
    const moved = await fail("up", "--plan", "plan.json");
    expect(moved.refusals.join()).toContain("violates plan");
    simulator.setPriceFactor("IPv4", "1");
    await succeed("up", "--plan", "plan.json");

    await rewrite(fleet(8));
    await succeed("preview", "--save-plan", "plan.json");
    simulator.setPriceFactor("IPv4", "1.01");
    // Without the plan file, the price that the preview showed still binds.
    expect((await fail("up")).refusals.join()).toContain("PRICE_ROSE");
    await fail("up", "--plan", "plan.json");
    simulator.setPriceFactor("IPv4", "1");
    const { spending } = await succeed("up", "--plan", "plan.json");
    expect(spending.charges).toEqual(["7.00", "4.20"]);
  });
});
