import { expect, test } from "vitest";
import { describeIntent } from "../../../cli/journal/intent-words.ts";
import { orderIntent } from "../../core/records/intents.ts";

test("a purchase that was handed over names the resources that had it before, and others name none", () => {
  const [fleet, armada, keeper] = ["fleet", "armada", "keeper"].map(
    (name) => `org/urn:pulumi:dev::fleet::proxyrental:ProxyOrder::${name}`,
  ) as [string, string, string];
  const holders = [
    { owner: fleet },
    { owner: armada, handOver: "1" },
    { owner: keeper, handOver: "2" },
  ];
  const handed = orderIntent({ phase: "confirmed", owner: keeper, holders });
  expect(describeIntent(handed, false)).toMatch(/taken from +fleet, armada\n/);
  expect(describeIntent(orderIntent({ phase: "confirmed" }), false)).not.toContain("taken from");
});
