import { expect, it } from "vitest";
import { order, program } from "../../../support/program.ts";
import { playOnBoth } from "./both-hosts.ts";

it("orders of all types are priced, bought, found unchanged and let go alike on both hosts", async () => {
  const fleet = program(
    order("usa", { promoCode: "SPRING10" }),
    order("six", { proxyType: "IPv6", protocol: "HTTP", rentPeriodDays: 90 }, "{ dependsOn: usa }"),
    order("isp", { proxyType: "ISP", quantity: 2 }, "{ dependsOn: six }"),
    order(
      "phone",
      { proxyType: "MOBILE", mobileOperator: "tmobile", rotationTime: 600, quantity: 1 },
      "{ dependsOn: isp }",
    ),
  );
  await playOnBoth({ program: fleet, spawned: true }, async ({ succeed }) => {
    const { lines, spending } = await succeed("preview");
    expect(lines).toHaveLength(4);
    expect(spending.charges).toEqual([]);
    await succeed("up");
    const again = await succeed("up", "--refresh");
    expect(again.steps.map(({ op }) => op)).toContain("same");
    expect((await succeed("destroy")).spending.charges).toHaveLength(4);
  });
});
