import { describeOrder } from "../../provider/core/order/model/args.ts";
import { describeProxies } from "../../provider/core/proxies/proxy-args.ts";
import { type Intent, isOrderIntent, isPlaced } from "../../provider/core/records/intent.ts";
import { formatMoney } from "../../provider/core/values/money.ts";
import { nameOf } from "../../provider/core/values/owner.ts";

/** What a purchase is about: "5 IPv4 proxies in USA for 30 days". */
export function describePurchase({ purchase }: Intent): string {
  if (purchase.kind === "order") return describeOrder(purchase.request);
  const { proxyType, ipAddressIds, rentPeriodDays } = purchase.request;
  return `${describeProxies(ipAddressIds.length, proxyType)} extended by ${rentPeriodDays} days`;
}

/** A moment to the second: "2026-03-01T12:00:00Z". */
export function formatTime(time: Date | string): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, "Z");
}

/** Whether nobody knows if it was placed. */
export function isInDoubt({ phase }: Pick<Intent, "phase">, underWay: boolean): boolean {
  return phase === "unknown" || (phase === "sending" && !underWay);
}

/** Orders that may be this purchase, while nobody knows which one is. */
export function candidatesOf({ orderNumber, candidates = [] }: Intent): string[] {
  return orderNumber === undefined ? candidates : [];
}

const endings: Record<NonNullable<Intent["closedBecause"]>, string> = {
  rejected: "the service refused it, so nothing was bought",
  notPlaced: "the account showed that it was not placed, so nothing was bought",
  expired: "its order has ended",
  resolved: "somebody resolved it, in the journal or by taking its order over",
  released: "its order is no longer its resource's, and runs out",
};

/** What is known of it, in a sentence without a full stop. */
export function explainPhase(intent: Intent, underWay: boolean): string {
  const isOrder = isOrderIntent(intent);
  const paid = `it is paid${isOrder ? `, as order ${intent.orderNumber ?? "of unknown number"}` : ""}`;
  const placed = isOrder ? "placed" : "carried out";
  switch (intent.phase) {
    case "sending":
      return underWay
        ? "it is being bought right now"
        : `the run that sent it ended before it heard an answer, so it may have been ${placed} and charged`;
    case "placed":
      return `${paid}; the engine was not told yet`;
    case "returned":
      return `${paid}; the engine was told, and no later run has seen yet that it kept it`;
    case "confirmed":
      return `${paid}${isOrder ? "," : ""} and the stack's state knows it`;
    case "unknown":
      return `its answer was lost, and the account does not show whether it was ${placed} and charged`;
    case "closed":
      return `it is closed: ${intent.closedBecause === undefined ? "nothing more is to be done" : endings[intent.closedBecause]}`;
  }
}

/** What a run does about proxies that an earlier run may have extended. */
export const PAYS_THE_REST =
  "looks at the ends of the proxies, and pays only for those that still fall short";

/** Whether a person may say that a paid order is no longer its resource's. */
export function mayBeReleased(intent: Intent): boolean {
  return isOrderIntent(intent) && isPlaced(intent);
}

/** When and how to say that, in a sentence without a full stop. */
export function releasingCommand({ id }: Intent, flags: string): string {
  return `If no state has it any more (it was given away, or taken out with \`pulumi state delete\`), say so: npx pulumi-proxyrental journal resolve ${id} --released${flags}`;
}

/** The ways to resolve it, ready to copy. If several orders may be it, none is preferred. */
export function resolvingCommands(intent: Intent, flags: string): string {
  const command = `npx pulumi-proxyrental journal resolve ${intent.id}`;
  const candidates = candidatesOf(intent);
  const numbers = candidates.length === 0 ? ["NUMBER"] : candidates;
  const lines = isOrderIntent(intent)
    ? [
        ...numbers.map((number) => `${command} --order ${number}${flags}`),
        "    the account holds it under that number; the next `pulumi up` takes it over",
        `${command} --closed${flags}`,
        "    it was not placed, or it is accounted for elsewhere; the next `pulumi up` may buy it",
        ...(mayBeReleased(intent)
          ? [
              `${command} --released${flags}`,
              "    its order is paid and no longer this resource's; the next `pulumi up` may buy another",
            ]
          : []),
      ]
    : [
        `${command} --closed${flags}`,
        `    you have looked at the ends of its proxies; the next \`pulumi up\` ${PAYS_THE_REST}`,
      ];
  return lines.map((line) => `  ${line}`).join("\n");
}

