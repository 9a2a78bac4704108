import { countOf } from "./amounts.js";
import { showDaysLeft } from "./days-left.js";
import { element, setText } from "./elements.js";
import { makeOpener } from "./opener.js";
import { describeOrder } from "./order-facts.js";
import { makeOrderProxies } from "./order-proxies.js";

/** @import { OrderSummary } from "./answers.d.ts" */

/** @typedef {{ account: string, order: OrderSummary, now: string }} ShownOrder */

/**
 * One order: a line, and below it what was ordered and its IPs, when somebody opens it.
 * @param {ShownOrder} shown
 */
export function makeOrderRow({ account, order: { orderNumber, quantity, proxyType, country } }) {
  const cells = makeCells();
  /** @type {ShownOrder} */
  let latest;
  /** @type {ReturnType<typeof makeOrderProxies> | undefined} */
  let proxies;
  const { button, details } = makeOpener([orderNumber], 7, () => {
    proxies ??= makeOrderProxies(account, orderNumber);
    proxies.refresh(latest.now);
    return [describeOrder(latest.order), proxies.element];
  });
  const row = element(
    "tbody",
    {},
    element(
      "tr",
      {},
      element("th", { scope: "row" }, button),
      element("td", {}, `${countOf(quantity, proxyType, proxyType)} in ${country}`),
      ...Object.values(cells),
    ),
    details,
  );
  return {
    element: row,
    /** @param {ShownOrder} shown */
    update(shown) {
      latest = shown;
      showOrder(cells, shown);
      if (!details.hidden) proxies?.refresh(shown.now);
    },
  };
}

/** The cells that change, in the order of the columns. */
function makeCells() {
  const makeCell = () => element("td", { className: "number" });
  return {
    listed: makeCell(),
    undelivered: makeCell(),
    expired: makeCell(),
    days: makeCell(),
    autoExtension: makeCell(),
  };
}

/** @param {ReturnType<typeof makeCells>} cells @param {ShownOrder} shown */
function showOrder(cells, { order, now }) {
  const { listed, undelivered, expired } = order.proxies;
  showCount(cells.listed, listed);
  showCount(cells.undelivered, undelivered);
  showCount(cells.expired, expired);
  showDaysLeft(cells.days, order.endsAt, now);
  setText(cells.autoExtension, describeAutoExtension(order));
}

/** @param {HTMLElement} cell @param {number} count */
function showCount(cell, count) {
  setText(cell, count.toLocaleString("en-US"));
  cell.classList.toggle("quiet", count === 0);
}

/** @param {OrderSummary} order */
function describeAutoExtension({ autoExtending, proxies: { listed, undelivered } }) {
  if (autoExtending === 0) return "off";
  return autoExtending === listed + undelivered
    ? "on"
    : `${autoExtending} of ${listed + undelivered}`;
}
