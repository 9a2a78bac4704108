import { expect, test } from "vitest";
import { AFTER_END, serviceFailure } from "../../support/fake-service.ts";
import { beginRun, failureOf, given, ownerOf, type Run } from "../../support/orders-under-test.ts";

const HINT = "adoptOrderNumber takes such an order over instead, free of charge";

/** A run that has let an order of the stack go, and a later one. */
async function letGo(): Promise<Run> {
  const first = beginRun();
  const { state } = await first.buy("fleet");
  const second = beginRun({ service: first.service });
  await second.orders.delete(state);
  return beginRun({ service: first.service });
}

async function planned(run: Run, name: string, args = {}): Promise<string> {
  await run.plan(name, args);
  return run.log.lines.join("\n");
}

test("who buys what the stack has let go is told of the paid order, by each name of the resource", async () => {
  const run = await letGo();
  const said = await planned(run, "fleet");
  expect(said).toContain(HINT);
  expect(said).toMatch(/let go of order \d+ \(5 IPv4 proxies in USA\), paid until 2026-03-31: /);
  expect(await planned(beginRun({ service: run.service }), "renamed", { quantity: 2 })).toContain(
    HINT,
  );
});

test("nothing is told of other proxies, and of what has ended", async () => {
  const run = await letGo();
  expect(await planned(run, "fleet", { country: "DEU" })).not.toContain(HINT);
  run.service.now = new Date(AFTER_END);
  expect(await planned(beginRun({ service: run.service }), "fleet")).not.toContain(HINT);
});

test("the named order is taken over", async () => {
  const run = await letGo();
  const [, number] = /order (\d+)/.exec(await planned(run, "fleet")) ?? [];
  const next = beginRun({ service: run.service });
  const check = await next.orders.check(
    ownerOf("fleet"),
    undefined,
    given({ adoptOrderNumber: number }),
  );
  expect(check.checked.quote).toMatchObject({ effect: "adopt", price: 0 });
});

test("nothing is told to another stack, and of what was never placed", async () => {
  const run = await letGo();
  await run.orders.check(ownerOf("fleet").replace(":dev:", ":test:"), undefined, given());
  expect(run.log.lines.join("\n")).not.toContain(HINT);

  const refused = beginRun();
  refused.service.before.createOrder = async () => {
    throw serviceFailure("rejected");
  };
  await failureOf(refused.orders.create(await refused.plan("fleet")));
  delete refused.service.before.createOrder;
  expect(await planned(beginRun({ service: refused.service }), "fleet")).not.toContain(HINT);
});

test.each(["goneOrders", "foreignOrders"] as const)(
  "nothing is told of an order in %s",
  async (setting) => {
    const { service } = await letGo();
    const orders = new Set([service.orders[0]?.orderNumber ?? ""]);
    const run = beginRun({ service, settings: { [setting]: orders, lookBackMinutes: 0 } });
    expect(await planned(run, "fleet")).not.toContain(HINT);
  },
);

test("nothing is told of an order that is not listed, or that the run has met in the state", async () => {
  const { service } = await letGo();
  const number = service.orders[0]?.orderNumber ?? "";
  const { records } = service;
  service.records = [];
  const blind = beginRun({ service, settings: { lookBackMinutes: 0 } });
  expect(await planned(blind, "fleet")).not.toContain(HINT);
  service.records = records;
  service.before.listProxies = async ({ proxyType }) =>
    proxyType === "IPv4"
      ? undefined
      : { totalElements: 0, totalPages: 0, content: [], answeredAt: service.now };
  const { state } = await beginRun({ service }).orders.import(ownerOf("again"), number);
  const run = beginRun({ service });
  await run.orders.read(state);
  expect(await planned(run, "fleet")).not.toContain(HINT);
});
