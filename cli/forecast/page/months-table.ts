import { html } from "hono/html";
import { formatMoney } from "../../../provider/core/values/money.ts";
import type { PurchaseBook } from "../paid-months.ts";

type Html = ReturnType<typeof html>;

/** How many months are shown. */
const MONTHS = 12;

/** What the last months cost, by stack, as the journal has it. */
export function drawMonths({ months, hasSeveralAccounts }: PurchaseBook): Html {
  const names = [...new Set(months.map(({ month }) => month))].slice(0, MONTHS);
  const shown = months.filter(({ month }) => names.includes(month));
  if (shown.length === 0) return html`<p>The journal has no purchases.</p>`;
  const most = Math.max(...shown.map(({ amount }) => amount), 1);
  return html`<table class="months">
      <thead><tr><th scope="col">Month</th><th scope="col">Stack</th><th scope="col" class="amount">Purchases</th><th scope="col" class="amount">Paid</th><th scope="col" class="bar">Compared</th></tr></thead>
      <tbody>
      ${shown.map(
        ({ month, stack, purchases, amount, currency }) => html`<tr>
          <th scope="row">${month}</th>
          <td>${stack}</td>
          <td class="amount">${purchases}</td>
          <td class="amount">${formatMoney(amount, currency)}</td>
          <td class="bar"><svg aria-hidden="true"><rect class="paid" x="0" width="${((amount / most) * 100).toFixed(2)}%" y="25%" height="50%" /></svg></td>
        </tr>`,
      )}
      </tbody>
    </table>
    <p class="note">What this package has bought, as the journal has it${hasSeveralAccounts ? ", for all accounts that share it" : ""}. What automatic extension has paid is not in the journal.</p>`;
}
