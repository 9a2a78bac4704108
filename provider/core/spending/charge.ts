import { type Balance, readBalance } from "../account/balance.ts";
import type { Journal } from "../journal/journal.ts";
import type { Clock, Log, ProxyService } from "../ports.ts";
import { countedOf, type Intent } from "../records/intent.ts";
import { formatMoney, isSameMoney, roundMoney, subtractMoney } from "../values/money.ts";

/** What the account's balance says of a purchase that the service took. */
export type Charge =
  /** The balance fell by the price. */
  | { kind: "asConfirmed" }
  /** The balance after it is not known. Only the confirmed price is. */
  | { kind: "notTold" }
  /** The balance fell, but not by the price. */
  | { kind: "differs"; charged: number }
  /** The balance rose, because somebody paid in meanwhile. So the charge can't be told. */
  | { kind: "hidden" };

/** Holds the balance before and after a purchase against its price. */
export function judgeCharge(
  balanceBefore: number,
  balanceAfter: number | undefined,
  price: number,
): Charge {
  if (balanceAfter === undefined) return { kind: "notTold" };
  const charged = roundMoney(subtractMoney(balanceBefore, balanceAfter));
  if (isSameMoney(charged, price)) return { kind: "asConfirmed" };
  return charged < 0 ? { kind: "hidden" } : { kind: "differs", charged };
}

/** The charge, if it is not the confirmed price. */
export function chargedOf(charge: Charge): number | undefined {
  return charge.kind === "differs" ? charge.charged : undefined;
}

/**
 * By how much the balance fell, if that is the price or more; undefined if it is less, nothing, or not known. A free purchase
 * may be charged all the same, so any fall counts for it.
 */
export function findFall(
  balanceBefore: number,
  balanceAfter: number | undefined,
  price: number,
): number | undefined {
  const charge = judgeCharge(balanceBefore, balanceAfter, price);
  const fallen = charge.kind === "asConfirmed" ? price : (chargedOf(charge) ?? 0);
  return fallen > 0 && fallen >= price ? fallen : undefined;
}

/** What the answer to a purchase tells of the money. */
export interface ToldOfMoney {
  balance?: number | undefined;
  promoCodeStatus?: string | null | undefined;
}

/** A purchase that the service took, and whose charge is weighed. */
interface Bought<Taken extends Intent> {
  intent: Taken;
  /** Its name for people. */
  name: string;
  promoCode: string | undefined;
  /** Undefined if the answer was lost. */
  told: ToldOfMoney | undefined;
}

/** A purchase that was placed, and what it has cost. */
export interface WeighedPurchase<Taken> {
  bought: Taken;
  /** What counts against `maxSpend`: never less than the confirmed price. */
  counted: number;
  /** Why nothing more is bought in this run; undefined if the charge is the confirmed price. */
  doubt?: string;
}

/** What the weighing of a charge needs. */
interface WeighingParts {
  service: Pick<ProxyService, "getBalance">;
  clock: Clock;
  log: Log;
  balance: Balance;
  journal: Pick<Journal, "note">;
}

/**
 * Compares the charge with the confirmed price. A difference is written down, counted and told, and it stops further
 * buying in the run. So does a promo code that did not take effect. Not guaranteed: the balance is that of the
 * account, so a purchase of somebody else at the same moment looks like a difference.
 */
export async function weighCharge<Taken extends Intent>(
  parts: WeighingParts,
  { intent, name, promoCode, told }: Bought<Taken>,
): Promise<WeighedPurchase<Taken>> {
  const { journal, log } = parts;
  const charge = await findCharge(parts, intent, told?.balance);
  const charged = chargedOf(charge);
  if (charged !== intent.charged) await journal.note(intent, { charged });
  const bought = { ...intent, charged };
  const codeLost =
    told !== undefined && promoCode !== undefined && told.promoCodeStatus !== "VALID";
  const doubts = [
    ...(codeLost ? [describeLostCode(told)] : []),
    ...describeCharge(charge, intent, codeLost),
  ];
  const counted = countedOf(bought);
  if (doubts.length === 0) return { bought, counted };
  const doubt = `${name}: ${doubts.join("; ")}`;
  log.warn(`${doubt}. It is bought and recorded; nothing more is bought in this run`);
  return { bought, counted, doubt };
}

/** The answer may tell no balance, or the one from before. Then the account is asked once more. */
async function findCharge(
  parts: WeighingParts,
  { balanceBefore, price }: Intent,
  told: number | undefined,
): Promise<Charge> {
  const charge = judgeCharge(balanceBefore, told, price);
  if (charge.kind === "asConfirmed") return charge;
  const after = await readBalance(parts).catch(() => told);
  return judgeCharge(balanceBefore, after, price);
}

function describeLostCode({ promoCodeStatus }: ToldOfMoney): string {
  return `the promo code was valid when the price was asked and did not take effect (the service says ${promoCodeStatus ?? "nothing"} of it)`;
}

/** What to tell of a charge. That it was as confirmed is told only if there was reason to doubt it. */
function describeCharge(charge: Charge, { price, currency }: Intent, isDoubted: boolean): string[] {
  const confirmed = formatMoney(price, currency);
  switch (charge.kind) {
    case "asConfirmed":
      return isDoubted ? [`${confirmed} were charged all the same, as confirmed`] : [];
    case "notTold":
      return isDoubted ? [`${confirmed} were confirmed, and what was charged is not known`] : [];
    case "hidden":
      return [
        `${confirmed} were confirmed, and what was charged can't be told, because the balance rose meanwhile`,
      ];
    case "differs":
      return [
        `${confirmed} were confirmed, and the balance fell by ${formatMoney(charge.charged, currency)}; either the price changed, or somebody else bought at the same time`,
      ];
  }
}

/** Why nothing more is bought in a run. @param whose which purchase was not charged as it was confirmed */
export function explainDoubt(
  doubt: string,
  whose: "an earlier purchase of this run" | "a purchase of an earlier run",
): string {
  return `${whose} was not charged as it was confirmed (${doubt}), so nothing more is bought in this run. This purchase was not sent. Look at what was charged, then run again: the next run asks for all prices anew.`;
}
