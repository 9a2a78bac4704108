import { describe, expect, test } from "vitest";
import { createNewestOrder } from "../../../provider/core/account/newest-order.ts";
import { createPageReader } from "../../../provider/core/account/page-reader.ts";
import { createManualClock } from "../support/account-under-test.ts";
import { createFakeService, record } from "../support/fake-service.ts";
import { beginRun } from "../support/orders-under-test.ts";

const rowsOf = (orderId: string, count: number) =>
  Array.from({ length: count }, (_, index) => record(orderId, index + 1));

/** An account whose listing has been read to its end once, with ten records in a page. */
async function makeAccount(listed: number) {
  const service = createFakeService({ pageSize: 10 });
  service.records = rowsOf("1", listed);
  const pages = createPageReader(service, createManualClock());
  const newest = createNewestOrder(pages);
  for (let page = 0; page * 10 < listed; page++) await pages.read("IPv4", page);
  service.calls.listProxies = 0;
  return { service, newest };
}

describe("an order that was just bought", () => {
  test.each([
    ["on a new page", 20, 5, 1],
    ["on the last page", 25, 5, 1],
    ["over the edge of the last page", 25, 8, 2],
  ])("is found %s", async (_where, before, count, pages) => {
    const { service, newest } = await makeAccount(before);
    service.records.push(...rowsOf("2", count));
    const seen = await newest.look("IPv4", "2", count);
    expect(seen?.records.filter(({ orderId }) => orderId === "2")).toHaveLength(count);
    expect(service.calls.listProxies).toBe(pages);
  });

  test("is found behind what others have bought meanwhile, and where something has ended", async () => {
    const { service, newest } = await makeAccount(25);
    service.records.push(...rowsOf("3", 30), ...rowsOf("2", 4));
    expect(await newest.look("IPv4", "2", 4)).toBeUndefined();
    service.records = [...rowsOf("1", 2), ...rowsOf("4", 5)];
    expect(await newest.look("IPv4", "4", 5)).toBeDefined();
  });

  test("is found at the other end as well, once it was seen there", async () => {
    const { service, newest } = await makeAccount(25);
    service.records.unshift(...rowsOf("2", 5));
    expect(await newest.look("IPv4", "2", 5)).toBeUndefined();
    newest.learn("IPv4", "2", service);
    service.records.unshift(...rowsOf("3", 12));
    service.calls.listProxies = 0;
    expect(await newest.look("IPv4", "3", 12)).toBeDefined();
    expect(service.calls.listProxies).toBe(2);
  });

  test("teaches nothing where it is not listed yet, or is all that is listed", async () => {
    const { service, newest } = await makeAccount(25);
    newest.learn("IPv4", "1", service);
    newest.learn("IPv4", "2", service);
    service.records.push(...rowsOf("2", 5));
    expect(await newest.look("IPv4", "2", 5)).toBeDefined();
    newest.learn("IPv4", "3", { records: [...rowsOf("3", 5), ...rowsOf("1", 25)] });
    newest.learn("IPv4", "4", service);
    service.records.unshift(...rowsOf("4", 5));
    expect(await newest.look("IPv4", "4", 5)).toBeDefined();
  });

  test("is not taken for whole if only a part of it is listed, or if a proxy is listed twice", async () => {
    const { service, newest } = await makeAccount(20);
    service.records.push(...rowsOf("2", 4));
    expect(await newest.look("IPv4", "2", 5)).toBeUndefined();
    service.records.push(record("2", 4));
    expect(await newest.look("IPv4", "2", 5)).toBeUndefined();
  });

  test("is looked for in the whole listing if that is one page, or was never read", async () => {
    const { newest } = await makeAccount(5);
    expect(await newest.look("IPv4", "2", 5)).toBeUndefined();
    const fresh = createNewestOrder(createPageReader(createFakeService(), createManualClock()));
    expect(await fresh.look("IPv4", "2", 5)).toBeUndefined();
  });

  test("never passes for a whole listing: what it lacks may be elsewhere", async () => {
    const { service, newest } = await makeAccount(20);
    service.records.push(...rowsOf("2", 5));
    expect((await newest.look("IPv4", "2", 5))?.contradiction).toContain("only a part");
  });
});

test("a run that buys many orders reads little more than a page for each", async () => {
  const run = beginRun({ service: { pageSize: 10, balance: 1_000 } });
  run.service.records = rowsOf("1", 9);
  for (let n = 0; n < 20; n++) await run.buy(`fleet-${n}`);
  expect(run.service.orders).toHaveLength(20);
  expect(run.service.calls.listProxies).toBeLessThan(20 * 2 + 20);
});
