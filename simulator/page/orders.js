import { countOf } from "./amounts.js";
import { find, setText } from "./elements.js";
import { makeOrderRow } from "./order-row.js";
import { keepRows } from "./rows.js";

/** @import { OrderSummary } from "./answers.d.ts" */

const latestCount = 50;

const table = find("orders", HTMLTableElement);
const summary = find("order-count", HTMLElement);
const showAll = find("orders-all", HTMLButtonElement);
const empty = find("no-orders", HTMLElement);

let isComplete = false;
const showRows = keepRows(
  table,
  ({ account, order }) => `${account} ${order.orderNumber}`,
  makeOrderRow,
);

/** @type {{ total: number, orders: OrderSummary[] }} */
let held = { total: 0, orders: [] };

/** How many orders to ask for: an account may hold thousands. */
export function ordersQuery() {
  return isComplete ? "/orders" : `/orders?latest=${latestCount}`;
}

/** @param {() => void} refreshSoon */
export function offerAllOrders(refreshSoon) {
  showAll.addEventListener("click", () => {
    isComplete = !isComplete;
    refreshSoon();
  });
}

/**
 * The newest first. The days left depend on the clock, so there is something to show even if the orders stay the
 * same.
 * @param {string} account
 * @param {{ total: number, orders: OrderSummary[] } | null} news
 * @param {string} now
 */
export function showOrders(account, news, now) {
  held = news ?? held;
  const { orders, total } = held;
  showRows(orders.map((order) => ({ account, order, now })).reverse());
  setText(
    summary,
    orders.length < total
      ? `latest ${orders.length} of ${countOf(total, "order")}`
      : countOf(total, "order"),
  );
  empty.hidden = total > 0;
  table.hidden = total === 0;
  showAll.hidden = total <= latestCount;
  setText(showAll, orders.length < total ? "Show all" : `Show latest ${latestCount}`);
}
