import type { ProxyRecord } from "../../provider/client/index.ts";
import { addressOf } from "../../provider/core/proxies/address.ts";
import {
  type Intent,
  isExtensionIntent,
  isOrderIntent,
  isPlaced,
  namesOf,
} from "../../provider/core/records/intent.ts";
import { DAY_MS } from "../../provider/core/values/dates.ts";
import { notSeen, type OpenAnswers } from "./open-answers.ts";

/** What purchases of the journal and the listing say together. */
export type PurchaseAnswers = Pick<
  OpenAnswers,
  | "orderNumberDiffersFromOrderId"
  | "deliveryDelayMs"
  | "deliveryBatch"
  | "dateEndDelayMs"
  | "idsChangeOnExtension"
>;

/** Compares what was bought with what is listed. */
export function weighPurchases(
  intents: readonly Intent[],
  records: readonly ProxyRecord[],
  now: Date,
): PurchaseAnswers {
  const placed = intents.filter(isPlaced);
  return {
    orderNumberDiffersFromOrderId: compareNumbers(placed, records),
    deliveryDelayMs: measureDelivery(placed, records, now),
    deliveryBatch: notSeen("doctor does not watch a delivery"),
    dateEndDelayMs: measureEnds(records, now),
    idsChangeOnExtension: compareIds(placed, records),
  };
}

function compareNumbers(
  placed: readonly Intent[],
  records: readonly ProxyRecord[],
): OpenAnswers["orderNumberDiffersFromOrderId"] {
  const listed = new Set(records.map(({ orderId }) => orderId));
  const known = placed.filter(isOrderIntent).flatMap(({ orderNumber, orderIds = [] }) => {
    if (orderNumber === undefined) return [];
    const ids = orderIds.length > 0 ? orderIds : [orderNumber].filter((id) => listed.has(id));
    return ids.length === 0 ? [] : [ids.includes(orderNumber)];
  });
  if (known.length === 0) return notSeen("the journal has no order that was seen in the listing");
  const different = known.filter((isSame) => !isSame).length;
  const how = `${different} of ${known.length} orders in the journal are listed under another number`;
  return { answer: different > 0, how };
}

/** How long an order has been incomplete that was bought a short time ago. */
function measureDelivery(
  placed: readonly Intent[],
  records: readonly ProxyRecord[],
  now: Date,
): OpenAnswers["deliveryDelayMs"] {
  const waits = placed.filter(isOrderIntent).flatMap((intent) => {
    const ageMs = now.getTime() - Date.parse(intent.sentAt);
    const names = namesOf(intent);
    const count = records.filter(({ orderId }) => names.includes(orderId)).length;
    const isWaiting = count < intent.purchase.request.quantity && ageMs > 0 && ageMs < DAY_MS;
    return isWaiting ? [ageMs] : [];
  });
  if (waits.length === 0) return notSeen("no order of the journal waits for its proxies");
  return {
    ...notSeen("an order of the journal waits for its proxies, or they are gone"),
    atLeast: Math.max(...waits),
  };
}

/** The service's clock tells whole seconds: something may be older by that. */
const ROUNDING_MS = 1_000;

/** How old proxies are that have no end yet, and how young those that have one. */
function measureEnds(records: readonly ProxyRecord[], now: Date): OpenAnswers["dateEndDelayMs"] {
  const agesOf = (some: readonly ProxyRecord[]) =>
    some
      .flatMap(({ dateStart }) =>
        dateStart === undefined ? [] : [now.getTime() - Date.parse(dateStart)],
      )
      .filter((ageMs) => ageMs > -ROUNDING_MS && ageMs < DAY_MS);
  const without = agesOf(records.filter(({ dateEnd }) => dateEnd === undefined));
  const having = agesOf(records.filter(({ dateEnd }) => dateEnd !== undefined));
  if (without.length === 0 && having.length === 0)
    return notSeen("no listed proxy is younger than a day");
  return {
    ...notSeen("from the youngest proxies of the listing"),
    ...(without.length > 0 && { atLeast: Math.max(...without) }),
    ...(having.length > 0 && { atMost: Math.min(...having) + ROUNDING_MS }),
  };
}

/** Whether proxies that were extended are listed under the ids that they had. */
function compareIds(
  placed: readonly Intent[],
  records: readonly ProxyRecord[],
): OpenAnswers["idsChangeOnExtension"] {
  const byId = new Map(records.map((record) => [record.ipAddressId, record]));
  const addressed = records.filter((record) => addressOf(record) !== "");
  const byAddress = new Map(addressed.map((record) => [addressOf(record), record]));
  const known = placed.filter(isExtensionIntent).flatMap(({ purchase }) =>
    purchase.proxiesBefore.flatMap(({ ipAddressId, address, dateEnd }) => {
      const isLater = (record: ProxyRecord | undefined) =>
        record?.dateEnd !== undefined &&
        dateEnd !== undefined &&
        Date.parse(record.dateEnd) > Date.parse(dateEnd);
      if (isLater(byId.get(ipAddressId))) return [false];
      return isLater(byAddress.get(address)) ? [true] : [];
    }),
  );
  if (known.length === 0) return notSeen("the journal has no extension of a proxy that is listed");
  const changed = known.filter((hasChanged) => hasChanged).length;
  return {
    answer: changed > 0,
    how: `${changed} of ${known.length} extended proxies have another id`,
  };
}
