import { describe, expect, test } from "vitest";
import { createRunRegistry } from "../../../provider/core/account/run-registry.ts";

const silent = async () => undefined;

describe("the order that a state holds", () => {
  test("is known by its number and by each of its listed ids", async () => {
    const registry = createRunRegistry(silent);
    await registry.hold("a", "request-1", [["1001", "5001"], ["1002"]]);
    const names = ["1001", "5001", "1002", "1003"];
    expect(names.map(registry.isHeld)).toEqual([true, true, true, false]);
  });

  test("is replaced by each newer report, from any process", async () => {
    const registry = createRunRegistry(silent);
    expect(registry.isHeld("1001")).toBe(false);
    await registry.hold("a", "request-1", [["1001"]]);
    expect(registry.isHeld("1001")).toBe(true);
    registry.hear({ kind: "holds", owner: "b", requestId: "request-2", orders: [["1002"]] });
    expect(registry.isHeld("1002")).toBe(true);
    await registry.hold("a", "request-3", [["1003"]]);
    expect(registry.isHeld("1001")).toBe(false);
    await registry.leave("a");
    expect(registry.isHeld("1003")).toBe(false);
    registry.hear({ kind: "ended", owner: "b" });
    expect(registry.isHeld("1002")).toBe(false);
  });
});
