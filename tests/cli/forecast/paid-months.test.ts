import { expect, test } from "vitest";
import { addUpMonths } from "../../../cli/forecast/paid-months.ts";
import { orderIntent } from "../../core/records/intents.ts";

test("stacks of one name are told apart by their scopes", () => {
  const paid = { phase: "confirmed", orderNumber: "1" } as const;
  const { months } = addUpMonths([
    orderIntent(paid),
    orderIntent({ ...paid, scopes: ["staging"] }),
    orderIntent({ ...paid, scopes: ["staging"] }),
  ]);
  expect(months.map(({ stack, purchases }) => [stack, purchases])).toEqual([
    ["fleet/dev", 1],
    ["fleet/dev (staging)", 2],
  ]);
});
