import { createOrderLifecycle } from "../../../provider/core/order/lifecycle.ts";
import { readSettings } from "../../../provider/host/settings.ts";
import { openSystemAccount } from "../../../provider/host/system.ts";
import { silentLog } from "../../support/silent-log.ts";

/** The owner of the order, and its arguments. */
const [owner = "", args = "{}"] = process.argv.slice(2);

const settings = readSettings({ config: () => undefined, environment: process.env });
const account = openSystemAccount(settings, { project: `/${owner}`, log: silentLog });
const orders = createOrderLifecycle(account);
const given = { known: JSON.parse(args), unknown: new Set<string>() };
const { checked, failures } = await orders.check(owner, undefined, given);
if (failures.length > 0) throw new Error(JSON.stringify(failures));

const nextLine = () => new Promise((resolve) => process.stdin.once("data", resolve));

// The plan is made. It is carried out when a line comes on stdin.
console.log("planned");
await nextLine();
const outcome = await orders.create(checked).then(
  ({ orderNumber }) => `bought ${orderNumber}`,
  (error: unknown) => String(error),
);
console.log(outcome);
// A run that has ended would be looked for by the others.
await nextLine();
process.exit(0);
