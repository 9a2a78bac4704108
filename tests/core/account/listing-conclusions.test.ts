import { describe, expect, test } from "vitest";
import { createListing, type Reading } from "../../../provider/core/account/listing.ts";
import type { Snapshot } from "../../../provider/core/account/listing-pages.ts";
import { createPageReader } from "../../../provider/core/account/page-reader.ts";
import { createManualClock } from "../support/account-under-test.ts";
import {
  AFTER_END,
  createFakeService,
  record,
  showInstead,
  WHILE_PAID,
} from "../support/fake-service.ts";
import { failureOf } from "../support/orders-under-test.ts";

const HOUR_MS = 3_600_000;

/** A listing of three proxies. The machine's clock differs from the service's clock by `skewMs`. */
function listingOf({ skewMs = 0 } = {}) {
  const service = createFakeService();
  service.records = [1, 2, 3].map((number) => record("7000", number));
  const manual = createManualClock();
  const clock = {
    ...manual,
    now: () => new Date((service.now ?? WHILE_PAID).getTime() - skewMs),
  };
  const warnings: string[] = [];
  const listing = createListing(createPageReader(service, clock), clock, (message) =>
    warnings.push(message),
  );
  return { service, clock, warnings, listing };
}

/** Concludes that a proxy is not listed. */
function missing({ records }: Snapshot): Reading<number> {
  const rows = records.map(({ ipAddressId }) => ipAddressId);
  const lost = 3 - records.length;
  return { value: records.length, rows, costly: lost > 0 ? `${lost} are not listed` : undefined };
}

/** Concludes by the clock that a proxy has ended. */
function ended({ records, asOf }: Snapshot): Reading<boolean> {
  const isOver = asOf !== undefined && records.some(({ dateEnd = "" }) => new Date(dateEnd) < asOf);
  return { value: isOver, rows: [], costly: isOver ? "they have ended" : undefined };
}

describe("a conclusion from the listing", () => {
  test("reads one listing if it costs nothing", async () => {
    const { listing, service } = listingOf();
    expect(await listing.conclude("IPv4", missing)).toBe(3);
    expect(service.calls.listProxies).toBe(1);
  });

  test("reads a second listing, begun after the first, if it would cost money", async () => {
    const { listing, service, clock } = listingOf();
    service.records.pop();
    expect(await listing.conclude("IPv4", missing)).toBe(2);
    expect(service.calls.listProxies).toBe(2);
    expect(clock.waits).toEqual([2_000]);
  });

  test("is drawn for a hundred orders at once from two listings, and for a later one from the same two", async () => {
    const { listing, service } = listingOf();
    service.records.pop();
    const all = Array.from({ length: 100 }, () => listing.conclude("IPv4", missing));
    await Promise.all(all);
    await listing.conclude("IPv4", missing);
    expect(service.calls.listProxies).toBe(2);
  });

  test("is drawn from two new listings after a change of the account", async () => {
    const { listing, service } = listingOf();
    service.records.pop();
    await listing.conclude("IPv4", missing);
    listing.invalidate();
    await listing.conclude("IPv4", missing);
    expect(service.calls.listProxies).toBe(4);
  });

  test.each([
    ["the first is empty", [1], "3 are not listed", "that all of it is there"],
    ["a row is missing from the first", [1], "1 are not listed", "that all of it is there"],
  ])("fails if %s and the second is not, and names both", async (_what, readings, first, then) => {
    const { listing, service } = listingOf();
    showInstead(service, readings, (records) => records.slice(0, 3 - Number(first.slice(0, 1))));
    const failure = await failureOf(listing.conclude("IPv4", missing));
    expect(failure.code).toBe("LISTING_INCONSISTENT");
    expect(failure.message).toContain(`The first says: ${first}`);
    expect(failure.message).toContain(`The second, read after it, says: ${then}`);
    expect(failure.message).toContain("Nothing was bought");
  });

  test("fails if both lack as many rows, but different ones, because rows have moved", async () => {
    const { listing, service } = listingOf();
    let reading = 0;
    showInstead(service, "all", (records) => records.toSpliced(reading++, 1));
    const failure = await failureOf(listing.conclude("IPv4", missing));
    expect(failure.message).toContain("1 are not listed, by other rows");
  });

  test("is not drawn if the second listing can't be read", async () => {
    const { listing, service } = listingOf();
    service.records.pop();
    let reading = 0;
    service.before.listProxies = async () => {
      if (++reading > 1) throw new Error("down");
      return undefined;
    };
    await expect(listing.conclude("IPv4", missing)).rejects.toThrow("down");
    delete service.before.listProxies;
    expect(await listing.conclude("IPv4", missing)).toBe(2);
  });
});