/** Until when to wait at most. On a shared journal nobody can see whether a process of another machine lives. */
export function orUntil(until: string | undefined): string {
  return until === undefined ? "" : `; if it was killed, until ${formatTime(until)}`;
}

/**
 * What a person can do about it.
 * @param until until when a run that was killed is taken for one that goes on
 */
export function explainNextSteps(
  intent: Intent,
  underWay: boolean,
  flags: string,
  until?: string,
): string {
  const { phase, orderNumber } = intent;
  const candidates = candidatesOf(intent);
  if (underWay) return `Wait until the run that sent it has ended${orUntil(until)}.`;
  switch (phase) {
    case "confirmed":
      return mayBeReleased(intent)
        ? `Nothing remains to be done. ${releasingCommand(intent, flags)}`
        : "Nothing remains to be done.";
    case "closed":
      return "Nothing remains to be done.";
    case "placed":
    case "returned":
      if (!isOrderIntent(intent)) {
        return [
          `Run \`pulumi up\`: it ${PAYS_THE_REST}.`,
          "Or resolve it:",
          resolvingCommands(intent, flags),
        ].join("\n");
      }
      return [
        "Run `pulumi up`: it takes the order over if it is listed and is what the program asks for, and buys nothing.",
        `Or name it in the program (adoptOrderNumber: "${orderNumber}"), or resolve it:`,
        resolvingCommands(intent, flags),
      ].join("\n");
    case "sending":
    case "unknown":
      return [
        "Run `pulumi up`: it looks at the account anew, and buys nothing while there is a doubt.",
        `Or look at the account yourself${candidates.length === 0 ? "" : ` (order ${candidates.join(" or ")})`} and resolve it:`,
        resolvingCommands(intent, flags),
      ].join("\n");
  }
}

/** A name, with what tells its stack apart from others of the same name. */
export function inScopes(name: string, { scopes }: { scopes?: string[] | undefined }): string {
  return scopes === undefined ? name : `${name} (${scopes.join(", ")})`;
}

/** All that is known of a purchase, for a person. */
export function describeIntent(intent: Intent, underWay: boolean): string {
  const { price, charged, currency, balanceBefore, holders = [] } = intent;
  const lines: [string, string | undefined][] = [
    ["what", `${describePurchase(intent)} for ${formatMoney(price, currency)}`],
    ["charged", charged === undefined ? undefined : formatMoney(charged, currency)],
    ["for", `${nameOf(intent.owner)} (${intent.owner})`],
    [
      "taken from",
      holders
        .slice(0, -1)
        .map(({ owner }) => nameOf(owner))
        .join(", "),
    ],
    ["program in", intent.project],
    ["journal scope", intent.scopes?.join(", ")],
    ["sent at", formatTime(intent.sentAt)],
    ["balance before", formatMoney(balanceBefore, currency)],
    ["order", intent.orderNumber],
    ["listed as", intent.orderIds?.join(", ")],
    ["may be order", candidatesOf(intent).join(", ")],
    ["remark", intent.remark],
  ];
  const known = lines.flatMap(([title, text]) => (text ? [`  ${title.padEnd(14)}  ${text}`] : []));
  const history = intent.history.map(({ phase, at }) => `  ${formatTime(at)}  ${phase}`);
  return [
    `Purchase ${intent.id}, ${intent.phase}: ${explainPhase(intent, underWay)}.`,
    ...["", ...known, "", "History, by the journal's clock:", ...history],
  ].join("\n");
}
