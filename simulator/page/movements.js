import { countOf, toCents } from "./amounts.js";

/** @import { Charge, Ledger, Payment } from "./answers.d.ts" */

/**
 * Something that moved the balance.
 * @typedef {object} Movement
 * @property {number} number counted from 1
 * @property {MovementKind} kind
 * @property {string} at
 * @property {number} cents negative for money that was paid out or charged
 * @property {string} balanceAfter
 * @property {Charge} [charge] what was charged; a payment has none
 */

/** One without a number yet. @typedef {Omit<Movement, "number">} Unplaced */

/** @typedef {"order" | "extension" | "automatic" | "foreign" | "payment"} MovementKind */

/** The name of each kind. @type {Record<MovementKind, string>} */
export const movementNames = {
  order: "order",
  extension: "extension",
  automatic: "automatic extension",
  foreign: "somebody else's order",
  payment: "payment",
};

/**
 * Charges and payments, which the ledger keeps apart, in the order in which they happened: by their times; at the
 * same time, so that each begins with the balance that the one before has left.
 * @param {Ledger} ledger
 * @returns {Movement[]}
 */
export function listMovements({ opening, entries, payments }) {
  const charges = entries.map(fromCharge);
  const paid = payments.map(fromPayment);
  /** @type {Movement[]} */
  const movements = [];
  let balance = toCents(opening);
  let charged = 0;
  while (movements.length < charges.length + paid.length) {
    const charge = charges[charged];
    const next = chooseNext(charge, paid[movements.length - charged], balance);
    if (next === undefined) break;
    if (next === charge) charged += 1;
    balance = toCents(next.balanceAfter);
    movements.push({ ...next, number: movements.length + 1 });
  }
  return movements;
}

/** @param {Unplaced | undefined} charge @param {Unplaced | undefined} payment @param {number} balance */
function chooseNext(charge, payment, balance) {
  if (charge === undefined || payment === undefined) return charge ?? payment;
  const [chargeMs, paymentMs] = [Date.parse(charge.at), Date.parse(payment.at)];
  if (chargeMs !== paymentMs) return chargeMs < paymentMs ? charge : payment;
  return balance + charge.cents === toCents(charge.balanceAfter) ? charge : payment;
}

/** @param {Charge} charge @returns {Unplaced} */
function fromCharge(charge) {
  const { at, kind, origin, price, balanceAfter } = charge;
  return {
    kind: origin === "api" ? kind : origin,
    at,
    cents: -toCents(price),
    balanceAfter,
    charge,
  };
}

/** @param {Payment} payment @returns {Unplaced} */
function fromPayment({ at, amount, balanceAfter }) {
  return { kind: "payment", at, cents: toCents(amount), balanceAfter };
}

/** @param {Pick<Charge, "quantity" | "proxyType" | "country" | "rentPeriodDays">} item */
export function describeItem({ quantity, proxyType, country, rentPeriodDays }) {
  return `${countOf(quantity, proxyType, proxyType)} in ${country} for ${countOf(rentPeriodDays, "day")}`;
}
