import { showBalanceChart } from "./balance-chart.js";
import { showLedger } from "./ledger.js";
import { listMovements } from "./movements.js";

/** @import { Ledger } from "./answers.d.ts" */
/** @import { Movement } from "./movements.js" */

let opening = "0.00";
/** @type {readonly Movement[]} */
let movements = [];

/**
 * The ledger as chart and table. Time goes on in the chart even if the ledger stays the same.
 * @param {Ledger | null} news
 * @param {string} now
 * @param {string} currency
 */
export function showMoney(news, now, currency) {
  if (news !== null) {
    opening = news.opening;
    movements = listMovements(news);
    showLedger(movements);
  }
  showBalanceChart(opening, movements, now, currency);
}
