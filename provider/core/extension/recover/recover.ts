import pLimit from "p-limit";
import type { ProxyRecord } from "../../../client/index.ts";
import { awaitOtherRun } from "../../account/await-other-run.ts";
import { assertNotCancelled } from "../../account/cancellation.ts";
import type { Account } from "../../account.ts";
import { describeProxies } from "../../proxies/proxy-args.ts";
import { type ExtensionIntent, isPlaced, isSameAccount } from "../../records/intent.ts";
import { judgeExtensionInTurn } from "../../spending/abandoned.ts";
import { ProxyRentalError } from "../../values/errors.ts";
import { formatMoney } from "../../values/money.ts";
import { isMoveListed, touches } from "../model/moved-ends.ts";
import { readOpenExtensions } from "../model/open-extensions.ts";
import { type Recovering, takeOver } from "./take-over.ts";

/**
 * Finds out what became of extensions of these proxies that earlier runs have left open. Throws if a doubt remains:
 * nothing is planned or paid on ends that an open extension may still move. Gives what the resource takes over.
 */
export type ExtensionRecoverer = (
  proxies: readonly ProxyRecord[],
  resource: Recovering,
) => Promise<readonly ExtensionIntent[]>;

/** Makes the recoverer of an account. One recovery runs at a time: what one finds out, the others read. */
export function createExtensionRecoverer(account: Account): ExtensionRecoverer {
  const oneAtATime = pLimit(1);
  return (proxies, resource) => oneAtATime(() => recoverExtensions(account, proxies, resource));
}

async function recoverExtensions(
  account: Account,
  proxies: readonly ProxyRecord[],
  resource: Recovering,
): Promise<readonly ExtensionIntent[]> {
  const { journal, listing } = account;
  // If another resource of this run is sending it right now, it is judged after that turn.
  const isInTheWay = (intent: ExtensionIntent) =>
    touches(intent, proxies) && !(intent.runId === journal.runId && intent.phase === "sending");
  const findLeft = async () => (await readOpenExtensions(account)).filter(isInTheWay);

  const [any, ...others] = await findLeft();
  if (any === undefined) return [];
  const own = { account: await journal.accountId() };
  for (const intent of [any, ...others]) {
    if (isPlaced(intent) || intent.runId === journal.runId) continue;
    // This account can't tell what was sent with another API key.
    if (!isSameAccount(intent, own)) continue;
    const isAlive = () => journal.isUnderWay(intent);
    const busy = await awaitOtherRun(account, async () => ((await isAlive()) ? intent : undefined));
    if (busy) throw inProgress(busy);
    await resolveAbandonedExtension(account, intent);
  }
  const left = await findLeft();
  const taken = await takeOver(account, left, resource);
  const { proxyType } = any.purchase.request;
  const { records } = await listing.complete(proxyType);
  if (left.every((intent) => isMoveListed(intent, records))) return taken;
  // A listing from before another run has paid shows the old ends.
  listing.invalidate();
  assertMovesListed(left, (await listing.complete(proxyType)).records);
  return taken;
}

/** Throws if the listing may not show one of these yet. */
export function assertMovesListed(
  intents: readonly ExtensionIntent[],
  records: readonly ProxyRecord[],
): void {
  const hidden = intents.find((intent) => !isMoveListed(intent, records));
  if (hidden) throw explainHidden(hidden);
}

async function resolveAbandonedExtension(account: Account, { id }: ExtensionIntent): Promise<void> {
  const { journal, log, cancelled } = account;
  const assertWanted = () => assertNotCancelled(cancelled);
  await journal.withAccount(async (turn) => {
    // Another run may have found out while this one waited for its turn.
    const intent = (await readOpenExtensions(account)).find((one) => one.id === id);
    if (intent === undefined || isPlaced(intent)) return;
    log.progress(
      `an earlier run may have paid for ${describeExtension(intent)} at ${intent.sentAt} (purchase ${id}); looking at their ends`,
    );
    await judgeExtensionInTurn(account, intent, turn);
  }, assertWanted);
}

function inProgress(intent: ExtensionIntent): ProxyRentalError {
  return new ProxyRentalError(
    "PURCHASE_IN_PROGRESS",
    `another run is paying for ${describeExtension(intent)}, since ${intent.sentAt}. Nothing was bought by this one. Wait until it has ended, then run again.`,
  );
}

/** Says what stands in the way, and both ways out. */
function explainHidden(intent: ExtensionIntent): ProxyRentalError {
  const { id, owner, price, currency, sentAt, remark } = intent;
  const what = `${describeExtension(intent)} for ${formatMoney(price, currency)} (for ${owner}, sent at ${sentAt})`;
  const happened = isPlaced(intent)
    ? `${what} is paid, and the listing does not show it yet`
    : `${what} may be paid, and the account does not show whether it is${remark === undefined ? "" : `: ${remark}`}`;
  return new ProxyRentalError(
    isPlaced(intent) ? "EXTENSION_INCOMPLETE" : "ORDER_OUTCOME_UNKNOWN",
    `${happened}. Nothing was bought now. Either run again later, which looks anew, or look at the account yourself and resolve it in the journal: \`npx pulumi-proxyrental journal resolve ${id}\`.`,
  );
}

/** What was paid for, in words. */
export function describeExtension({ purchase }: ExtensionIntent): string {
  const { proxyType, ipAddressIds, rentPeriodDays } = purchase.request;
  return `${rentPeriodDays} more days of ${describeProxies(ipAddressIds.length, proxyType)}`;
}
