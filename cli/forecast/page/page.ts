import { createHash } from "node:crypto";
import { html, raw } from "hono/html";
import type { Forecast } from "../account-forecast.ts";
import { groupByDay } from "../day-lines.ts";
import { describeRest, describeSum, toRow } from "../forecast-words.ts";
import type { PurchaseBook } from "../paid-months.ts";
import { drawBalance } from "./balance-figure.ts";
import { drawMonths } from "./months-table.ts";
import { drawOrders } from "./orders-figure.ts";
import { style } from "./style.ts";
import { createTimeScale } from "./time-scale.ts";

type Html = ReturnType<typeof html>;

/** What the page says of the past: the journal's purchases, or why the journal can't be read. */
export type Past = PurchaseBook | { unread: string };

/** A browser applies this style and nothing else: the page runs no program and asks nobody for anything. */
const policy = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; base-uri 'none'; form-action 'none'`;

/** A forecast as one page that needs nothing beside itself. It works without a network, and without a script. */
export async function makePage(forecast: Forecast, past: Past): Promise<string> {
  const scale = createTimeScale(forecast);
  const page = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Proxies: what ends, what renews</title>
<style>${raw(style)}</style>
</head>
<body>
<main>
<h1>What ends, what renews, and how long the balance lasts</h1>
<p>${describeSum(forecast)}</p>
${describeRest(forecast).map((line) => html`<p class="bad">${line}</p>`)}
<p class="muted">As the service told it on ${forecast.from.slice(0, 16).replace("T", " ")} UTC. Prices are those of that day.</p>
<section>
<h2>The balance</h2>
${drawBalance(forecast, scale)}
${legend}
</section>
<section>
<h2>Day by day</h2>
<div class="scroll" role="region" aria-label="Day by day" tabindex="0">${drawDays(forecast)}</div>
</section>
<section>
<h2>The orders</h2>
<div class="scroll" role="region" aria-label="The orders" tabindex="0">${drawOrders(forecast, scale)}</div>
</section>
<section>
<h2>The last months</h2>
<div class="scroll" role="region" aria-label="The last months" tabindex="0">${"unread" in past ? html`<p class="bad">The journal can't be read: ${past.unread}</p>` : drawMonths(past)}</div>
</section>
</main>
</body>
</html>
`;
  return String(page);
}

const drawDot = (kind: string) =>
  html`<svg aria-hidden="true"><circle class="${kind}" cx="6" cy="6" r="5" /></svg>`;

const legend = html`<ul class="legend">
  <li>${drawDot("renews")} renews</li>
  <li>${drawDot("ends")} ends, or renews at a price that is not known</li>
  <li>${drawDot("notCovered")} not covered by the balance</li>
</ul>`;

/** The first line of a day is where a mark of the figure leads. */
function drawDays(forecast: Forecast): Html {
  const lines = groupByDay(forecast);
  if (lines.length === 0) return html`<p>Nothing renews or ends.</p>`;
  const rows = lines.map((line) => ({ ...line, cells: toRow(line, forecast, String) }));
  const titles = Object.keys(rows[0]?.cells ?? {}).filter((title) =>
    rows.some(({ cells }) => cells[title]),
  );
  return html`<table class="narrow">
    <thead><tr>${titles.map((title) => html`<th scope="col"${alignment(title)}>${capitalise(title)}</th>`)}</tr></thead>
    <tbody>
    ${rows.map(({ day, kind, cells }, index) => {
      const id = day === rows[index - 1]?.day ? "" : html` id="day-${day}"`;
      const style = kind === "notCovered" ? html` class="bad"` : "";
      return html`<tr${id}${style}>${titles.map((title) => drawCell(title, cells[title]))}</tr>`;
    })}
    </tbody>
  </table>`;
}

/** On a narrow window the cells of a row stand below each other, each after its title. */
function drawCell(title: string, text: string | undefined): Html {
  return html`<td${alignment(title)} data-title="${capitalise(title)}">${text}</td>`;
}

function alignment(title: string): Html | "" {
  return title === "COST" || title === "BALANCE" ? html` class="amount"` : "";
}

function capitalise(title: string): string {
  return title.charAt(0) + title.slice(1).toLowerCase();
}
