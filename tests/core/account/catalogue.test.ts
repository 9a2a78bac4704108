import { describe, expect, test } from "vitest";
import {
  createCatalogue,
  findNotOffered,
  type Offer,
} from "../../../provider/core/account/catalogue.ts";
import type { OrderArgs } from "../../../provider/core/order/model/args.ts";
import { createFakeService, serviceFailure } from "../support/fake-service.ts";

const offer: Offer = {
  countries: ["DEU", "POL"],
  rentPeriodDays: [30, 360],
  operators: { DEU: [{ mobileOperator: "telekom", rotationTimes: [120, 300] }] },
};

const mobile = {
  proxyType: "MOBILE",
  country: "DEU",
  rentPeriodDays: 30,
  mobileOperator: "telekom",
  rotationTime: 300,
} as const satisfies Partial<OrderArgs>;

describe("findNotOffered", () => {
  test.each<[string, Partial<OrderArgs>, string[]]>([
    ["nothing, if all is on offer", mobile, []],
    ["no unknown argument", { proxyType: "MOBILE" }, []],
    [
      "the country",
      { ...mobile, country: "USA" },
      ["country: USA is not offered for MOBILE; accepted: DEU, POL"],
    ],
    [
      "the period",
      { ...mobile, rentPeriodDays: 60 },
      ["rentPeriodDays: 60 is not offered for MOBILE; accepted: 30, 360"],
    ],
    [
      "the operator",
      { ...mobile, mobileOperator: "ee" },
      ["mobileOperator: ee is not offered in DEU; accepted: telekom"],
    ],
    [
      "the operator if the country has none",
      { ...mobile, country: "POL" },
      ["mobileOperator: telekom is not offered in POL; accepted: none at present"],
    ],
    [
      "the rotation time",
      { ...mobile, rotationTime: 60 },
      ["rotationTime: 60 is not offered by telekom; accepted: 120, 300"],
    ],
    [
      "country and period at once, but no operator of a country not on offer",
      { ...mobile, country: "USA", rentPeriodDays: 1, mobileOperator: "ee" },
      [
        "country: USA is not offered for MOBILE; accepted: DEU, POL",
        "rentPeriodDays: 1 is not offered for MOBILE; accepted: 30, 360",
      ],
    ],
    [
      "period and operator at once",
      { ...mobile, rentPeriodDays: 1, mobileOperator: "ee" },
      [
        "rentPeriodDays: 1 is not offered for MOBILE; accepted: 30, 360",
        "mobileOperator: ee is not offered in DEU; accepted: telekom",
      ],
    ],
  ])("names %s", (_what, args, expected) => {
    const found = findNotOffered(args, offer);
    expect(found.map(({ property, reason }) => `${property}: ${reason}`)).toEqual(expected);
  });
});

describe("the catalogue", () => {
  test("is read once, however many orders need it at the same time", async () => {
    const service = createFakeService();
    const catalogue = createCatalogue(service);
    const asked = Array.from({ length: 50 }, () => catalogue.failuresOf(mobile));
    expect(new Set((await Promise.all(asked)).flat())).toEqual(new Set());
    await catalogue.failuresOf(mobile);
    const { listProxyTypes, listCountries, listRentPeriods, listMobileOperators } = service.calls;
    expect([listProxyTypes, listCountries, listRentPeriods, listMobileOperators]).toEqual([
      1, 1, 1, 1,
    ]);
  });

  test("reads operators for MOBILE only, and nothing without a type", async () => {
    const service = createFakeService();
    const catalogue = createCatalogue(service);
    await catalogue.failuresOf({ country: "USA" });
    expect(service.calls.listProxyTypes).toBe(0);
    await catalogue.failuresOf({ proxyType: "IPv4", country: "USA" });
    expect(service.calls.listMobileOperators).toBe(0);
  });

  test("refuses a type that is not on offer, and names those that are", async () => {
    const service = createFakeService();
    // The service may refuse to tell the offer of such a type.
    service.before.listCountries = async () => {
      throw serviceFailure("rejected");
    };
    expect(await createCatalogue(service).failuresOf({ proxyType: "ISP" })).toEqual([
      { property: "proxyType", reason: "ISP is not offered; accepted: IPv4, IPv6, MOBILE" },
    ]);
  });

  test("is asked for types and for an offer at the same time", async () => {
    const service = createFakeService();
    const bothAsked = Promise.withResolvers<undefined>();
    service.before.listProxyTypes = () => bothAsked.promise;
    service.before.listCountries = async () => {
      bothAsked.resolve(undefined);
      return undefined;
    };
    expect(await createCatalogue(service).failuresOf(mobile)).toEqual([]);
  });

  test("forgets a failure, so that the next order asks again", async () => {
    const service = createFakeService();
    service.before.listCountries = async () => {
      throw serviceFailure("rejected");
    };
    const catalogue = createCatalogue(service);
    await expect(catalogue.failuresOf(mobile)).rejects.toThrow("No");
    delete service.before.listCountries;
    expect(await catalogue.failuresOf(mobile)).toEqual([]);
  });
});
