import {
  type LivingOrder,
  type Renewal,
  suggestName,
} from "../../provider/core/order/adopt/living-orders.ts";
import { formatTime } from "../journal/intent-words.ts";
import { describeNote, type JournalNote } from "../orphans/orphan.ts";
import type { PurchaseGuess } from "./purchase-guess.ts";
import type { RecordedPurchase } from "./recorded-purchase.ts";

/** An order that a program is to take over. */
export interface AdoptedOrder extends LivingOrder {
  guess: PurchaseGuess;
  /** How it was bought, if the journal knows. Then nothing of that is guessed. */
  recorded?: RecordedPurchase | undefined;
  /** Days for which the service extends proxies of its type. */
  periods: readonly number[];
  journal: JournalNote | undefined;
}

/** The width at which formatters break lines. */
const LINE_WIDTH = 80;

const GUESSED = "guessed: used by the next purchase only";

const RECORDED = "as it was bought, by the journal";

const UNKNOWN = "not shown by the service: used by the next purchase only";

/**
 * Writes a TypeScript program that takes these orders over as they are, and changes nothing: no purchase, no flag.
 * All text of the service is escaped in it.
 * @param asOf when the account was looked at, by the service's clock.
 */
export function writeProgram(orders: readonly AdoptedOrder[], asOf: Date): string {
  const names = new Set<string>();
  const variables = new Set<string>();
  const resources = orders.flatMap((order) => {
    const name = makeUnique(suggestName(order), "-", names);
    const variable = makeUnique(name.replaceAll(/\W/g, "_"), "_", variables);
    return writeResources(order, name, variable);
  });
  const extendsSome = resources.some((text) => text.includes("new IpAutoExtend("));
  const imported = extendsSome ? "IpAutoExtend, ProxyOrder" : "ProxyOrder";
  return [
    [
      `// Takes over what the account held at ${formatTime(asOf)}: \`pulumi preview\``,
      "// shows no purchase, and `pulumi up` buys nothing and switches nothing.",
      "// What is marked as guessed the service does not show: it is recorded. When an",
      "// order has ended, remove its resource; or put its guesses right and take its",
      "// adoptOrderNumber out, to buy it anew at the price that the preview shows.",
      `import { ${imported} } from "pulumi-proxyrental";`,
    ].join("\n"),
    ...resources,
  ]
    .join("\n\n")
    .concat("\n");
}

/** The order itself, and the resources that keep its proxies renewing. */
function writeResources(order: AdoptedOrder, name: string, variable: string): string[] {
  const declarable = order.renewals.filter(
    (renewal) => whyUndeclarable(order, renewal) === undefined,
  );
  const isNamed = declarable.some((renewal) => isWhole(order, renewal));
  const lines = [
    ...describePaid(order),
    ...order.renewals
      .filter((renewal) => !declarable.includes(renewal))
      .flatMap((renewal) => describeUndeclarable(order, renewal)),
    ...describeJournal(order),
    `${isNamed ? `const ${variable} = ` : ""}new ProxyOrder(${quote(name)}, {`,
    ...writeArgs(order).map((line) => `  ${line}`),
    "});",
  ];
  return [lines.join("\n"), ...declarable.map((one) => writeRenewal(order, one, name, variable))];
}

function writeArgs(order: AdoptedOrder): string[] {
  const { orderId, proxyType, country, quantity } = order;
  return [
    `adoptOrderNumber: ${quote(orderId)},`,
    `proxyType: ${quote(proxyType)},`,
    `country: ${quote(country)},`,
    `quantity: ${quantity},`,
    ...writePurchase(order),
    ...writeAuthentication(order),
    ...(proxyType === "IPv6" ? writeProtocol(order) : []),
    ...(proxyType === "MOBILE" ? writeOperator(order) : []),
  ];
}

function writePurchase({ guess, recorded }: AdoptedOrder): string[] {
  if (recorded === undefined) {
    return [
      `rentPeriodDays: ${guess.rentPeriodDays}, // ${GUESSED}`,
      `goal: "placeholder: say what the proxies are for", // ${UNKNOWN}`,
    ];
  }
  return [
    `rentPeriodDays: ${recorded.rentPeriodDays}, // ${RECORDED}`,
    `goal: ${quote(recorded.goal)}, // ${RECORDED}`,
  ];
}

function writeAuthentication({ showsLogin, recorded }: AdoptedOrder): string[] {
  if (recorded?.authType === "IP" && recorded.authIp !== undefined) {
    return [`authType: "IP", // ${RECORDED}`, `authIp: ${quote(recorded.authIp)},`];
  }
  if (showsLogin || recorded !== undefined) return [`authType: "LOGIN",`];
  return [
    `authType: "LOGIN", // ${GUESSED}; the listing shows no login, so it may be "IP" with an authIp`,
  ];
}

function writeProtocol({ recorded }: AdoptedOrder): string[] {
  const { protocol } = recorded ?? {};
  if (protocol !== undefined) return [`protocol: ${quote(protocol)}, // ${RECORDED}`];
  return [`protocol: "HTTP", // ${GUESSED}, and for the scheme of \`urls\``];
}

