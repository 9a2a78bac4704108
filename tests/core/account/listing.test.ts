import { describe, expect, test } from "vitest";
import { type ProxyPage, ServiceError } from "../../../provider/client/index.ts";
import { createListing } from "../../../provider/core/account/listing.ts";
import { createPageReader } from "../../../provider/core/account/page-reader.ts";
import { createManualClock } from "../support/account-under-test.ts";
import { createFakeService, record, serviceFailure, WHILE_PAID } from "../support/fake-service.ts";
import { beginRun, failureOf } from "../support/orders-under-test.ts";

function listingOf(count: number, pageSize: number) {
  const service = createFakeService({ pageSize });
  service.records = Array.from({ length: count }, (_, index) => record("7000", index + 1));
  const clock = createManualClock();
  return { service, clock, listing: createListing(createPageReader(service, clock), clock) };
}

describe("the listing", () => {
  test("is read once for a hundred orders that ask at the same time", async () => {
    const run = beginRun({ service: { pageSize: 25 } });
    const names = Array.from({ length: 100 }, (_, index) => `n${index}`);
    run.service.balance = 10_000;
    const states = [];
    for (const name of names) states.push((await run.buy(name)).state);
    const { orders, service } = beginRun({ service: run.service });
    service.calls.listProxies = 0;
    const found = await Promise.all(states.map((state) => orders.read(state)));
    expect(found.every(({ kind }) => kind === "present")).toBe(true);
    expect(service.calls.listProxies).toBe(20);
  });

  test("has all pages, whatever page size the service gives", async () => {
    const { listing, service } = listingOf(7, 3);
    const { records, asOf } = await listing.complete("IPv4");
    expect(records).toEqual(service.records);
    expect(asOf).toEqual(WHILE_PAID);
    expect(service.calls.listProxies).toBe(3);
  });

  test("of an empty account is empty, and takes one request", async () => {
    const { listing, service } = listingOf(0, 3);
    expect((await listing.complete("IPv4")).records).toEqual([]);
    expect(service.calls.listProxies).toBe(1);
  });

  test("that contradicts itself is not used if a consistent one is young enough", async () => {
    const { listing, service, clock } = listingOf(4, 3);
    const whole = await listing.partial("IPv4", { maxAgeMs: 30_000 });
    clock.advance(20_000);
    const { records } = service;
    service.before.listProxies = async ({ page }) => {
      service.records = records.slice(page);
      return undefined;
    };
    expect(
      (await listing.partial("IPv4", { begunAfterMs: clock.elapsedMs() - 1 })).contradiction,
    ).toBeDefined();
    service.calls.listProxies = 0;
    expect(await listing.partial("IPv4", { maxAgeMs: 30_000 })).toBe(whole);
    expect(service.calls.listProxies).toBe(0);
    clock.advance(10_000);
    expect((await listing.partial("IPv4", { maxAgeMs: 30_000 })).contradiction).toBeDefined();
  });

  test("is kept for half a minute, separately for each type", async () => {
    const { listing, service, clock } = listingOf(2, 3);
    await listing.complete("IPv4");
    clock.advance(29_999);
    await listing.complete("IPv4");
    expect(service.calls.listProxies).toBe(1);
    await listing.complete("ISP");
    expect(service.calls.listProxies).toBe(2);
    clock.advance(1);
    await listing.complete("IPv4");
    expect(service.calls.listProxies).toBe(3);
  });

  test("is read anew after the machine has slept, also where one of some seconds ago would do", async () => {
    const { listing, service, clock } = listingOf(1, 3);
    await listing.complete("IPv4");
    clock.suspend(30_000);
    await listing.complete("IPv4");
    clock.suspend(30_000);
    await listing.partial("IPv4", { maxAgeMs: 30_000 });
    expect(service.calls.listProxies).toBe(3);
  });

  test("is read again after a change of ours", async () => {
    const { listing, service } = listingOf(2, 3);
    await listing.complete("IPv4");
    listing.invalidate();
    await listing.complete("IPv4");
    expect(service.calls.listProxies).toBe(2);
  });

  test("is not given to those who ask after a change if it was begun before", async () => {
    const { listing, service, clock } = listingOf(1, 3);
    const slow = Promise.withResolvers<undefined>();
    service.before.listProxies = () => slow.promise;
    const before = listing.complete("IPv4");
    await Promise.resolve();
    clock.advance(1);
    listing.invalidate();
    const after = Array.from({ length: 10 }, () => listing.complete("IPv4"));
    service.before.listProxies = async () => {
      service.records = [];
      return undefined;
    };
    slow.resolve(undefined);
    expect((await before).records).toHaveLength(1);
    const newer = await Promise.all(after);
    expect(newer.every(({ records }) => records.length === 0)).toBe(true);
    expect(service.calls.listProxies).toBe(2);
  });

  test("is forgotten if it failed", async () => {
    const { listing, service } = listingOf(1, 3);
    service.before.listProxies = async () => {
      throw serviceFailure("rejected");
    };
    await expect(listing.complete("IPv4")).rejects.toBeInstanceOf(ServiceError);
    delete service.before.listProxies;
    expect((await listing.complete("IPv4")).records).toHaveLength(1);
  });

  test("fails as a whole if its second page fails", async () => {
    const { listing, service } = listingOf(7, 3);
    service.before.listProxies = async ({ page }) => {
      if (page === 1) throw serviceFailure("rejected");
      return undefined;
    };
    await expect(listing.complete("IPv4")).rejects.toBeInstanceOf(ServiceError);
  });
});

