import { expect, it } from "vitest";
import { proxyTypes } from "../../../../provider/client/index.ts";
import { order, output, secret, program as typescript } from "../../../support/program.ts";
import { playOnBoth, type WriteProgram } from "./both-hosts.ts";

it("inputs unknown before up are planned, checked, bought or refused, on both hosts alike", async () => {
  const later =
    (args: object): WriteProgram =>
    ({ program, laterValue, order }) =>
      program(laterValue("size", 3), order("usa", { quantity: output("size.value"), ...args }));
  await playOnBoth({ program: later({ maxPrice: 4 }) }, async ({ fail, succeed, rewrite }) => {
    const plan = await succeed("preview");
    const quotes = plan.steps.map(({ inputs }) => inputs.quote);
    expect(quotes).toContainEqual({
      ...{ effect: "unknown", priceAtMost: 4, balance: 1000, currency: "USD" },
    });
    expect((await fail("up")).refusals.join()).toContain("above the 4.00 USD that is allowed");
    await rewrite(later({ protocol: "HTTP" }));
    await fail("preview");
    await rewrite(later({}));
    await succeed("preview");
    expect((await succeed("up")).spending.charges).toEqual(["4.20"]);
    await succeed("up", "--refresh");
  });
});

it("secret arguments, whole or in part, stay secret, on both hosts alike", async () => {
  const [one, two] = [output("usa.ipAddressIds[0]"), output("usa.ipAddressIds[1]")];
  const hushed =
    (goal: string): WriteProgram =>
    ({ program, order, autoExtension, stackOutputs }) =>
      program(
        order("usa", { quantity: 2, goal: secret(goal) }),
        autoExtension("keep", "usa", { ipAddressIds: [secret(one), two] }),
        stackOutputs({ number: output("usa.orderNumber"), urls: output("usa.urls") }),
      );
  await playOnBoth({ program: hushed("quiet") }, async ({ succeed, rewrite }) => {
    await succeed("preview");
    const { resources } = await succeed("up");
    expect(JSON.stringify(resources)).toContain("quiet");
    await rewrite(hushed("quieter"));
    await succeed("up");
    await succeed("refresh");
  });
});

it("the functions return the same, and refuse for the same reason, on both hosts", async () => {
  const asking = typescript(
    order("usa"),
    "const { getBalance, getCountries, getProxies, getPromoCodes, getExtensionQuote } = proxyrental;",
    "export const balance = await getBalance(), codes = await getPromoCodes();",
    'export const countries = await getCountries({ proxyType: "MOBILE" });',
    'export const proxies = usa.orderNumber.apply(() => getProxies({ proxyType: "IPv4" }));',
    'export const longer = usa.ipAddressIds.apply((ipAddressIds) => getExtensionQuote({ proxyType: "IPv4", ipAddressIds, rentPeriodDays: 60 }));',
  );
  const wrong = typescript(
    'export const countries = await proxyrental.getCountries({ proxyType: "x" });',
  );
  const readsDiffer = "the plugin answers them in the process that reads for the resources too";
  const inTypeScript = "what it does with an answer it could not do in YAML";
  await playOnBoth(
    { program: () => asking, readsDiffer, inTypeScript },
    async ({ stack, succeed, rewrite }) => {
      const { resources } = await succeed("up");
      expect(JSON.stringify(resources)).toContain("SPRING10");
      await rewrite(() => wrong);
      // Only the reason is compared. If a function of the plugin refuses, the engine adds words of its own.
      expect(await stack.fail("preview")).toContain(
        `must be one of ${proxyTypes.join(", ")}, not "x"`,
      );
    },
  );
});
