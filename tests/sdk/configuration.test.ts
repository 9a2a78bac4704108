import * as pulumi from "@pulumi/pulumi";
import { expect, test } from "vitest";
import { assertConfiguration } from "../../sdk/configuration.ts";
import { usualArgs } from "../support/program.ts";
import { openStack } from "./stack.ts";

const needed = { baseUrl: "https://proxies.example", apiKey: "k3y-of-mine" };

test.each([
  [
    "misspelled",
    { maxspend: "10" },
    "proxyrental:maxspend is not a setting; accepted: baseUrl, apiKey, maxSpend",
  ],
  ["unknown to this release", { retries: "3" }, "proxyrental:retries is not a setting"],
  ["empty", { maxSpend: "" }, "proxyrental:maxSpend is empty"],
  ["an empty list", { foreignOrders: "" }, "proxyrental:foreignOrders is empty"],
])(
  "a setting that is %s stops the program before anything is planned",
  async (_what, config, told) => {
    const sdk = await openStack({ ...needed, ...config });
    const declarations = [
      () => new sdk.ProxyOrder("usa", { ...usualArgs, proxyType: "IPv4" }),
      () => new sdk.IpAutoExtend("on", { proxyType: "IPv4", ipAddressIds: [], rentPeriodDays: 30 }),
      () =>
        new sdk.IpExtension("longer", {
          ...{ proxyType: "IPv4", ipAddressIds: [], rentPeriodDays: 30, paidThrough: "2026-12-24" },
        }),
    ];
    for (const declare of declarations) {
      expect(declare).toThrow(`CONFIGURATION_INVALID: ${told}`);
      expect(declare).toThrow("Nothing was bought");
      expect(declare).toThrow(sdk.ProgramError);
    }
    await expect(sdk.getBalance()).rejects.toMatchObject({ code: "CONFIGURATION_INVALID" });
  },
);

test("all of them are reported at once, and no value is repeated", async () => {
  await openStack({ ...needed, apikey: "k3y-of-the-account", maxSpend: "", maxspend: "" });
  const assertion = () => assertConfiguration();
  expect(assertion).toThrow(
    /proxyrental:apikey is not .*; proxyrental:maxspend is not .*; proxyrental:maxSpend is empty\./,
  );
  expect(assertion).not.toThrow("k3y");
});

test.each(["proxyRental", "proxy-rental", "pulumi-proxyrental", "ProxyRental"])(
  "a limit under the namespace %s limits nothing, so it stops the program",
  async (namespace) => {
    await openStack(needed);
    pulumi.runtime.setConfig(`${namespace}:maxSpend`, "10");
    expect(() => assertConfiguration()).toThrow(
      `${namespace}:maxSpend is not read; settings begin with proxyrental:`,
    );
  },
);

test("settings of Pulumi itself and of other packages are no mistake", async () => {
  await openStack({ ...needed, version: "0.1.0", pluginDownloadURL: "https://get.example" });
  pulumi.runtime.setConfig("fleet:maxspend", "10");
  expect(() => assertConfiguration()).not.toThrow();
});
