import { expect, test } from "vitest";
import { createRunRegistry } from "../../../../provider/core/account/run-registry.ts";
import { findClaims } from "../../../../provider/core/order/adopt/claims.ts";
import type { OrderState } from "../../../../provider/core/order/model/state.ts";
import { begunAt } from "../../../../provider/core/records/intent.ts";
import { orderIntent } from "../../records/intents.ts";

const OWNER = "org/urn:pulumi:dev::fleet::proxyrental:ProxyOrder::fleet";
const KEEPER = "org/urn:pulumi:dev::fleet::proxyrental:ProxyOrder::keeper";

/** The keeper has taken the order over. Nobody has seen its state yet. */
const given = orderIntent({
  phase: "returned",
  orderNumber: "5000",
  owner: KEEPER,
  holders: [{ owner: OWNER }, { owner: KEEPER, handOver: "1" }],
});

const { requestId } = given;

const receipt = {
  requestId,
  orderNumber: "5000",
  orderIds: ["5000"],
  quantity: 5,
  at: begunAt(given),
};

// Of a state, claims need no more than this.
const state = {
  ...{ owner: OWNER, proxyType: given.purchase.request.proxyType },
  ...{ orderIds: ["5000"], purchases: [receipt] },
} as unknown as OrderState;

test.each([
  ["goes on", { goesOn: true, hasEnded: false }, [KEEPER]],
  ["has ended in order", { goesOn: false, hasEnded: true }, [KEEPER]],
  ["was killed", { goesOn: false, hasEnded: false }, []],
])("an order that was given by a run that %s", async (_what, run, claimed) => {
  const journal = {
    goesOn: async () => run.goesOn,
    hasEnded: async () => run.hasEnded,
    scope: "",
  };
  const registry = createRunRegistry(
    async () => undefined,
    () => 0,
  );
  const parts = { journal, registry } as unknown as Parameters<typeof findClaims>[0];
  const claims = await findClaims(parts, [given], state);
  expect([...claims.values()].map(({ owner }) => owner)).toEqual(claimed);
});
