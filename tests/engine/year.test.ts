import { expect, it } from "vitest";
import type { Simulator } from "../../simulator/index.ts";
import { startForTest } from "../simulator/start.ts";
import { writerFor } from "../support/program-writer.ts";
import { createStack, type Stack } from "../support/stack.ts";

const { on, autoExtension, extension, order, program } = writerFor("plugin");

/** What the program says at a time of the year. */
interface Season {
  quantity?: number;
  /** The time of an `IpExtension` of all proxies; undefined for none. */
  paidThrough?: string;
  /** The flag of an `IpAutoExtend` of all proxies; undefined for none. */
  autoExtend?: boolean;
}

function write({ quantity, paidThrough, autoExtend }: Season): string {
  return program(
    ...(quantity === undefined ? [] : [order("fleet", { quantity })]),
    ...(paidThrough === undefined ? [] : [extension("through", "fleet", paidThrough)]),
    ...(autoExtend === undefined ? [] : [autoExtension("keep", "fleet", { autoExtend })]),
  );
}

const cents = (amount: number | string) => Math.round(Number(amount) * 100);

/** What has been charged so far, in cents. */
function paid(simulator: Simulator): number {
  return simulator.ledger().reduce((sum, { price }) => sum + cents(price), 0);
}

/** Runs a preview, and gives what it shows for each resource and the sum in cents. */
async function preview(stack: Stack) {
  const plan = await stack.plan("--refresh");
  const quotes = ["fleet", "through"].map(
    (name) => plan.inputs(name).quote as { effect?: string; price?: number } | undefined,
  );
  const [fleet, through] = quotes;
  const price = quotes.reduce((sum, quote) => sum + cents(quote?.price ?? 0), 0);
  // A plan leaves out inputs that do not change.
  const { pricePerCycle } = { ...(plan.inputs("keep").quote as { pricePerCycle?: number }) };
  return {
    fleet: fleet?.effect ?? "none",
    through: through?.effect ?? "none",
    price,
    perCycle: cents(pricePerCycle ?? 0),
  };
}

it("a year costs exactly what each preview showed: grown, shrunk, extended, renewed, lapsed, bought again, destroyed", async () => {
  const simulator = await startForTest({ now: () => new Date("2026-03-01T12:00:00Z") });
  const stack = await createStack({
    ...{ ...on, simulator, program: write({ quantity: 5 }) },
    machineClock: () => simulator.now(),
  });

  /** Changes the program some days later. The `up` must pay what its preview showed. */
  async function turn(days: number, season: Season) {
    const renewals = paid(simulator);
    simulator.advance({ days });
    const renewed = paid(simulator) - renewals;
    await stack.rewrite(write(season));
    const shown = await preview(stack);
    const before = paid(simulator);
    await stack.succeed("up", "--refresh");
    expect(paid(simulator) - before, JSON.stringify(season)).toBe(shown.price);
    const { changes } = await stack.plan("--refresh");
    expect(Object.keys(changes), JSON.stringify(season)).toEqual(["same"]);
    const outputs = (await stack.state()).find("fleet")?.outputs;
    expect(outputs?.proxies).toHaveLength(season.quantity ?? 0);
    return { ...shown, renewed };
  }

  expect(await turn(0, { quantity: 5 })).toMatchObject({ fleet: "buy", price: 700 });
  expect(await turn(10, { quantity: 8 })).toMatchObject({ fleet: "topUp", price: 420 });
  expect(await turn(5, { quantity: 4 })).toMatchObject({ fleet: "none", price: 0 });
  expect(await turn(1, { quantity: 6 })).toMatchObject({ fleet: "none", price: 0 });

  // Three of the six were bought ten days after the others.
  const through = { quantity: 6, paidThrough: "2026-05-05" };
  expect(await turn(1, through)).toMatchObject({ through: "extend", price: 3 * 2 * 140 + 3 * 140 });
  expect(await turn(20, through)).toMatchObject({ fleet: "none", through: "none", price: 0 });

  const kept = { quantity: 6, autoExtend: true };
  const { perCycle } = await turn(1, kept);
  expect(perCycle).toBe(6 * 140);
  expect(await turn(30, kept)).toMatchObject({ fleet: "none", price: 0, renewed: 0 });
  // Each of the six has come to its end once.
  expect(await turn(30, kept)).toMatchObject({ fleet: "none", price: 0, renewed: perCycle });
  expect(await turn(1, { quantity: 6, autoExtend: false })).toMatchObject({ price: 0, renewed: 0 });

  // The provider may believe that the proxies have ended only after a refresh saw that they do not renew.
  expect(await turn(0, { quantity: 6 })).toMatchObject({ price: 0, renewed: 0 });
  expect(await turn(120, { quantity: 6 })).toMatchObject({ fleet: "buy", price: 840, renewed: 0 });
  expect(await turn(29, { quantity: 7 })).toMatchObject({ fleet: "topUp", price: 140 });
  expect(await turn(2, { quantity: 7 })).toMatchObject({ fleet: "topUp", price: 840 });

  const spent = paid(simulator);
  await stack.succeed("destroy");
  simulator.advance({ days: 115 });
  expect(paid(simulator)).toBe(spent);
  expect(cents(simulator.balance())).toBe(cents(1000) - spent);
});
