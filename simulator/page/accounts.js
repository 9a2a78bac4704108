import { countOf, formatAmount } from "./amounts.js";
import { element, find, setText } from "./elements.js";

/** @import { AccountSummary } from "./answers.d.ts" */

const choice = find("account", HTMLSelectElement);
const only = find("account-only", HTMLElement);
const balance = find("balance", HTMLElement);
const currency = find("currency", HTMLElement);
const holdings = find("holdings", HTMLElement);

/** @param {() => void} onChoose */
export function onAccountChoice(onChoose) {
  choice.addEventListener("change", () => {
    // It is in the address, so that a reload and a link show the same account.
    location.hash = choice.value;
  });
  window.addEventListener("hashchange", onChoose);
}

/**
 * Shows the chosen account, or the first if that is gone.
 * @param {readonly AccountSummary[]} accounts
 */
export function showAccounts(accounts) {
  const chosen = accounts.find(({ name }) => location.hash === `#${name}`) ?? accounts[0];
  if (chosen === undefined) throw new Error("The simulator has no account");
  showNames(accounts.map(({ name }) => name));
  choice.value = chosen.name;
  setText(only, chosen.name);
  setText(balance, formatAmount(chosen.balance));
  setText(currency, chosen.currency);
  setText(holdings, describeHoldings(chosen));
  document.title = `${formatAmount(chosen.balance)} ${chosen.currency} – proxy rental simulator`;
  return chosen;
}

/** @param {readonly string[]} names */
function showNames(names) {
  const shown = [...choice.options].map(({ value }) => value);
  if (shown.join("\n") !== names.join("\n")) {
    choice.replaceChildren(...names.map((name) => element("option", { value: name }, name)));
  }
  choice.hidden = names.length < 2;
  only.hidden = names.length > 1;
}

/** @param {AccountSummary} account */
function describeHoldings({ orders, proxies: { listed, undelivered, expired } }) {
  return [
    countOf(orders, "order"),
    `${countOf(listed, "IP")} listed`,
    ...(undelivered > 0 ? [`${undelivered} undelivered`] : []),
    ...(expired > 0 ? [`${countOf(expired, "expired", "expired")}`] : []),
  ].join(" · ");
}
