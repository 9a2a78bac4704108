import { describe, expect, test } from "vitest";
import {
  createRunRegistry,
  type RunRegistry,
} from "../../../provider/core/account/run-registry.ts";
import type { HeldOrder } from "../../../provider/core/records/run-fact.ts";

const silent = async () => undefined;

const proxyType = "IPv4";

const named = (name: string) => ({ proxyType, names: [name] }) as const;

describe("the order that a state holds", () => {
  test("is known by its number and by each of its listed ids", async () => {
    const registry = createRunRegistry(silent);
    await registry.hold("a", "request-1", [
      { proxyType, names: ["1001", "5001"] },
      { proxyType, names: ["1002"] },
    ]);
    const names = ["1001", "5001", "1002", "1003"];
    expect(names.map((name) => registry.isHeld({ ...named(name), requestId: "any" }))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  test("is replaced by each newer report, from any process", async () => {
    const registry = createRunRegistry(silent);
    expect(registry.isHeld({ ...named("1001"), requestId: "any" })).toBe(false);
    await registry.hold("a", "request-1", [{ proxyType, names: ["1001"] }]);
    expect(registry.isHeld({ ...named("1001"), requestId: "any" })).toBe(true);
    registry.hear({
      kind: "holds",
      owner: "b",
      requestId: "request-2",
      orders: [{ proxyType, names: ["1002"] }],
    });
    expect(registry.isHeld({ ...named("1002"), requestId: "any" })).toBe(true);
    await registry.hold("a", "request-3", [{ proxyType, names: ["1003"] }]);
    expect(registry.isHeld({ ...named("1001"), requestId: "any" })).toBe(false);
    await registry.leave("a");
    expect(registry.isHeld({ ...named("1003"), requestId: "any" })).toBe(false);
    registry.hear({ kind: "ended", owner: "b" });
    expect(registry.isHeld({ ...named("1002"), requestId: "any" })).toBe(false);
  });

  test.each([
    ["is deleted", (registry: RunRegistry) => registry.leave("a")],
    [
      "is called otherwise",
      (registry: RunRegistry, orders: HeldOrder[]) => registry.rename("a", orders),
    ],
  ])(
    "258: is not held again where its state %s, and then is heard what was told before",
    async (_what, goes) => {
      const registry = createRunRegistry(silent);
      const orders: HeldOrder[] = [{ ...named("1001"), requestId: "request-1" }];
      const order = { ...named("1001"), requestId: "request-1" };
      await registry.hold("a", "request-1", orders);
      await goes(registry, orders);
      registry.hear({ kind: "holds", owner: "a", requestId: "request-1", orders });
      expect(registry.otherHolderOf("b", order)).toBeUndefined();
      // Its delete may fail: then it has it again.
      await registry.hold("a", "request-1", orders);
      expect(registry.otherHolderOf("b", order)).toBe("a");
    },
  );

  test("is that of its own purchase only, where the service has told two the same number", async () => {
    const registry = createRunRegistry(silent);
    await registry.hold("a", "request-1", [
      { proxyType, names: ["1001", "5001"], requestId: "request-1" },
    ]);
    const isHeld = (name: string) =>
      ["request-1", "request-2"].map((id) => registry.isHeld({ ...named(name), requestId: id }));
    expect(["1001", "5001"].map(isHeld)).toEqual([
      [true, false],
      [true, false],
    ]);
    await registry.hold("b", "request-2", [
      { proxyType, names: ["1001", "5002"], requestId: "request-2" },
    ]);
    expect(["1001", "5002"].map(isHeld)).toEqual([
      [true, true],
      [false, true],
    ]);
  });

  test("is no order of another type that has the same number", async () => {
    const registry = createRunRegistry(silent);
    await registry.hold("a", "request-1", [{ proxyType, names: ["1001", "5001"] }]);
    registry.declare("a");
    const another = { proxyType: "IPv6", names: ["1001", "5001"], requestId: undefined } as const;
    expect(registry.isHeld(another)).toBe(false);
    expect(registry.hasMet(another)).toBe(false);
    expect(registry.rivalOf("b", another)).toBeUndefined();
    expect(registry.otherHolderOf("b", another)).toBeUndefined();
    expect(registry.heldOrderOf("a", another)).toBeUndefined();
    expect(registry.newTwinOf("b", another)).toBeUndefined();
    expect(registry.rivalOf("b", { ...named("5001"), requestId: undefined })).toBe("a");
    registry.noteImport({ proxyType, orderNumber: "1001" });
    expect(registry.isImporting({ proxyType: "IPv6", orderNumber: "1001" })).toBe(false);
    expect(registry.isImporting({ proxyType, orderNumber: "1001" })).toBe(true);
  });
});
