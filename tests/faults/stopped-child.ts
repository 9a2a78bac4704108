import dns from "node:dns";
import { createOrderLifecycle } from "../../provider/core/order/lifecycle.ts";
import { readSettings } from "../../provider/host/settings.ts";
import { openSystemAccount } from "../../provider/host/system.ts";
import { silentLog } from "../support/silent-log.ts";

/** The owner of the order, and its arguments. */
const [owner = "", args = "{}"] = process.argv.slice(2);

const settings = readSettings({ config: () => undefined, environment: process.env });
const account = openSystemAccount(settings, { project: "/project", log: silentLog });

/** After the purchase is in the journal, the name of the service is not looked up until a line comes on stdin. */
const { lookup } = dns;
const hold = async (answer: () => void) => {
  const open = await account.journal.readOpen();
  if (open.some(({ runId }) => runId === account.journal.runId)) {
    console.log("connecting");
    await new Promise((resolve) => process.stdin.once("data", resolve));
  }
  answer();
};
dns.lookup = ((...call: unknown[]) =>
  void hold(() => Reflect.apply(lookup, dns, call))) as typeof lookup;

const orders = createOrderLifecycle(account);
const given = { known: JSON.parse(args), unknown: new Set<string>() };
const { checked, failures } = await orders.check(owner, undefined, given);
if (failures.length > 0) throw new Error(JSON.stringify(failures));
const outcome = await orders.create(checked).then(
  ({ orderNumber }) => `bought ${orderNumber}`,
  (error: unknown) => String(error),
);
console.log(outcome);
process.exit(0);
