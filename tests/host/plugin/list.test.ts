import { expect, test } from "vitest";
import type { Simulator } from "../../../simulator/index.ts";
import { startForTest } from "../../simulator/start.ts";
import { spendingOf } from "../../support/spending.ts";
import { configOf, startPlugin } from "./plugin-process.ts";

const bought = { proxyType: "IPv4", country: "USA", quantity: 2, rentPeriodDays: 30 } as const;

/** Three orders of two types and two countries, and the plugin of their account. */
async function startScene() {
  const simulator = await startForTest();
  const orders = [
    simulator.placeForeignOrder(bought),
    simulator.placeForeignOrder({ ...bought, country: "DEU" }),
    simulator.placeForeignOrder({ ...bought, proxyType: "ISP" }),
  ];
  const [usa = "", deu = "", isp = ""] = orders.map(({ orderNumber }) => orderNumber);
  const plugin = await startPlugin();
  await plugin.configure(configOf(simulator));
  return { simulator, plugin, usa, deu, isp };
}

const idsOf = ({ found }: { found: { id: string }[] }) => found.map(({ id }) => id);

const callsOf = (simulator: Simulator, endpoint: string) =>
  simulator.requests().filter((request) => request.endpoint === endpoint).length;

test("a list names all orders by the ids that an import takes, reads each type once, and spends nothing", async () => {
  const { simulator, plugin, usa, deu, isp } = await startScene();
  const before = spendingOf(simulator);
  const listed = await plugin.list("ProxyOrder");
  expect(listed).toEqual({
    ...{ continuation: "", computed: false },
    found: [
      { id: usa, name: `usa-${usa}` },
      { id: deu, name: `deu-${deu}` },
      { id: isp, name: `usa-${isp}` },
    ],
  });
  expect(callsOf(simulator, "listProxies")).toBe(4);
  for (const { id, name } of listed.found) {
    expect((await plugin.resource("ProxyOrder", name).read({ id })).id).toBe(id);
  }
  expect(spendingOf(simulator)).toEqual(before);
  await plugin.stop();
  expect(plugin.printed()).toBe("");
});

test("an order that has ended is not listed", async () => {
  const { simulator, plugin } = await startScene();
  simulator.advance({ days: 31 });
  expect(idsOf(await plugin.list("ProxyOrder"))).toEqual([]);
});

test("a query narrows the list; what it can't read is refused, and what is not known yet is left open", async () => {
  const { plugin, usa, isp } = await startScene();
  expect(idsOf(await plugin.list("ProxyOrder", { country: "USA" }))).toEqual([usa, isp]);
  expect(idsOf(await plugin.list("ProxyOrder", { proxyType: "ISP" }))).toEqual([isp]);
  await expect(plugin.list("ProxyOrder", { country: "usa", colour: "red" })).rejects.toThrow(
    /INPUT_INVALID: country must be an ISO 3166-1 alpha-3 code in capitals, for instance USA, not "usa"; colour is not an argument; accepted: proxyType, country. Nothing was listed/,
  );
  const later = await plugin.list("ProxyOrder", {
    country: "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
  });
  expect(later).toEqual({ found: [], continuation: "", computed: true });
});

test("pages come to the whole list, and none is more than was asked for", async () => {
  const { simulator, plugin, usa, deu, isp } = await startScene();
  const first = await plugin.list("ProxyOrder", {}, { pageSize: 2 });
  expect(idsOf(first)).toEqual([usa, deu]);
  const { continuation } = first;
  const last = await plugin.list("ProxyOrder", {}, { pageSize: 2, continuation });
  expect(idsOf(last)).toEqual([isp]);
  expect(last.continuation).toBe("");
  const two = await plugin.list("ProxyOrder", {}, { limit: 2 });
  expect([idsOf(two), two.continuation]).toEqual([[usa, deu], ""]);
  simulator.advance({ days: 31 });
  const later = await startPlugin();
  await later.configure(configOf(simulator));
  await expect(later.list("ProxyOrder", {}, { continuation })).rejects.toThrow(
    /INPUT_INVALID: the list can't go on after \S+, which the account no longer holds/,
  );
});

test("a list that can't be complete is an error, and names no order", async () => {
  const { simulator, plugin } = await startScene();
  const fault = { kind: "status", status: 500 } as const;
  simulator.addFault({ endpoint: "listProxies", phase: "before", fault });
  await expect(plugin.list("ProxyOrder")).rejects.toThrow(
    /SERVICE_HTTP_STATUS: .*Nothing was bought/,
  );
});

test("what has no id is not listed, and neither is what is not of this package", async () => {
  const { simulator, plugin } = await startScene();
  const before = spendingOf(simulator);
  for (const kind of ["IpAutoExtend", "IpExtension"]) {
    await expect(plugin.list(kind)).rejects.toThrow(
      new RegExp(`the service knows no ${kind} by an id, so there is nothing to list`),
    );
  }
  await expect(plugin.list("Fleet")).rejects.toThrow(/INPUT_INVALID: there is no resource/);
  expect(spendingOf(simulator)).toEqual(before);
});
