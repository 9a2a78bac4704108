import { expect, it } from "vitest";
import { after } from "../../../support/program.ts";
import { playOnBoth, type WriteProgram } from "./both-hosts.ts";

it("orders of all types are priced, bought, found unchanged and let go, on both hosts alike", async () => {
  const phone = { proxyType: "MOBILE", mobileOperator: "tmobile", rotationTime: 600, quantity: 1 };
  const fleet: WriteProgram = ({ program, order }) =>
    program(
      order("usa", { promoCode: "SPRING10" }),
      order("six", { proxyType: "IPv6", protocol: "HTTP", rentPeriodDays: 90 }, after("usa")),
      order("isp", { proxyType: "ISP", quantity: 2 }, after("six")),
      order("phone", phone, after("isp")),
    );
  const inTypeScript = "as people use it whose program stays when its resources move";
  await playOnBoth({ program: fleet, spawned: true, inTypeScript }, async ({ succeed }) => {
    const { lines, spending } = await succeed("preview");
    // Each is said at its resource and in the last words, which have a heading, a sum and the balance.
    expect(lines.filter((line) => line.includes("buys"))).toHaveLength(8);
    expect(lines).toHaveLength(11);
    expect(spending.charges).toEqual([]);
    await succeed("up");
    const again = await succeed("up", "--refresh");
    expect(again.steps.map(({ op }) => op)).toContain("same");
    expect((await succeed("destroy")).spending.charges).toHaveLength(4);
  });
});
