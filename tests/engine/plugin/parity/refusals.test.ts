import { expect, it } from "vitest";
import { after } from "../../../support/program.ts";
import { playOnBoth, type WriteProgram } from "./both-hosts.ts";

const text =
  (args: object): WriteProgram =>
  ({ program, order }) =>
    program(order("usa", args));

it("a wrong order is refused in the same words on both hosts", async () => {
  const wrong = {
    ...{ country: "usa", quantity: 0, rentPeriodDays: "month", goal: "  ", colour: "red" },
    ...{ protocol: "HTTP", authType: "IP", maxPrice: -1 },
  };
  const inTypeScript = "the host for YAML holds a program to the schema before the plugin is asked";
  await playOnBoth({ program: text(wrong), inTypeScript }, async ({ fail }) => {
    expect((await fail("preview")).refusals).toHaveLength(8);
  });
});

it("a wrong price, sum or cap is refused in the same words on both hosts", async () => {
  const two: WriteProgram = ({ program, order }) =>
    program(order("usa"), order("gbr", { country: "GBR" }, after("usa")));
  await playOnBoth(
    {
      program: text({ country: "ATA", rentPeriodDays: 31 }),
      simulator: { balance: "14.69" },
    },
    async ({ simulator, stack, fail, succeed, rewrite }) => {
      await fail("preview");
      await rewrite(text({ promoCode: "WINTER25", maxPrice: 6.99 }));
      expect((await fail("preview")).refusals).toHaveLength(2);
      await fail("up");

      await rewrite(two);
      expect((await fail("preview")).refusals.join()).toContain("0.01 USD is missing");
      simulator.setBalance("1000.00");
      await stack.succeed("config set", "proxyrental:maxSpend", "14.69");
      expect((await fail("preview")).refusals.join()).toContain("above proxyrental:maxSpend");
      expect((await fail("up")).spending.charges).toEqual(["7.00"]);
      await stack.succeed("config set", "proxyrental:maxSpend", "15");
      // The refused preview has not shown this purchase.
      await succeed("preview");
      expect((await succeed("up")).spending.charges).toEqual(["7.00", "7.70"]);
    },
  );
});
