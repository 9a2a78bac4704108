import { send } from "./control-api.js";
import { find, setText } from "./elements.js";
import { onPress, onSubmit } from "./notice.js";
import { formatSecond } from "./times.js";

const time = find("time", HTMLTimeElement);
const days = find("days", HTMLInputElement);

for (const [id, span] of /** @type {const} */ ([
  ["add-hour", { hours: 1 }],
  ["add-day", { days: 1 }],
  ["add-month", { days: 30 }],
])) {
  onPress(find(id, HTMLButtonElement), () => advance(span));
}
onSubmit(find("advance", HTMLFormElement), () => advance({ days: days.valueAsNumber }));

/** @param {Record<string, number>} span */
async function advance(span) {
  await send("POST", "/clock/advance", span);
}

/** @param {string} now */
export function showTime(now) {
  time.dateTime = now;
  setText(time, formatSecond(now));
}
