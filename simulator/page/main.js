import { onAccountChoice, showAccounts } from "./accounts.js";
import { offerPayment } from "./balance.js";
import { showTime } from "./clock.js";
import { accountPath, forgetNews, read, readNews } from "./control-api.js";
import { find, setText } from "./elements.js";
import { refreshEnvironment } from "./environment.js";
import { offerEndpoints } from "./fault-form.js";
import { showFaults } from "./faults.js";
import { showInvariants } from "./invariants.js";
import { doSparingly, follow } from "./live.js";
import { showMoney } from "./money.js";
import "./new-account.js";
import { showError } from "./notice.js";
import { offerAllOrders, ordersQuery, showOrders } from "./orders.js";
import { offerReadyMade } from "./ready-made.js";
import { forgetRequests, offerAllRequests, refreshRequests } from "./requests.js";
import "./skip-links.js";
import "./snapshots.js";

/** @import { AccountSummary, Invariant, Ledger, OrderSummary, StandingFault } from "./answers.d.ts" */

const gone = find("gone", HTMLElement);
const baseUrl = find("base-url", HTMLElement);

let account = "";

const refreshInvariants = doSparingly(async () => {
  /** @type {{ hold: boolean, checks: Invariant[] } | null} */
  const news = await readNews("invariants", "/invariants");
  if (news !== null) showInvariants(news);
});

const refreshSoon = follow({
  reach: () => {
    document.body.classList.remove("is-gone");
    gone.hidden = true;
    forgetNews();
    forgetRequests();
    showBaseUrl().catch(showError);
  },
  refresh: () => refresh().catch(showError),
  lose: () => {
    document.body.classList.add("is-gone");
    gone.hidden = false;
  },
});

onAccountChoice(refreshSoon);
offerAllOrders(refreshSoon);
offerAllRequests(refreshSoon);
offerPayment(() => account);
offerReadyMade(() => account);

async function showBaseUrl() {
  /** @type {{ baseUrl: string }} */
  const settings = await read("/settings");
  setText(baseUrl, settings.baseUrl);
}

async function refresh() {
  const [{ now }, { accounts }] = await Promise.all([readClock(), readAccounts()]);
  showTime(now);
  const chosen = showAccounts(accounts);
  account = chosen.name;
  await Promise.all([
    refreshMoney(chosen, now),
    refreshOrders(chosen, now),
    refreshEnvironment(chosen),
    refreshRequests(chosen.name, accounts.length).then((counts) =>
      offerEndpoints(Object.keys(counts)),
    ),
    refreshFaults(),
    refreshInvariants(),
  ]);
}

/** @returns {Promise<{ now: string }>} */
function readClock() {
  return read("/clock");
}

/** @returns {Promise<{ accounts: AccountSummary[] }>} */
function readAccounts() {
  return read("/accounts");
}

/** @param {AccountSummary} chosen @param {string} now */
async function refreshMoney({ name, currency }, now) {
  /** @type {Ledger | null} */
  const news = await readNews("ledger", accountPath(name, "/ledger"));
  showMoney(news, now, currency);
}

/** @param {AccountSummary} chosen @param {string} now */
async function refreshOrders({ name }, now) {
  /** @type {{ total: number, orders: OrderSummary[] } | null} */
  const news = await readNews("orders", accountPath(name, ordersQuery()));
  showOrders(name, news, now);
}

async function refreshFaults() {
  /** @type {{ struck: number, faults: StandingFault[] } | null} */
  const news = await readNews("faults", "/faults");
  if (news !== null) showFaults(news);
}
