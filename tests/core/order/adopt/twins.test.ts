import { describe, expect, test } from "vitest";
import { createRunRegistry } from "../../../../provider/core/account/run-registry.ts";
import type { OrderState } from "../../../../provider/core/order/model/state.ts";
import type { RunIdentity } from "../../../../provider/core/ports.ts";
import { isMove } from "../../../../provider/core/values/owner.ts";
import { ordered, spendingOf } from "../../../support/spending.ts";
import { setStage } from "../../support/cancellable-runs.ts";
import { createFakeService, record } from "../../support/fake-service.ts";
import { beginRun, failureOf, given, ownerOf } from "../../support/orders-under-test.ts";

const urn = (stack: string, type: string, name: string) =>
  `urn:pulumi:${stack}::fleet::${type}::${name}`;

const dynamicType = "pulumi-nodejs:dynamic/proxyrental:ProxyOrder";

const pluginType = "proxyrental:index:ProxyOrder";

test.each([
  [urn("dev", pluginType, "usa"), `org/${urn("dev", dynamicType, "usa")}`, true],
  [urn("dev", pluginType, "usa-2"), `org/${urn("dev", dynamicType, "usa")}`, true],
  [
    urn("dev", `a:b:C$${pluginType}`, "usa"),
    `org/${urn("dev", `a:b:C$${dynamicType}`, "usa")}`,
    true,
  ],
  [urn("prod", pluginType, "usa"), `org/${urn("dev", dynamicType, "usa")}`, false],
  [urn("dev", pluginType, "usa"), urn("dev", pluginType, "deu"), false],
  [`org/${urn("dev", dynamicType, "usa")}`, `org/${urn("dev", dynamicType, "deu")}`, false],
  [urn("dev", pluginType, "usa"), `staging|org/${urn("dev", dynamicType, "usa")}`, false],
  [`a|${urn("dev", pluginType, "usa")}`, `b|org/${urn("dev", dynamicType, "usa")}`, false],
  ["somebody", urn("dev", dynamicType, "usa"), false],
])("a stack that moves to the other host keeps its orders: %s from %s is %j", (...row) => {
  const [owner, other, expected] = row;
  expect(isMove(owner, other)).toBe(expected);
});

/** One order in the states of two resources, with automatic extension; and a later run that has not read them yet. */
async function twins() {
  const service = createFakeService();
  for (let n = 1; n <= 5; n++) {
    service.records.push(record("9000", n, { extendInfo: { autoExtend: true, extendDays: 30 } }));
  }
  const adopting = { adoptOrderNumber: "9000" };
  const a = await beginRun({ service }).buy("a", adopting);
  const b = await beginRun({ service }).buy("b", adopting);
  return { service, a, b, run: beginRun({ service }) };
}

const offOnce = [expect.objectContaining({ autoExtend: false })];

