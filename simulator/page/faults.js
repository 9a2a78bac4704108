import { countOf } from "./amounts.js";
import { send } from "./control-api.js";
import { element, find, setText } from "./elements.js";
import { onPress } from "./notice.js";
import { keepRows } from "./rows.js";

/** @import { StandingFault } from "./answers.d.ts" */

const table = find("faults", HTMLTableElement);
const summary = find("fault-count", HTMLElement);
const empty = find("no-faults", HTMLElement);
const clear = find("clear-faults", HTMLButtonElement);
const showRows = keepRows(find("fault-rows", HTMLElement), ({ id }) => id, makeRow);

onPress(clear, () => send("DELETE", "/faults"));

/** @param {{ struck: number, faults: readonly StandingFault[] }} standing */
export function showFaults({ struck, faults }) {
  showRows(faults);
  setText(summary, `struck ${countOf(struck, "time")}`);
  empty.hidden = faults.length > 0;
  table.hidden = faults.length === 0;
  clear.disabled = faults.length === 0;
}

/** @param {StandingFault} fault */
function makeRow({ id, endpoint, phase, calls, probability, fault }) {
  const hits = element("td", { className: "number" });
  const end = element("span", { className: "end", hidden: true }, "used up");
  const remove = element("button", { type: "button", ariaLabel: `Remove ${id}` }, "Remove");
  onPress(remove, () => send("DELETE", `/faults/${encodeURIComponent(id)}`));
  const row = element(
    "tr",
    {},
    element("th", { scope: "row" }, endpoint),
    element("td", {}, `${phase}: ${describeFault(fault)}`),
    element("td", {}, describeCalls(calls, probability), " ", end),
    hits,
    element("td", { className: "number" }, remove),
  );
  return {
    element: row,
    /** @param {StandingFault} standing */
    update: (standing) => {
      setText(hits, String(standing.hits));
      row.classList.toggle("used-up", standing.usedUp);
      end.hidden = !standing.usedUp;
    },
  };
}

/** @param {StandingFault["fault"]} fault */
function describeFault({ kind, ...parameters }) {
  const told = Object.entries(parameters).map(([name, value]) =>
    name === kind
      ? `${value}`
      : `${name} ${typeof value === "object" ? JSON.stringify(value) : value}`,
  );
  return [kind, ...told].join(" ");
}

/** @param {readonly number[] | undefined} calls @param {number | undefined} probability */
function describeCalls(calls, probability = 1) {
  const which = calls === undefined ? "every call" : `call ${calls.join(", ")}`;
  return probability === 1 ? which : `${which}, ${Math.round(probability * 1000) / 10}%`;
}
