import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { DocumentStore } from "../../../provider/core/journal/document-store.ts";
import type { CheckedOrder } from "../../../provider/core/order/model/state.ts";
import { JournalError } from "../../../provider/core/ports.ts";
import { machineTime } from "../../../provider/journals/machine-time.ts";
import { openSharedJournal } from "../../../provider/journals/open-journal.ts";
import type { Simulator } from "../../../simulator/index.ts";
import { startForTest } from "../../simulator/start.ts";
import { type AccountRun, beginAccountRun } from "../../support/account.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { openStore } from "../open-store.ts";

/** A shared journal, and runs that use it. */
export interface SharedJournal {
  simulator: Simulator;
  beginRun(): AccountRun;
  /** How many questions the store was asked. */
  questions(): number;
  /** From now on the store gives no answer. */
  takeAway(): void;
}

/** The owner of the purchases of a resource in these runs. */
export function ownerCalled(name: string): string {
  return `org/urn:pulumi:dev::fleet::proxyrental:ProxyOrder::${name}`;
}

/** Plans five proxies for a resource. */
export async function planOrder(
  { orders }: Pick<AccountRun, "orders">,
  name: string,
  more: object = {},
  before?: CheckedOrder,
): Promise<CheckedOrder> {
  const usual = { proxyType: "IPv4", country: "USA", quantity: 5, rentPeriodDays: 30, goal: name };
  const given = { known: { ...usual, ...more }, unknown: new Set<string>() };
  const { checked, failures } = await orders.check(ownerCalled(name), before, given);
  if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("; "));
  // Nothing failed and nothing was unknown, so the checked inputs are complete.
  return checked as CheckedOrder;
}

/** Makes a shared journal in a folder, so that it needs no product. */
export async function makeSharedJournal(): Promise<SharedJournal> {
  const simulator = await startForTest();
  const clock = createVirtualClock();
  const folder = await makeTemporaryFolder();
  const real = await openStore(pathToFileURL(folder).href, machineTime);
  let questions = 0;
  let isAway = false;

  function asked<Args extends unknown[], Result>(question: (...args: Args) => Promise<Result>) {
    return async (...args: Args) => {
      questions += 1;
      if (isAway) throw new JournalError("unavailable", "the journal's store gave no answer");
      return question(...args);
    };
  }

  const documents: DocumentStore = {
    ...real,
    read: asked(real.read),
    create: asked(real.create),
    replace: asked(real.replace),
    remove: asked(real.remove),
    list: asked(real.list),
  };

  return {
    simulator,
    questions: () => questions,
    takeAway() {
      isAway = true;
    },
    beginRun: () =>
      beginAccountRun({
        ...{ simulator, clock, journalDir: join(folder, "machine") },
        openJournal: (place, own) => openSharedJournal({ documents, isProbed: true }, place, own),
      }),
  };
}
