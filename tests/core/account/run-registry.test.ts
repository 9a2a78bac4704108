import { describe, expect, test } from "vitest";
import {
  createRunRegistry,
  type RunRegistry,
} from "../../../provider/core/account/run-registry.ts";
import type { HeldOrder } from "../../../provider/core/records/run-fact.ts";

const silent = async () => undefined;

/** A time that goes on with each look. */
function createTicks(): () => number {
  let nowMs = 0;
  return () => {
    nowMs += 1;
    return nowMs;
  };
}

const proxyType = "IPv4";

const named = (name: string) => ({ proxyType, names: [name] }) as const;

describe("the order that a state holds", () => {
  test("is known by its number and by each of its listed ids", async () => {
    const registry = createRunRegistry(silent, createTicks());
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

  test("is known from any process, until its state is deleted", async () => {
    const nowMs = createTicks();
    const registry = createRunRegistry(silent, nowMs);
    const [one, other, third] = ["1001", "1002", "1003"].map(
      (name): HeldOrder => ({ ...named(name), requestId: name }),
    ) as [HeldOrder, HeldOrder, HeldOrder];
    const isHeld = () =>
      [one, other, third].map((order) => registry.isHeld({ requestId: undefined, ...order }));
    expect(isHeld()).toEqual([false, false, false]);
    await registry.hold("a", "1001", [one]);
    registry.hear({ kind: "holds", owner: "b", requestId: "1002", orders: [other] }, nowMs());
    // Its replacement: the engine has both until it deletes the former one.
    await registry.hold("a", "1003", [third]);
    expect(isHeld()).toEqual([true, true, true]);
    await registry.leave("a", [one]);
    expect(isHeld()).toEqual([false, true, true]);
    registry.hear({ kind: "ended", owner: "b", orders: [other] }, nowMs());
    expect(isHeld()).toEqual([false, false, true]);
  });

  test.each([
    ["is deleted", (registry: RunRegistry, orders: HeldOrder[]) => registry.leave("a", orders)],
    [
      "is called otherwise",
      (registry: RunRegistry, orders: HeldOrder[]) => registry.rename("a", orders),
    ],
  ])(
    "258: is not held again where its state %s, and then is heard what was told before",
    async (_what, goes) => {
      const nowMs = createTicks();
      const registry = createRunRegistry(silent, nowMs);
      const orders: HeldOrder[] = [{ ...named("1001"), requestId: "request-1" }];
      const order = { ...named("1001"), requestId: "request-1" };
      const toldAtMs = nowMs();
      await registry.hold("a", "request-1", orders);
      await goes(registry, orders);
      registry.hear({ kind: "holds", owner: "a", requestId: "request-1", orders }, toldAtMs);
      expect(registry.otherHolderOf("b", order)).toBeUndefined();
      // Its delete may fail: then it has it again.
      await registry.hold("a", "request-1", orders);
      expect(registry.otherHolderOf("b", order)).toBe("a");
    },
  );

  test("264: is that of the newest state of its name, when another process deletes the former one", async () => {
    const nowMs = createTicks();
    const registry = createRunRegistry(silent, nowMs);
    const [former, next] = ["first", "second"].map(
      (handOver): HeldOrder => ({ ...named("1001"), requestId: "request-1", handOver }),
    ) as [HeldOrder, HeldOrder];
    const owner = "a";
    registry.hear({ kind: "holds", owner, requestId: "request-1", orders: [former] }, nowMs());
    await registry.hold("a", "request-1", [next]);
    registry.hear({ kind: "ended", owner, orders: [former] }, nowMs());
    expect(registry.hasLeft("a", former)).toBe(true);
    expect(registry.hasLeft("a", next)).toBe(false);
    const sought = { ...named("1001"), requestId: "request-1" };
    expect(registry.otherHolderOf("b", sought)).toBe("a");
  });

  test("264: is not held again by what was told before it was deleted, and could be written only then", () => {
    const registry = createRunRegistry(silent, createTicks());
    const orders: HeldOrder[] = [{ ...named("1001"), requestId: "request-1" }];
    registry.hear({ kind: "ended", owner: "a", orders }, 2);
    registry.hear({ kind: "holds", owner: "a", requestId: "request-1", orders }, 1);
    const sought = { ...named("1001"), requestId: "request-1" };
    expect(registry.otherHolderOf("b", sought)).toBeUndefined();
  });

  test("is that of its own purchase only, where the service has told two the same number", async () => {
    const registry = createRunRegistry(silent, createTicks());
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
    const registry = createRunRegistry(silent, createTicks());
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
