import { accountPath, send } from "./control-api.js";
import { element, find } from "./elements.js";
import { onPress } from "./notice.js";

/** @import { FaultRule } from "./answers.d.ts" */

/** The most instructive faults, each for the next call that it meets. @type {Record<string, FaultRule>} */
const readyMade = {
  "Next order: charged, answer lost": {
    endpoint: "createOrder",
    calls: [1],
    phase: "after",
    fault: { kind: "reset" },
  },
  "Next order: carried out a minute late": {
    endpoint: "createOrder",
    calls: [1],
    phase: "before",
    fault: { kind: "lateCommit", afterMs: 60_000 },
  },
  "Next order: refused for want of money": {
    endpoint: "createOrder",
    calls: [1],
    phase: "before",
    fault: { kind: "refuse", code: 16 },
  },
  "Next call: HTTP 503": {
    endpoint: "any",
    calls: [1],
    phase: "before",
    fault: { kind: "status", status: 503 },
  },
};

const foreignOrder = { proxyType: "IPv4", country: "USA", quantity: 3, rentPeriodDays: 30 };

/** @param {() => string} chosenAccount */
export function offerReadyMade(chosenAccount) {
  const place = find("ready-made", HTMLElement);
  for (const [label, rule] of Object.entries(readyMade)) {
    addButton(place, label, () => send("POST", "/faults", rule));
  }
  addButton(place, "Now: somebody else orders 3 IPv4", () =>
    send("POST", accountPath(chosenAccount(), "/foreign-orders"), foreignOrder),
  );
}

/** @param {HTMLElement} place @param {string} label @param {() => Promise<void>} work */
function addButton(place, label, work) {
  const button = element("button", { type: "button" }, label);
  onPress(button, work);
  place.append(button);
}