describe("an order that two resources own", () => {
  test("causes one warning for each in a run, and nothing is bought", async () => {
    const { service, a, b, run } = await twins();
    for (const { state, inputs } of [a, b, a, b, a]) {
      await run.orders.check(state.owner, inputs, given({ adoptOrderNumber: "9000" }));
      await run.orders.diff(state, inputs, new Set());
    }
    expect(run.log.warnings).toEqual([
      expect.stringMatching(/^order 9000 is in the state of b and of a: two resources can't own/),
      expect.stringMatching(/^order 9000 is in the state of a and of b: /),
    ]);
    expect(service.calls.createOrder).toBe(0);
  });

  test.each([
    ["one that the program declares", true],
    ["one that only a refresh has met", false],
  ])("goes on renewing when one of them is deleted: the other is %s", async (_what, declared) => {
    const { service, a, b, run } = await twins();
    if (declared) await run.orders.check(a.state.owner, a.inputs, given());
    await run.orders.read(a.state);
    await run.orders.delete(b.state);
    expect(service.switches).toEqual([]);
    expect(run.log.lines).toContain(
      "b: order 9000 is left to a, which owns it as well; its auto-extension stays as it is",
    );
  });

  test("renews no more when both are deleted, one after the other", async () => {
    const { service, a, b, run } = await twins();
    for (const { state } of [a, b]) await run.orders.read(state);
    await run.orders.delete(b.state);
    expect(service.switches).toEqual([]);
    await run.orders.delete(a.state);
    expect(service.switches).toEqual(offOnce);
  });

  test("renews no more when both are deleted at the same time", async () => {
    const { service, a, b, run } = await twins();
    for (const { state } of [a, b]) await run.orders.read(state);
    await Promise.all([a, b].map(({ state }) => run.orders.delete(state)));
    // Each switches off what its own state has as on.
    expect(service.switches).toEqual([...offOnce, ...offOnce]);
    expect(service.records.some(({ extendInfo }) => extendInfo.autoExtend)).toBe(false);
  });

  test("belongs to the other alone after one of them was found gone", async () => {
    const registry = createRunRegistry(
      async () => undefined,
      () => 0,
    );
    const order = { proxyType: "IPv4", names: ["9000"] } as const;
    await registry.hold("a", "1", [order]);
    await registry.hold("b", "2", [order]);
    const sought = { ...order, requestId: "2" };
    expect(registry.otherHolderOf("b", sought)).toBe("a");
    await registry.end("a", [order], ["9000"]);
    expect(registry.otherHolderOf("b", sought)).toBeUndefined();
  });

  test("stays with the other one, and the deleted resource's second order is let go", async () => {
    const { service, a, run } = await twins();
    service.records.push(record("9001", 6, { extendInfo: { autoExtend: true, extendDays: 30 } }));
    const { state: more } = await beginRun({ service }).buy("c", {
      adoptOrderNumber: "9001",
      quantity: 1,
    });
    const both: OrderState = {
      ...more,
      orderIds: ["9001", "9000"],
      proxies: [...more.proxies, ...a.state.proxies],
    };
    await run.orders.read(a.state);
    await run.orders.delete(both);
    expect(service.switches).toEqual([expect.objectContaining({ ipAddressIds: ["ip-6"] })]);
  });

  test("stays with a resource if its delete failed", async () => {
    const { service, a, b, run } = await twins();
    await run.orders.read(a.state);
    service.before.setAutoExtension = async () => {
      throw new Error("refused");
    };
    const { owner: _owner, ...rest } = b.state;
    const alone = { ...rest, owner: ownerOf("alone"), orderIds: ["9000"] };
    await run.orders.delete(a.state).catch(() => undefined);
    delete service.before.setAutoExtension;
    await run.orders.delete(alone);
    expect(service.switches).toEqual([]);
  });
});

describe("an order that another resource bought on this machine", () => {
  async function bought() {
    const stage = await setStage();
    const buyer = stage.beginRun();
    const inputs = await buyer.plan("buyer");
    const state = await buyer.orders.create(inputs);
    const { orderNumber } = state;
    return { ...stage, inputs, state, orderNumber, run: stage.beginRun() };
  }

  test("is not imported by a process that has never met that resource", async () => {
    const { orderNumber, run, simulator } = await bought();
    const failure = await failureOf(run.orders.import(ownerOf("second"), orderNumber));
    expect(failure.message).toMatch(
      /^INPUT_INVALID: order \d+ was bought by buyer .* Nothing was imported\. .*adoptOrderNumber: "\d+"/,
    );
    expect(spendingOf(simulator)).toEqual(ordered("7.00"));
  });

  test("is imported by the resource itself, and after the stack moved to the other host", async () => {
    const { orderNumber, state, run, simulator } = await bought();
    expect((await run.orders.import(state.owner, orderNumber)).state.orderIds).toEqual(
      state.orderIds,
    );
    const moved = `org/${urn("dev", dynamicType, "buyer-2")}`;
    expect((await run.orders.import(moved, orderNumber)).state.owner).toBe(moved);
    expect(spendingOf(simulator)).toEqual(ordered("7.00"));
  });

  test("is adopted with a warning that names the other resource", async () => {
    const { orderNumber, run, simulator } = await bought();
    const checked = await run.plan("second", { adoptOrderNumber: orderNumber });
    expect(checked.quote).toMatchObject({ effect: "adopt", price: 0 });
    expect(run.lines.join("\n")).toMatch(/second: order \d+ was bought by buyer /);
    expect(spendingOf(simulator)).toEqual(ordered("7.00"));
  });

  test("is not adopted if the program declares the other resource with inputs for that order", async () => {
    const { orderNumber, inputs, run, simulator } = await bought();
    await run.orders.check(inputs.owner, inputs, given());
    const adopting = given({ adoptOrderNumber: orderNumber });
    const { failures } = await run.orders.check(ownerOf("second"), undefined, adopting);
    const reason = expect.stringMatching(/^names order \d+, which buyer owns already$/);
    expect(failures).toEqual([{ property: "adoptOrderNumber", reason }]);
    expect(spendingOf(simulator)).toEqual(ordered("7.00"));
  });
});

describe("an order that another resource owns, unknown to the deleting process", () => {
  const here: RunIdentity = { run: "127.0.0.1:4000", command: "up", phase: () => "update" };

  const isOn = ({ records }: Awaited<ReturnType<typeof twins>>["service"]) =>
    records.every(({ extendInfo }) => extendInfo.autoExtend);

  test("goes on renewing if another process of the run has met it", async () => {
    const { service, a, b } = await twins();
    const first = beginRun({ run: here, service });
    await first.orders.read(a.state);
    const second = beginRun({ run: here, service, besideOthers: true });
    await second.orders.delete(b.state);
    expect(isOn(service)).toBe(true);
    expect(second.log.lines.join()).toContain("b: order 9000 is left to a, which owns it as well");
    await first.orders.delete(a.state);
    expect(isOn(service)).toBe(false);
  });

  test("renews no more when two processes of a run delete both at the same time", async () => {
    const { service, a, b } = await twins();
    const first = beginRun({ run: here, service });
    const second = beginRun({ run: here, service, besideOthers: true });
    await first.orders.read(a.state);
    await second.orders.read(b.state);
    await Promise.all([first.orders.delete(a.state), second.orders.delete(b.state)]);
    expect(isOn(service)).toBe(false);
  });

  test("goes on renewing when its former owner is deleted and another process adopts it in that run", async () => {
    const { service, a } = await twins();
    const first = beginRun({ run: here, service });
    await first.buy("c", { adoptOrderNumber: "9000" });
    const second = beginRun({ run: here, service, besideOthers: true });
    await second.orders.delete(a.state);
    expect(isOn(service)).toBe(true);
  });

  /** An order that one resource has bought. The state of another resource has it, too. */
  async function boughtByAnother() {
    const first = beginRun();
    const { state } = await first.buy("a");
    const { service } = first;
    service.records = service.records.map((listed) => ({
      ...listed,
      extendInfo: { autoExtend: true, extendDays: 30 },
    }));
    const owner = ownerOf("b");
    const imported = { ...state, owner, requestId: "imported", purchases: [] };
    return { service, state, imported };
  }

  test("goes on renewing if the journal has it for the other one, and the warning says how to let it go", async () => {
    const { service, state, imported } = await boughtByAnother();
    await beginRun({ service }).orders.read(state);
    const run = beginRun({ service });
    await run.orders.delete(imported);
    expect(isOn(service)).toBe(true);
    expect(run.log.warnings.join()).toMatch(/left to a, .* journal resolve \S+ --released/);
    await beginRun({ service }).orders.delete(state);
    expect(isOn(service)).toBe(false);
  });

  test("is let go if the other one was deleted, or a person gave it to this one", async () => {
    const { service, state, imported } = await boughtByAnother();
    await beginRun({ service }).orders.delete(state);
    for (const listed of service.records) listed.extendInfo.autoExtend = true;
    await beginRun({ service }).orders.delete(imported);
    expect(isOn(service)).toBe(false);

    const given = await boughtByAnother();
    const adopted = await beginRun({ service: given.service }).buy("b", {
      adoptOrderNumber: "7000",
    });
    await beginRun({ service: given.service }).orders.delete(adopted.state);
    expect(isOn(given.service)).toBe(false);
  });
});
