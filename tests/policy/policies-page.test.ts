import { expect, test } from "vitest";
import { z } from "zod";
import * as policyPackage from "../../policy/index.ts";
import { namedRows, readPage } from "../support/docs.ts";

const { spendPolicies } = policyPackage;

const page = readPage("docs/policies.md");

const propertiesSchema = z.record(z.string(), z.object({ default: z.unknown() }).partial());

/** The keys of a config as the page writes them: "`max` (100), `byProxyType`". */
function describeConfig(properties: unknown): string {
  return Object.entries(propertiesSchema.parse(properties ?? {}))
    .map(([key, { default: value }]) =>
      typeof value === "number" ? `\`${key}\` (${value})` : `\`${key}\``,
    )
    .join(", ");
}

test("the page's table has each policy with its default level and config", () => {
  const rows = namedRows(page).map(([name, , level, config]) => [name, level, config]);
  const policies = spendPolicies().map(({ name, enforcementLevel, configSchema }) => [
    `\`${name}\``,
    enforcementLevel,
    describeConfig(configSchema?.properties),
  ]);
  expect(rows).toEqual(policies);
});

test("each policy is a const of the package, except the one without an effect of its own", () => {
  const exported = Object.values(policyPackage).flatMap((value) =>
    "name" in value && "validateResource" in value ? [value.name] : [],
  );
  const names = spendPolicies().map(({ name }) => name);
  expect(["exceptions", ...exported].toSorted()).toEqual(names.toSorted());
});

test("the page's limits are accepted as they are written", () => {
  const policies = spendPolicies(JSON.parse(page.block("json")));
  const find = (name: string) => policies.find((policy) => policy.name === name);
  expect(find("max-order-price")?.configSchema?.properties.max?.default).toBe(50);
  expect(find("no-replacement")?.enforcementLevel).toBe("mandatory");
  expect(find("exceptions")?.configSchema?.properties.list?.default).toHaveLength(1);
});
