import { expect, it } from "vitest";
import { laterValue, order, program } from "../../../support/program.ts";
import { playOnBoth } from "./both-hosts.ts";

it("what is not known before up is planned, checked, bought or refused alike", async () => {
  const later = (args: string) =>
    program(
      laterValue("size", 3),
      `new ProxyOrder("usa", { proxyType: "IPv4", country: "USA", quantity: size.value, rentPeriodDays: 30, goal: "price comparison", ${args} });`,
    );
  await playOnBoth({ program: later("maxPrice: 4") }, async ({ fail, succeed, rewrite }) => {
    const plan = await succeed("preview");
    const quotes = plan.steps.map(({ inputs }) => inputs.quote);
    expect(quotes).toContainEqual({ effect: "unknown", priceAtMost: 4 });
    expect((await fail("up")).refusals.join()).toContain("above the 4.00 USD that is allowed");
    await rewrite(later('protocol: "HTTP"'));
    await fail("preview");
    await rewrite(later(""));
    await succeed("preview");
    expect((await succeed("up")).spending.charges).toEqual(["4.20"]);
    await succeed("up", "--refresh");
  });
});

it("arguments that are secret, whole or in part, are kept as such alike", async () => {
  const secret = (goal: string) =>
    program(
      `const usa = new ProxyOrder("usa", { proxyType: "IPv4", country: "USA", quantity: 2, rentPeriodDays: 30, goal: pulumi.secret("${goal}") });`,
      "const [one, two] = [usa.ipAddressIds[0], usa.ipAddressIds[1]];",
      'new IpAutoExtend("keep", { proxyType: "IPv4", rentPeriodDays: 30, ipAddressIds: [pulumi.secret(one), two] });',
      "export const number = usa.orderNumber, urls = usa.urls;",
    );
  await playOnBoth({ program: secret("quiet") }, async ({ succeed, rewrite }) => {
    await succeed("preview");
    const { resources } = await succeed("up");
    expect(JSON.stringify(resources)).toContain("quiet");
    await rewrite(secret("quieter"));
    await succeed("up");
    await succeed("refresh");
  });
});

it("the functions tell a program the same of the account, and refuse for the same reason", async () => {
  const asking = program(
    order("usa"),
    "const { getBalance, getCountries, getProxies, getPromoCodes, getExtensionQuote } = proxyrental;",
    "export const balance = await getBalance(), codes = await getPromoCodes();",
    'export const countries = await getCountries({ proxyType: "MOBILE" });',
    'export const proxies = usa.orderNumber.apply(() => getProxies({ proxyType: "IPv4" }));',
    'export const longer = usa.ipAddressIds.apply((ipAddressIds) => getExtensionQuote({ proxyType: "IPv4", ipAddressIds, rentPeriodDays: 60 }));',
  );
  const wrong = program(
    'export const countries = await proxyrental.getCountries({ proxyType: "x" });',
  );
  const readsDiffer = "the plugin answers them in the process that reads for the resources too";
  await playOnBoth({ program: asking, readsDiffer }, async ({ stack, succeed, rewrite }) => {
    const { resources } = await succeed("up");
    expect(JSON.stringify(resources)).toContain("SPRING10");
    await rewrite(wrong);
    // Not compared further: around the reason the engine and its SDK word what a plugin's function refuses.
    expect(await stack.fail("preview")).toContain(
      'must be one of IPv4, IPv6, MOBILE, ISP, not "x"',
    );
  });
});
