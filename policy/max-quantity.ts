import { z } from "zod";
import { countryCode, proxyCount } from "./config-values.ts";
import { notKnown, parseInput } from "./inputs.ts";
import { parsePlannedSpend } from "./planned-spend.ts";
import { kindOf } from "./resource-kind.ts";
import { defineRunPolicy } from "./run-policy.ts";

const config = z.strictObject({
  perOrder: proxyCount.optional().describe("Most proxies that one order may come to."),
  byCountry: z
    .record(countryCode, proxyCount)
    .default({})
    .describe("Most proxies of the stack in a country, by ISO 3166-1 alpha-3 code."),
  perStack: proxyCount.optional().describe("Most proxies that all orders of the stack hold."),
});

/** Numbers of proxies. Without one every number passes. */
export type MaxQuantityConfig = z.input<typeof config>;

type Config = z.output<typeof config>;

/** An order of the stack, bought now or before. */
interface Fleet {
  name: string;
  /** Undefined while it is not known. */
  quantity: number | undefined;
  /** Undefined while it is not known. */
  country: string | undefined;
  buys: boolean;
}

/**
 * Judges how many proxies an order, a country and a stack come to, when one is bought. What is paid stays as it is,
 * but counts. In an up without preview, a purchase does not count orders that the engine has not reached yet; at the
 * end all of them count. An extension buys no further proxies.
 */
export const maxQuantity = defineRunPolicy({
  name: "max-quantity",
  description: "Orders, countries and stacks must not come to more proxies than is allowed.",
  config,
  read({ type, name, props }): Fleet | undefined {
    if (kindOf(type) !== "ProxyOrder") return undefined;
    const { country, spends } = parsePlannedSpend({ props });
    const quantity = parseInput(props, "quantity", proxyCount);
    return { name, country, buys: spends, quantity: quantity === notKnown ? undefined : quantity };
  },
  judge: (fleet, all, limits) => (fleet.buys ? findExcess(fleet, all, limits) : undefined),
  judgeAll(all, limits) {
    const fleets = [...all.values()];
    for (const [urn, fleet] of all) {
      const fault = fleet.buys && findExcess(fleet, fleets, { ...limits, perOrder: undefined });
      // One violation is enough: the others belong to it.
      if (fault) return [{ message: `${fleet.name}: ${fault}`, urn }];
    }
    return [];
  },
});

function findExcess(
  { quantity, country }: Fleet,
  all: readonly Fleet[],
  { perOrder, perStack, byCountry }: Config,
): string | undefined {
  const countries = Object.keys(byCountry);
  if (perOrder === undefined && perStack === undefined && countries.length === 0) return undefined;
  if (quantity === undefined) {
    return "its quantity is not known yet, so it can't be held against max-quantity. Give a quantity that is known at preview.";
  }
  if (country === undefined && countries.length > 0) {
    return "its country is not known yet, so it can't be held against max-quantity. Give a country that is known at preview.";
  }
  const inCountry = all.filter((fleet) => fleet.country === country);
  const counts: [what: string, count: number, key: string, max: number | undefined][] = [
    ["the order comes to", quantity, "perOrder", perOrder],
    [
      `the stack comes in ${country} to`,
      sum(inCountry),
      `byCountry.${country}`,
      byCountry[country ?? ""],
    ],
    ["the stack comes to", sum(all), "perStack", perStack],
  ];
  for (const [what, count, key, max] of counts) {
    if (max === undefined || count <= max) continue;
    return `${what} ${count} proxies, more than the ${max} that ${key} allows. Buy fewer, or raise ${key} in the config of max-quantity.`;
  }
  return undefined;
}

function sum(fleets: readonly Fleet[]): number {
  return fleets.reduce((total, { quantity = 0 }) => total + quantity, 0);
}
