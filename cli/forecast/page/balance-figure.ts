import { html } from "hono/html";
import { formatMoney } from "../../../provider/core/values/money.ts";
import type { Forecast } from "../account-forecast.ts";
import { type DayLine, groupByDay } from "../day-lines.ts";
import { happenings } from "../forecast-words.ts";
import type { TimeScale } from "./time-scale.ts";

type Html = ReturnType<typeof html>;

/** What is free above the highest balance and below 0, as a share of the height. */
const MARGIN = 0.1;

/** A part of the line: the balance until something happens, and its fall then. */
interface Step {
  from: string;
  to: string;
  before: number;
  after: number;
}

/** The balance as a line, and a mark for each day on which something happens. Each mark leads to its line in the table. */
export function drawBalance(forecast: Forecast, { place, ticks }: TimeScale): Html {
  const { balance, currency } = forecast;
  const most = Math.max(balance.now, 1);
  const height = (amount: number) => {
    const share = MARGIN + (1 - 2 * MARGIN) * (1 - amount / most);
    return `${(share * 100).toFixed(2)}%`;
  };
  const zero = height(0);
  return html`<svg class="balance" role="group" aria-label="The balance over time">
    <line class="zero" x1="0%" x2="100%" y1="${zero}" y2="${zero}" />
    ${findSteps(forecast).map(
      ({ from, to, before, after }) => html`
        <line class="level" x1="${place(from)}" x2="${place(to)}" y1="${height(before)}" y2="${height(before)}" />
        <line class="level" x1="${place(to)}" x2="${place(to)}" y1="${height(before)}" y2="${height(after)}" />`,
    )}
    <text x="0" y="${height(balance.now)}" dy="-0.4em">${formatMoney(balance.now, currency)}</text>
    <text x="0" y="${zero}" dy="-0.4em">${formatMoney(0, currency)}</text>
    ${ticks.map(
      (tick) =>
        html`<text x="${tick.place}" y="100%" dy="-0.2em" text-anchor="${tick.anchor}">${tick.day}</text>`,
    )}
    ${findDays(forecast).map((lines) => drawMark(lines, forecast, { place, height }))}
  </svg>`;
}

function drawMark(
  [first, ...others]: [DayLine, ...DayLine[]],
  { currency }: Forecast,
  { place, height }: { place: TimeScale["place"]; height: (amount: number) => string },
): Html {
  const lines = [first, ...others];
  const last = lines.at(-1) ?? first;
  const kinds = lines.map(({ kind }) => kind);
  const worst = (["notCovered", "ends", "renewsUnpriced"] as const).find((kind) =>
    kinds.includes(kind),
  );
  const words = [
    ...lines.map(({ kind, proxies }) => `${proxies} ${happenings[kind]}`),
    `balance ${formatMoney(last.balanceAfter, currency)}`,
  ].join(", ");
  const label = `${first.day}: ${words}`;
  // A day has one mark: where its last line leaves the balance.
  return html`<a href="#day-${first.day}" aria-label="${label}">
      <circle class="${worst ?? "renews"}" cx="${place(`${first.day}T12:00:00Z`)}" cy="${height(last.balanceAfter)}" r="5"><title>${label}</title></circle>
    </a>`;
}

function findSteps({ events, balance, from, until }: Forecast): Step[] {
  const steps: Step[] = [];
  let begin = { at: from, amount: balance.now };
  for (const { at, balanceAfter } of events) {
    if (balanceAfter === begin.amount) continue;
    steps.push({ from: begin.at, to: at, before: begin.amount, after: balanceAfter });
    begin = { at, amount: balanceAfter };
  }
  return [...steps, { from: begin.at, to: until, before: begin.amount, after: begin.amount }];
}

/** What happens, day by day. */
function findDays(forecast: Forecast): [DayLine, ...DayLine[]][] {
  const byDay = Map.groupBy(groupByDay(forecast), ({ day }) => day);
  return [...byDay.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [[first, ...others]],
  );
}
