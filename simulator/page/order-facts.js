import { countOf } from "./amounts.js";
import { element } from "./elements.js";
import { formatMinute } from "./times.js";

/** @import { OrderSummary } from "./answers.d.ts" */

/** What was ordered beside what has a price. @param {OrderSummary} order */
export function describeOrder(order) {
  const facts = [
    [
      "Placed",
      `${formatMinute(order.placedAt)}${order.origin === "foreign" ? " by somebody else" : ""}`,
    ],
    ["Rent period", countOf(order.rentPeriodDays, "day")],
    ["Goal", order.goal],
    ["Authorization", [order.authType, order.authIp].filter(Boolean).join(" ")],
    ["Protocol", order.protocol],
    ["Operator", order.mobileOperator],
    ["Rotation", order.rotationTime && `${order.rotationTime} s`],
    ["Promo code", order.promoCode],
    ["Id in the listing", order.orderId === order.orderNumber ? "" : order.orderId],
  ];
  return element(
    "dl",
    { className: "facts" },
    ...facts
      .filter(([, fact]) => fact)
      .map(([name, fact]) =>
        element("div", {}, element("dt", {}, `${name}`), element("dd", {}, `${fact}`)),
      ),
  );
}
