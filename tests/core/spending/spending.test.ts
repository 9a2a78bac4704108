import { expect, test } from "vitest";
import { neverCancelled } from "../../../provider/core/account/cancellation.ts";
import { createRunSums } from "../../../provider/core/spending/run-sums.ts";
import { createSpending, type Receipt } from "../../../provider/core/spending/spending.ts";
import { createManualClock } from "../support/account-under-test.ts";

/** A purse of 20 USD, and purchases for 7 USD that are charged otherwise. */
function openPurse() {
  const lock = { contended: false, assertHeld: () => undefined };
  const spending = createSpending(20, {
    clock: createManualClock(),
    journal: { withAccount: (work) => work(lock) },
    cancelled: neverCancelled,
    sums: createRunSums(),
    tell: async () => undefined,
    hearOthers: async () => undefined,
  });
  return (requestId: string, receipt: Omit<Receipt<string>, "bought">) =>
    spending
      .once(
        { owner: requestId, requestId },
        {
          confirm: async () => ({ price: 7, currency: "USD" }),
          usesPromoCode: false,
          buy: async () => ({ bought: requestId, ...receipt }),
        },
      )
      .catch((error: { code: string }) => error.code);
}

test("what counts against maxSpend is what was charged, not what was confirmed", async () => {
  const buy = openPurse();
  expect(await buy("a", { counted: 14 })).toBe("a");
  expect(await buy("b", { counted: 7 })).toBe("SPEND_LIMIT_REACHED");
});

test("a doubt about a charge stops all that comes after it, and gives the bought one", async () => {
  const buy = openPurse();
  expect(await buy("a", { counted: 7, doubt: "order 7000: …" })).toBe("a");
  expect(await buy("b", { counted: 7 })).toBe("BUYING_STOPPED");
  expect(await buy("a", { counted: 7 })).toBe("a");
});
