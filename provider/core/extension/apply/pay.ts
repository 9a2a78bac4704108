import { tellBalance } from "../../account/balance.ts";
import type { Account, SpendingAccount } from "../../account.ts";
import { describeProxies } from "../../proxies/proxy-args.ts";
import { costOf, countedOf, type ExtensionIntent } from "../../records/intent.ts";
import { makeRequestId } from "../../records/request-id.ts";
import type { PricedQuote } from "../../spending/quote.ts";
import { findEarliestEnd } from "../../values/dates.ts";
import { ProxyRentalError, reasonOf, rethrowExplained } from "../../values/errors.ts";
import { addMoney, formatMoney, subtractMoney } from "../../values/money.ts";
import { findPayments } from "../model/payments.ts";
import { type DatedProxy, isDated, planRounds } from "../model/rounds.ts";
import {
  type CheckedExtension,
  type ExtensionState,
  type PaidProxy,
  recordExtension,
} from "../model/state.ts";
import { isCarriedOut } from "../plan/check.ts";
import { findPayable } from "../plan/payable.ts";
import type { ExtensionRecoverer } from "../recover/recover.ts";
import { assertListed, NotListedError, toAwaited } from "./awaited.ts";
import { EndsMovedError, extendProxies } from "./extend.ts";
import { assertPlanned, assertRoundsPreviewed } from "./planned.ts";

/**
 * A part of the plan is paid, by this run or by one that was killed, and the rest is not. The error carries what is paid, so
 * that the resource is saved and the next run pays for the rest only.
 */
export class ExtensionUnfinishedError extends ProxyRentalError {
  readonly state: ExtensionState;

  constructor(state: ExtensionState, { paid, takenOver }: Omit<Progress, "seen">, reason: string) {
    const isOwn = paid.length > 0;
    const some = isOwn ? paid : takenOver;
    const which = isOwn
      ? `of ${state.rounds.length} planned extensions`
      : `extension${some.length === 1 ? "" : "s"} of an earlier run`;
    const price = formatMoney(addMoney(...some.map(costOf)), state.quote.currency ?? "");
    super(
      "EXTENSION_INCOMPLETE",
      `${some.length} ${which} ${some.length === 1 ? "is" : "are"} paid (${price}) and saved. Then: ${reason}. Run \`pulumi up\` again: it pays only for what still falls short.`,
    );
    this.state = state;
  }
}

/** What one process has paid for one plan. */
interface Progress {
  paid: ExtensionIntent[];
  /** What a killed run has paid for the resource, and its state lacks. Empty if that may not be saved before the rest is paid. */
  takenOver: readonly ExtensionIntent[];
  /** The proxies as they were last seen. */
  seen: readonly PaidProxy[];
}

/** What a payment needs beside the plan. */
export interface PayingParts {
  account: SpendingAccount;
  recover: ExtensionRecoverer;
  /** By requestId. The engine may repeat a create that has failed half way, with the same plan. */
  progress: Map<string, Progress>;
}

/** How often an end may move before a payment until this run gives up. */
const MAX_LOOKS_LOST = 5;

/**
 * Pays for the proxies through the declared moment, one rent period a call. Looks at their ends before each call, so
 * what is paid already is not paid again. Never pays more than was planned.
 */
export async function payExtension(
  { account, recover, progress }: PayingParts,
  checked: CheckedExtension,
  former?: ExtensionState,
): Promise<ExtensionState> {
  const known = progress.get(checked.requestId);
  const own: Progress = known ?? { paid: [], takenOver: [], seen: former?.proxies ?? [] };
  progress.set(checked.requestId, own);
  const look = async () => {
    const proxies = await lookUp(account, checked);
    own.seen = proxies;
    return proxies;
  };
  const record = async (awaited?: ExtensionState["awaited"]) => {
    const purchases = await findPayments(account, checked.owner, own.paid, former);
    // From here on the engine knows them. They stay open until a later run sees them in the state.
    for (const intent of own.paid) await account.journal.note(intent, { phase: "returned" });
    await tellReceipt(account, checked, own);
    return recordExtension(checked, { proxies: own.seen, purchases, awaited }, former);
  };

  try {
    const latest = own.paid.at(-1);
    const awaited = latest ? toAwaited(latest) : former?.awaited;
    if (awaited) await assertListed(account, checked, awaited);
    const purchases = former?.purchases ?? [];
    const takenOver = await recover(await look(), { owner: checked.owner, purchases });
    // To recover may have taken a newer listing. They are saved as it shows them.
    if (takenOver.length > 0) await look();
    // A plan that the next check takes for carried out is not saved before it is: nothing would plan the rest of it.
    if (!isCarriedOut(checked)) own.takenOver = takenOver;
    await payRounds(account, checked, own.paid, look);
  } catch (error) {
    // What was paid before this run, and is not saved here, is in the state already, or left to the next run.
    if (own.paid.length + own.takenOver.length === 0) return rethrowExplained(error);
    const unlisted = error instanceof NotListedError ? error.awaited : undefined;
    throw new ExtensionUnfinishedError(await record(unlisted), own, reasonOf(error));
  }
  return record();
}

