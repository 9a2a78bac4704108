import { expect, test } from "vitest";
import type { Interposition } from "../support/account.ts";
import { createMachine, deploy, textOf } from "./machine.ts";

/** The service asks in another currency from some moment on. */
function changeCurrency(isChanged: () => boolean): Interposition {
  return {
    service: (real) => ({
      ...real,
      async calculateOrder(request) {
        const told = await real.calculateOrder(request);
        return isChanged() ? { ...told, currency: "KWD" } : told;
      },
    }),
  };
}

test.each([
  ["168 A: no limit", {}],
  ["168 B: a limit on the run", { maxSpend: 100 }],
  ["168 C: a monthly budget", { monthlyBudget: 100 }],
])(
  "%s: what is asked in another currency than the first order is not bought",
  async (_what, settings) => {
    const machine = await createMachine();
    let isChanged = false;
    const run = machine.begin({ interpose: changeCurrency(() => isChanged), settings });
    await deploy(run, undefined);
    isChanged = true;
    const text = await textOf(run, deploy(run, undefined, { name: "other", goal: "other" }));
    expect(text).toContain("its price is in KWD, and the other purchases of this run are in USD");
    expect(machine.simulator.orders()).toHaveLength(1);
  },
);