describe("a listing that contradicts itself", () => {
  const rows = [1, 2, 3, 4].map((number) => record("7000", number));
  const page = (totalElements: number, ...content: typeof rows): ProxyPage => ({
    totalElements,
    totalPages: 2,
    content,
  });
  const contradictions: [string, ProxyPage[]][] = [
    ["its total changed between pages", [page(4, ...rows.slice(0, 2)), page(5, ...rows.slice(2))]],
    [
      "it promised 4 records and gave 3",
      [page(4, ...rows.slice(0, 2)), page(4, ...rows.slice(2, 3))],
    ],
    ["it promised 4 records and gave 0", [page(4), page(4)]],
    ["a proxy is listed twice", [page(4, ...rows.slice(0, 2)), page(4, ...rows.slice(1, 3))]],
    ["it promised 3 records and gave 4", [page(3, ...rows.slice(0, 2)), page(3, ...rows.slice(2))]],
  ];

  test.each(contradictions)("is read again, then refused: %s", async (contradiction, pages) => {
    const { listing, service, clock } = listingOf(0, 2);
    service.before.listProxies = async ({ page: number }) => {
      const content = pages[number] ?? page(0);
      return { ...content, answeredAt: undefined };
    };
    const failure = await failureOf(listing.complete("IPv4"));
    expect(failure.code).toBe("LISTING_INCONSISTENT");
    expect(failure.message).toContain(contradiction);
    expect(failure.message).toContain("nothing was dropped from the state");
    expect(service.calls.listProxies).toBe(12);
    expect(clock.waits).toEqual([200, 400, 800, 1_600, 3_200]);
  });

  test("is used as soon as it is consistent", async () => {
    const { listing, service, clock } = listingOf(3, 2);
    service.before.listProxies = async () => {
      if (service.calls.listProxies > 2) return undefined;
      return { ...page(9, ...rows.slice(0, 1)), answeredAt: undefined };
    };
    expect((await listing.complete("IPv4")).records).toHaveLength(3);
    expect(clock.waits).toEqual([200]);
  });

  test("never makes an order count as gone", async () => {
    const { orders, service, buy } = beginRun();
    const { state } = await buy();
    service.now = new Date("2027-01-01T00:00:00Z");
    service.before.listProxies = async () => ({ ...page(4), answeredAt: service.now });
    expect((await failureOf(orders.read(state))).code).toBe("LISTING_INCONSISTENT");
  });
});