function writeOperator({ country, guess: { operator }, recorded }: AdoptedOrder): string[] {
  const { mobileOperator: bought, rotationTime: everySeconds } = recorded ?? {};
  if (bought !== undefined && everySeconds !== undefined) {
    return [
      `mobileOperator: ${quote(bought)}, // ${RECORDED}`,
      `rotationTime: ${everySeconds}, // ${RECORDED}`,
    ];
  }
  if (operator === undefined) {
    return [
      `mobileOperator: "unknown", // ${UNKNOWN}; none is offered in ${inComment(country)}`,
      `rotationTime: 0, // ${UNKNOWN}`,
    ];
  }
  const { mobileOperator, rotationTime, others } = operator;
  const also = others.length > 0 ? `; also offered: ${inComment(others.join(", "))}` : "";
  return [
    `mobileOperator: ${quote(mobileOperator)}, // ${GUESSED}${also}`,
    `rotationTime: ${rotationTime}, // ${GUESSED}`,
  ];
}

function writeRenewal(
  order: AdoptedOrder,
  renewal: Renewal,
  name: string,
  variable: string,
): string {
  const { everyDays, ipAddressIds } = renewal;
  const suffix = order.renewals.length > 1 ? `-${everyDays}` : "";
  const ids = isWhole(order, renewal)
    ? [`ipAddressIds: ${variable}.ipAddressIds,`]
    : writeList("ipAddressIds", ipAddressIds);
  return [
    `// ${countRenewing(order, renewal)} every ${everyDays} days, as before. That goes on costing money.`,
    `new IpAutoExtend(${quote(`${name}-renewal${suffix}`)}, {`,
    ...[`proxyType: ${quote(order.proxyType)},`, ...ids, `rentPeriodDays: ${everyDays},`].map(
      (line) => `  ${line}`,
    ),
    "});",
  ].join("\n");
}

/** A list as formatters write it: on one line if that is short enough. */
function writeList(property: string, values: readonly string[]): string[] {
  const quoted = values.map(quote);
  const line = `${property}: [${quoted.join(", ")}],`;
  if (line.length + 2 <= LINE_WIDTH) return [line];
  return [`${property}: [`, ...quoted.map((value) => `  ${value},`), "],"];
}

function describePaid({ since, ends }: AdoptedOrder): string[] {
  const [first] = ends;
  const last = ends.at(-1);
  const begin = since === undefined ? "" : ` since ${formatTime(since)}`;
  if (first === undefined || last === undefined) return [`// Paid${begin}.`];
  const later = last === first ? "" : `, the last of it until ${formatTime(last)}`;
  return [`// Paid${begin} until ${formatTime(first)}${later}.`];
}

function describeUndeclarable(order: AdoptedOrder, renewal: Renewal): string[] {
  const { everyDays } = renewal;
  const often = everyDays === 0 ? "" : ` every ${everyDays} days`;
  return [
    `// ${countRenewing(order, renewal)}${often}. No IpAutoExtend says so, because`,
    `// ${whyUndeclarable(order, renewal)}.`,
    "// That goes on costing money until it is switched off; `pulumi destroy` does it.",
  ];
}

/** Why an `IpAutoExtend` of these proxies would be refused; undefined if it would not. */
function whyUndeclarable(order: AdoptedOrder, renewal: Renewal): string | undefined {
  const { everyDays } = renewal;
  if (everyDays === 0) return "the service does not say how many days are added each time";
  if (!order.periods.includes(everyDays)) return "the service does not offer that period now";
  const isPart = order.proxyType === "IPv6" && !isWhole(order, renewal);
  return isPart ? "IPv6 proxies are extended by whole orders only" : undefined;
}

function describeJournal({ journal }: AdoptedOrder): string[] {
  if (journal === undefined) return [];
  return [
    `// The journal of this machine: ${inComment(describeNote(journal))}.`,
    "// Where a stack has it, or is about to, leave it there: two can't own one order.",
  ];
}

function countRenewing({ quantity }: AdoptedOrder, { ipAddressIds }: Renewal): string {
  const count = ipAddressIds.length;
  if (count === quantity) return count === 1 ? "It renews" : `All ${count} renew`;
  return `${count} of its ${quantity} proxies ${count === 1 ? "renews" : "renew"}`;
}

function isWhole({ quantity }: AdoptedOrder, { ipAddressIds }: Renewal): boolean {
  return ipAddressIds.length === quantity;
}

function makeUnique(wanted: string, separator: string, taken: Set<string>): string {
  let name = wanted;
  for (let n = 2; taken.has(name); n += 1) name = `${wanted}${separator}${n}`;
  taken.add(name);
  return name;
}

/** A text as TypeScript source: always on one line, and without characters that an editor does not show. */
function quote(text: string): string {
  return JSON.stringify(text).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, toEscape);
}

/** A text that can't end the comment around it. */
function inComment(text: string): string {
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, toEscape);
}

function toEscape(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
