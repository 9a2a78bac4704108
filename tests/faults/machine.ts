import type { CheckedOrder, OrderState } from "../../provider/core/order/model/state.ts";
import type { Simulator, SimulatorOptions } from "../../simulator/index.ts";
import { given, ownerOf } from "../core/support/orders-under-test.ts";
import { startForTest } from "../simulator/start.ts";
import {
  type AccountRun,
  type AccountRunOptions,
  beginAccountRun,
  type Interposition,
} from "../support/account.ts";
import { nobodyElse } from "../support/presence.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { createVirtualClock, type VirtualClock } from "../support/virtual-clock.ts";

/** What the engine has saved of an order. */
export interface Saved {
  inputs: CheckedOrder;
  outputs: OrderState;
}

/** An account, and a machine with a journal on which one run begins after the other. */
export interface Machine {
  simulator: Simulator;
  clock: VirtualClock;
  begin(options?: Partial<AccountRunOptions>): AccountRun;
}

export const HOUR_MS = 3_600_000;

export async function createMachine(options: SimulatorOptions = {}): Promise<Machine> {
  const clock = createVirtualClock();
  const simulator = await startForTest({ now: clock.now, ...options });
  const journalDir = await makeTemporaryFolder();
  const parts = { simulator, journalDir, clock, presence: nobodyElse };
  return { simulator, clock, begin: (more = {}) => beginAccountRun({ ...parts, ...more }) };
}

/** What is deployed, if it is not one proxy of the resource `fleet`. */
interface Declared {
  name?: string;
  quantity?: number;
  goal?: string;
  adoptOrderNumber?: string;
}

/** Creates or updates an order, as the engine does with what it has saved. */
export async function deploy(
  { orders }: AccountRun,
  saved: Saved | undefined,
  { name = "fleet", quantity = 1, ...args }: Declared = {},
): Promise<Saved> {
  const wanted = given({ quantity, ...args });
  const { checked, failures } = await orders.check(ownerOf(name), saved?.inputs, wanted);
  if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("; "));
  const inputs = checked as CheckedOrder;
  if (saved === undefined) return { inputs, outputs: await orders.create(inputs) };
  const change = await orders.diff(saved.outputs, inputs, new Set());
  if (change.kind === "none") return { inputs, outputs: saved.outputs };
  return { inputs, outputs: await orders.update(saved.outputs, inputs) };
}

/** All that a user sees of some work of a run, which may fail. */
export async function textOf(run: AccountRun, work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => "",
    (reason: unknown) => String(reason),
  );
  return [...run.lines, error].join("\n");
}

/** All that a user sees of a deployment, which may fail. */
export function linesOf(
  run: AccountRun,
  saved: Saved | undefined,
  declared?: Declared,
): Promise<string> {
  return textOf(run, deploy(run, saved, declared));
}

/** A person pays in right before this look at the balance of a run, so that the account has this much. */
export function payInAtLook({ simulator }: Machine, look: number, balance: number): Interposition {
  let looks = 0;
  return {
    service: (real) => ({
      ...real,
      async getBalance() {
        looks += 1;
        if (looks === look) simulator.setBalance(balance);
        return real.getBalance();
      },
    }),
  };
}

/** A moment in which a run can be killed: when its order is paid, or when the journal has this phase. */
export type Spot = "paid" | "placed" | "returned";

interface Killed extends Declared {
  saved?: Saved | undefined;
  beforeCharge?: () => void;
}

/** Buys an order in a run that is killed at this spot. */
export async function buyAndDie(
  { begin }: Machine,
  spot: Spot,
  { saved, beforeCharge = () => undefined, ...declared }: Killed = {},
): Promise<void> {
  const death = Promise.withResolvers<void>();
  const die = () => {
    death.resolve();
    return new Promise<never>(() => undefined);
  };
  const interpose: Interposition = {
    service: (real) => ({
      ...real,
      async createOrder(...call) {
        beforeCharge();
        const accepted = await real.createOrder(...call);
        return spot === "paid" ? die() : accepted;
      },
    }),
    store: (real) => ({
      ...real,
      async replace(next) {
        await real.replace(next);
        if (next.phase === spot) await die();
      },
    }),
  };
  deploy(begin({ interpose }), saved, declared).catch(death.reject);
  await death.promise;
}