describe("a conclusion by the service's clock", () => {
  const at = (now: Date | undefined, readings: readonly number[] | "all") => {
    const opened = listingOf();
    const own = opened.clock.now();
    opened.clock.now = () => own;
    showInstead(
      opened.service,
      readings,
      (records) => records,
      () => now,
    );
    return opened;
  };

  test("is drawn if two answers agree, though hours from our clock, with one warning", async () => {
    const { listing, service, warnings } = listingOf({ skewMs: 5 * HOUR_MS });
    service.now = AFTER_END;
    expect(await listing.conclude("IPv4", ended)).toBe(true);
    expect(await listing.conclude("IPv4", ended)).toBe(true);
    expect(warnings).toEqual([
      "the service's clock is 5.0 hours ahead of this machine's. The service's decides what has ended; set this machine's clock if it is the wrong one.",
    ]);
  });

  test("is not drawn by one wrong header", async () => {
    const { listing } = at(AFTER_END, [1]);
    expect((await failureOf(listing.conclude("IPv4", ended))).code).toBe("LISTING_INCONSISTENT");
  });

  test("is not drawn by a repeated wrong header, more than a day from our clock", async () => {
    const { listing } = at(AFTER_END, "all");
    const { code, message } = await failureOf(listing.conclude("IPv4", ended));
    expect(code).toBe("LISTING_INCONSISTENT");
    expect(message).toContain(AFTER_END.toISOString());
    expect(message).toContain(WHILE_PAID.toISOString());
  });

  test("is not drawn if the clock jumps between the two listings, though both have the same time", async () => {
    const { listing, service } = listingOf();
    const first = new Date(AFTER_END.getTime() - 6 * HOUR_MS);
    const own = first;
    let reading = 0;
    showInstead(
      service,
      "all",
      (records) => records,
      () => (++reading === 1 ? first : AFTER_END),
    );
    const clock = { ...createManualClock(), now: () => own };
    const { message } = await failureOf(
      createListing(createPageReader(service, clock), clock).conclude("IPv4", ended),
    );
    expect(message).toContain("s later");
    expect(await listing.conclude("IPv4", missing)).toBe(3);
  });

  test("is that nothing has ended if no header has the time", async () => {
    const { listing } = at(undefined, "all");
    expect(await listing.conclude("IPv4", ended)).toBe(false);
  });

  test("ignores the clock if it is drawn without it", async () => {
    const { listing, service } = at(AFTER_END, "all");
    service.records.pop();
    expect(await listing.conclude("IPv4", missing)).toBe(2);
  });
});

describe("the service's time", () => {
  test("needs no second listing if this machine's clock confirms it", async () => {
    const { listing, service } = listingOf();
    const seen = await listing.complete("IPv4");
    expect(await listing.time("IPv4", seen)).toEqual(WHILE_PAID);
    expect(service.calls.listProxies).toBe(1);
  });

  test("is the service's if two answers agree, though hours from our clock", async () => {
    const { listing, service } = listingOf({ skewMs: -5 * HOUR_MS });
    const now = await listing.time("IPv4", await listing.complete("IPv4"));
    expect(now.getTime() - WHILE_PAID.getTime()).toBeLessThan(2_000);
    expect(service.calls.listProxies).toBe(2);
  });

  test("is the earliest of all clocks if they do not agree", async () => {
    const { listing, service } = listingOf();
    showInstead(
      service,
      [1],
      (records) => records,
      () => AFTER_END,
    );
    const now = await listing.time("IPv4", await listing.complete("IPv4"));
    expect(now.getTime()).toBeLessThan(WHILE_PAID.getTime() + HOUR_MS);
  });
});