/** Tells people what was paid. */
async function tellReceipt(
  account: Pick<Account, "story" | "service" | "clock" | "balance">,
  { owner, requestId: id, proxyType, rentPeriodDays }: CheckedExtension,
  { paid, seen }: Progress,
): Promise<void> {
  const [first] = paid;
  if (first === undefined) return;
  const { currency, purchase } = first;
  const price = addMoney(...paid.map(costOf));
  const what = describeProxies(purchase.request.ipAddressIds.length, proxyType);
  const times =
    paid.length === 1
      ? `by ${rentPeriodDays} days`
      : `${paid.length} times by ${rentPeriodDays} days`;
  const end = findEarliestEnd(seen);
  const until = end === undefined ? "" : `, paid until ${end}`;
  await account.story.did(owner, {
    id,
    line: `extended ${what} ${times} for ${formatMoney(price, currency)}${until}`,
    paid: { price, currency, balance: await tellBalance(account) },
  });
}

/** Pays round after round until nothing falls short. */
async function payRounds(
  account: SpendingAccount,
  checked: CheckedExtension,
  paid: ExtensionIntent[],
  look: () => Promise<DatedProxy[]>,
): Promise<void> {
  for (let looksLost = 0; ; ) {
    const rounds = planRounds(checked, await look());
    const [round] = rounds;
    if (round === undefined) return;
    const shown = assertPlanned(checked, rounds, paid.length);
    await assertRoundsPreviewed(account, checked, rounds, paid);
    try {
      const intent = await payRound(account, checked, round, shown, paid);
      paid.push(intent);
      await assertListed(account, checked, toAwaited(intent));
    } catch (error) {
      looksLost += 1;
      if (!(error instanceof EndsMovedError) || looksLost > MAX_LOOKS_LOST) throw error;
    }
  }
}

async function payRound(
  account: SpendingAccount,
  checked: CheckedExtension,
  round: readonly DatedProxy[],
  shown: PricedQuote,
  paid: readonly ExtensionIntent[],
): Promise<ExtensionIntent> {
  const { owner, proxyType, rentPeriodDays, promoCode, maxPrice } = checked;
  const alreadyPaid = addMoney(...paid.map(countedOf));
  return extendProxies(
    account,
    {
      owner,
      requestId: nameRound(checked, round),
      terms: { proxyType, rentPeriodDays, promoCode },
      proxies: round,
      maxPrice: maxPrice === undefined ? undefined : subtractMoney(maxPrice, alreadyPaid),
    },
    shown,
  );
}

/**
 * Names one more rent period on these ends. On later ends it is another purchase. So a listing that is behind a
 * payment leads to the same name, and with it to the recorded answer.
 */
function nameRound({ owner, requestId }: CheckedExtension, round: readonly DatedProxy[]): string {
  const ends = round.map(({ ipAddressId, dateEnd }) => `${ipAddressId} ${dateEnd}`).toSorted();
  return makeRequestId(owner, requestId, { ends });
}

/** The declared proxies with their ends. Throws if one is not found, or has no end. */
async function lookUp(
  account: Pick<Account, "recordedEnds" | "listing" | "journal">,
  checked: CheckedExtension,
): Promise<DatedProxy[]> {
  const { proxies, missing, inPlace } = await findPayable(account, checked, checked, undefined);
  const dated = proxies.filter(isDated);
  if (missing.length === 0 && dated.length === proxies.length) return dated;
  const endless = proxies.filter((proxy) => !isDated(proxy)).map((proxy) => proxy.ipAddressId);
  throw new ProxyRentalError(
    "INPUT_INVALID",
    `ipAddressIds names ${checked.proxyType} proxies that the account does not list, or of which it does not say until when they are paid: ${[...missing, ...endless].join(", ")}. Nothing more was bought. Take out those that have ended, and run again when the others are listed with their ends${inPlace}.`,
  );
}
