import { expect, it } from "vitest";
import { order, program } from "../../../support/program.ts";
import { playOnBoth } from "./both-hosts.ts";

it("what is wrong with an order, its price, its sum and its cap is refused in the same words", async () => {
  const wrong = {
    ...{ country: "usa", quantity: 0, rentPeriodDays: "month", goal: "  ", colour: "red" },
    ...{ protocol: "HTTP", authType: "IP", maxPrice: -1 },
  };
  const two = program(order("usa"), order("gbr", { country: "GBR" }, "{ dependsOn: usa }"));
  await playOnBoth(
    { program: program(order("usa", wrong)), simulator: { balance: "14.69" } },
    async ({ simulator, stack, fail, succeed, rewrite }) => {
      expect((await fail("preview")).refusals).toHaveLength(8);
      await rewrite(program(order("usa", { country: "ATA", rentPeriodDays: 31 })));
      await fail("preview");
      await rewrite(program(order("usa", { promoCode: "WINTER25", maxPrice: 6.99 })));
      expect((await fail("preview")).refusals).toHaveLength(2);
      await fail("up");

      await rewrite(two);
      expect((await fail("preview")).refusals.join()).toContain("0.01 USD are missing");
      simulator.setBalance("1000.00");
      await stack.succeed("config set", "proxyrental:maxSpend", "14.69");
      expect((await fail("preview")).refusals.join()).toContain("above proxyrental:maxSpend");
      expect((await fail("up")).spending.charges).toEqual(["7.00"]);
      await stack.succeed("config set", "proxyrental:maxSpend", "15");
      expect((await succeed("up")).spending.charges).toEqual(["7.00", "7.70"]);
    },
  );
});
