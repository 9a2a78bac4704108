import { expect, it } from "vitest";
import { playOnBoth, type WriteProgram } from "./both-hosts.ts";

const pagesDiffer = "two resources share one answer of the listing if they ask at the same time";

it("an order grows, shrinks, takes back and records edits for the next purchase, on both hosts alike", async () => {
  const fleet =
    (args: object): WriteProgram =>
    ({ program, order, autoExtension }) =>
      program(order("usa", args), autoExtension("keep", "usa"));
  await playOnBoth({ program: fleet({}), pagesDiffer }, async ({ simulator, succeed, rewrite }) => {
    await succeed("up");

    await rewrite(fleet({ quantity: 8 }));
    await succeed("preview");
    await succeed("up");
    await rewrite(fleet({ quantity: 6 }));
    await succeed("up");
    await rewrite(fleet({ quantity: 8 }));
    const { spending } = await succeed("up", "--refresh");
    expect(spending.charges).toEqual(["7.00", "4.20"]);
    expect(simulator.proxies().filter(({ autoExtend }) => autoExtend)).toHaveLength(8);

    const recorded = { quantity: 8, goal: "another", promoCode: "SPRING10", rentPeriodDays: 60 };
    await rewrite(fleet(recorded));
    expect((await succeed("preview")).lines.join()).toContain("recorded for the next purchase");
    await succeed("up");
    expect((await succeed("up", "--refresh")).steps.map(({ op }) => op)).not.toContain("update");
  });
});

it("a replacement is refused, or planned and bought if allowed, on both hosts alike", async () => {
  const allowed = { allowReplacement: true };
  const fleet =
    (args: object): WriteProgram =>
    ({ program, order, autoExtension }) =>
      program(order("usa", args), autoExtension("keep", "usa"));
  const options = { program: fleet({}), pagesDiffer };
  await playOnBoth(options, async ({ stack, succeed, fail, rewrite }) => {
    await succeed("up");
    const target = ["--target-replace", (await stack.state()).find("usa")?.urn ?? ""];
    const asked = await fail("preview", "--refresh", ...target);
    expect(asked.refusals.join()).toContain("replacing it would buy it again");
    await rewrite(fleet({ country: "DEU" }));
    expect((await fail("preview")).refusals.join()).toContain("EDIT_REFUSED");
    await fail("up", "--refresh");

    await rewrite(fleet({ ...allowed, country: "DEU" }));
    await succeed("preview");
    const replaced = await succeed("up");
    expect(replaced.steps.map(({ op }) => op)).toContain("create-replacement");
    await succeed("preview", "--refresh", ...target);
    const { spending } = await succeed("up", "--refresh", ...target);
    expect(spending.charges).toEqual(["7.00", "7.35", "7.35"]);
  });
});
