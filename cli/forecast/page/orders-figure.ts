import { html } from "hono/html";
import { describeProxies } from "../../../provider/core/proxies/proxy-args.ts";
import { keyOf } from "../../listed-order.ts";
import type { Forecast, HeldOrder, NamedEvent } from "../account-forecast.ts";
import { dayOf } from "../day-lines.ts";
import { happenings } from "../forecast-words.ts";
import type { TimeScale } from "./time-scale.ts";

type Html = ReturnType<typeof html>;

/** The orders as bars in time: paid today in the strong colour, renewed later in the weak one. */
export function drawOrders({ orders, events }: Forecast, { place }: TimeScale): Html {
  const ofOrder = Map.groupBy(events, keyOf);
  return html`<table class="narrow">
    <thead><tr><th scope="col">Order</th><th scope="col">Proxies</th><th scope="col">Until</th><th scope="col" class="bar">In time</th></tr></thead>
    <tbody>
    ${orders.map(
      (order) => html`<tr>
        <th scope="row" data-title="Order">${nameOrder(order)}</th>
        <td data-title="Proxies">${describeProxies(order.quantity, order.proxyType)} in ${order.country}</td>
        <td data-title="Until">${describeEnd(order)}</td>
        <td class="bar">${drawBar(order, ofOrder.get(keyOf(order)) ?? [], place)}</td>
      </tr>`,
    )}
    </tbody>
  </table>`;
}

function nameOrder({ orderId, resource }: HeldOrder): string {
  return resource === undefined ? orderId : `${orderId} (${resource})`;
}

function describeEnd({ paidUntil, endsAt }: HeldOrder): string {
  return endsAt === undefined ? `${dayOf(paidUntil)}, or later` : dayOf(endsAt);
}

/** The table says the same in words, so who can't see the bar misses nothing. */
function drawBar(
  { paidUntil, endsAt }: HeldOrder,
  events: readonly NamedEvent[],
  place: TimeScale["place"],
): Html {
  const last = endsAt === undefined ? "100%" : place(endsAt);
  const paid = place(paidUntil);
  return html`<svg aria-hidden="true">
      <rect class="renewed" x="0" width="${last}" y="25%" height="50%" />
      <rect class="paid" x="0" width="${paid}" y="25%" height="50%" />
      ${events.map(
        ({ at, what }) =>
          html`<line class="${what.kind}" x1="${place(at)}" x2="${place(at)}" y1="10%" y2="90%"><title>${dayOf(at)}: ${happenings[what.kind]}</title></line>`,
      )}
    </svg>`;
}
