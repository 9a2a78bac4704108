import type { Account } from "../../account.ts";
import {
  type ExtensionIntent,
  type Intent,
  isDone,
  isExtensionIntent,
  isPlaced,
} from "../../records/intent.ts";
import { nameOf, stackOf } from "../../values/owner.ts";
import { readOpenExtensions } from "../model/open-extensions.ts";
import type { ExtensionState } from "../model/state.ts";
import { describeExtension } from "./recover.ts";
import { explainPaid } from "./tell-left.ts";

/** Watches for extensions that earlier runs have paid for, or may have, and no state has. */
export interface UnclaimedExtensionWatch {
  /** Call this with each state that the engine gives. */
  saw(state: Pick<ExtensionState, "owner" | "purchases">): void;
}

/**
 * Makes the watch of one process. It names them at the end of the run, when all states were shown. What a resource of the program
 * has left is its own affair. Nothing is paid again in any case.
 */
export function watchUnclaimedExtensions(account: Account): UnclaimedExtensionWatch {
  const { journal, stacks, story } = account;
  const metOwners = new Set<string>();
  const metRequests = new Set<string>();

  /** Whether its run goes on, or may have saved it: the state of its resource would show that. */
  async function mayBeSaved(intent: ExtensionIntent): Promise<boolean> {
    if (metRequests.has(intent.requestId) || (await journal.isUnderWay(intent))) return true;
    if (intent.phase !== "returned" || metOwners.has(intent.owner)) return false;
    return journal.hasEnded(intent);
  }

  async function describeLeft({ id }: ExtensionIntent): Promise<string | undefined> {
    const open = await readOpenExtensions(account).catch((): ExtensionIntent[] => []);
    const intent = open.find((one) => one.id === id);
    if (intent === undefined || account.unclaimedTold.has(id)) return undefined;
    if (await mayBeSaved(intent)) return undefined;
    return explainUnclaimed(intent);
  }

  stacks.onceShown(async (stack) => {
    const before = await journal.readAtBeginning().catch((): Intent[] => []);
    const left = before
      .filter(isExtensionIntent)
      .filter((intent) => !isDone(intent) && stackOf(intent.owner) === stack);
    for (const intent of left) {
      story.warnAtEnd(intent.owner, { id: intent.id, find: () => describeLeft(intent) });
    }
  });

  return {
    saw({ owner, purchases }) {
      metOwners.add(owner);
      for (const { requestId } of purchases) metRequests.add(requestId);
    },
  };
}

function explainUnclaimed(intent: ExtensionIntent): string {
  const { id, owner } = intent;
  if (isPlaced(intent)) {
    return `${nameOf(owner)}: ${explainPaid(intent)}, and no state has it. Nothing is paid again for it. If you know of it now, say so: \`npx pulumi-proxyrental journal resolve ${id} --closed\``;
  }
  return `${nameOf(owner)}: an earlier run may have paid for ${describeExtension(intent)}; \`npx pulumi-proxyrental journal show ${id}\` says what you can do`;
}
