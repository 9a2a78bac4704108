import { type Intent, namesOf as namesInJournal } from "../../../provider/core/records/intent.ts";
import type { RunReport } from "./engine.ts";
import { mentions } from "./mentions.ts";
import type { Tenant } from "./tenant.ts";

/** The report of a run, with everything that it said. */
export interface RunOutcome extends RunReport {
  said: string;
}

/** What the journal has, as the scope of a stack sees it. */
interface Recorded {
  all: readonly Intent[];
  /** Those of `all` whose orders are in no state yet, as far as the journal knows. */
  open: readonly Intent[];
}

/** Whether an intent is an unanswered purchase for a resource of this stack, so that its order is still to be found. */
export function isUnansweredFor(
  { owns }: Tenant,
  name: string,
  { owner, orderNumber }: Intent,
): boolean {
  return orderNumber === undefined && owns(owner) && owner.includes(`::${name}`);
}

/** Finds paid orders that are not in the state, not in the journal and not in what the run said. */
export function findUnreported(
  tenant: Tenant,
  { said }: Pick<RunOutcome, "said">,
  { all, open }: Recorded,
): string[] {
  const { account, known, livingOrders, takenOut, isAwaited } = tenant;
  const isKept = (name: string) => all.some((intent) => namesInJournal(intent).includes(name));
  const inState = known();
  const tells = (orderNumber: string, orderId: string, name: string) =>
    inState.has(orderNumber) ||
    inState.has(orderId) ||
    isAwaited({ orderNumber, orderId }) ||
    mentions(said, orderNumber) ||
    mentions(said, orderId) ||
    // The person who took it out of the state knows of it, and the journal still has it.
    (takenOut.has(orderNumber) && isKept(orderNumber)) ||
    (takenOut.has(orderId) && isKept(orderId)) ||
    open.some(
      (intent) =>
        intent.orderNumber === orderNumber ||
        intent.orderIds?.includes(orderId) ||
        isUnansweredFor(tenant, name, intent),
    );
  return account
    .orders()
    .filter(({ goal, orderNumber }) => livingOrders(goal).includes(orderNumber))
    .filter(({ goal, orderNumber, orderId }) => !tells(orderNumber, orderId, goal))
    .map(({ orderNumber, goal }) => `${orderNumber} of ${goal}`);
}

/**
 * Finds orders that the journal has paid and no state knows. Every run that checks must name them.
 * @param isGoingOn whether a run may still do what it has begun: then it finishes its purchases itself
 */
export function findUnnamed(
  tenant: Tenant,
  { said }: Pick<RunOutcome, "said">,
  { all }: Pick<Recorded, "all">,
  isGoingOn: (runId: string) => boolean,
): string[] {
  const { account, known, livingOrders, owns, foreignOrders, isAwaited, wasTakenOut } = tenant;
  const inState = known();
  const paid = all.filter(
    ({ orderNumber, owner, runId }) =>
      orderNumber !== undefined && owns(owner) && !isGoingOn(runId),
  );
  return account
    .orders()
    .filter(({ goal, orderNumber }) => livingOrders(goal).includes(orderNumber))
    .filter(({ orderNumber, orderId }) => {
      const names = [orderNumber, orderId];
      if (names.some((name) => inState.has(name) || mentions(said, name))) return false;
      if (foreignOrders.has(orderId) || isAwaited({ orderNumber, orderId })) return false;
      // The person who took it out of the state knows of it, and the run that bought it has ended well.
      if (wasTakenOut({ orderNumber, orderId })) return false;
      return paid.some(
        (intent) =>
          [intent.orderNumber ?? "", ...(intent.orderIds ?? [])].some((one) =>
            names.includes(one),
          ) &&
          // Another run has found its order, after this one had failed and said how to look the purchase up.
          !mentions(said, intent.id) &&
          !isSaidToGoOn(said, intent),
      );
    })
    .map(({ orderNumber, goal }) => `${orderNumber} of ${goal} is named by nobody`);
}

/** Whether a run has said that the run that buys goes on. Right after a kill, nobody can tell. */
function isSaidToGoOn(said: string, { owner }: Intent): boolean {
  return said.includes("another run is buying") && said.includes(` for ${owner}. `);
}

/**
 * Finds resources for which a run has bought more than the program asks for. Each country counts separately.
 * @param before what `countLiving` said before the run
 */
export function findDuplicates(
  { program, countLiving, livingOrders }: Tenant,
  before: ReadonlyMap<string, number>,
): string[] {
  return [...countLiving()].flatMap(([kind, count]) => {
    const had = before.get(kind) ?? 0;
    const [name = ""] = kind.split(" ");
    const wanted = program.get(name)?.quantity;
    // The program does not ask for it any more. An earlier run sent the order, and it was carried out late.
    if (wanted === undefined) return [];
    // A single order is no duplicate: a cancelled run may have bought it for an earlier program.
    if (count <= Math.max(had, wanted) || livingOrders(name).length <= 1) return [];
    return `${kind}: ${count} proxies are paid, ${wanted} wanted, ${had} were`;
  });
}

/** Finds living orders that were taken for gone. They would be bought again. */
export function findTakenForGone(
  { account, goneOrders, livingOrders }: Tenant,
  { gone }: Pick<RunReport, "gone">,
): string[] {
  return account
    .orders()
    .filter(({ orderNumber, orderId }) => gone.includes(orderNumber) || gone.includes(orderId))
    .filter(({ orderNumber, orderId }) => !goneOrders.has(orderNumber) && !goneOrders.has(orderId))
    .filter(({ orderNumber, goal }) => livingOrders(goal).includes(orderNumber))
    .map(({ orderNumber, goal }) => `${orderNumber} of ${goal} lives and was taken for gone`);
}

/** Tells if a run was charged more than its plan said. */
export function findOverspent(
  { account }: Tenant,
  { quotes }: Pick<RunReport, "quotes">,
  chargesBefore: number,
): string[] {
  const spent = account
    .ledger()
    .slice(chargesBefore)
    .filter(({ origin }) => origin === "api")
    .reduce((sum, { price }) => sum + Number(price), 0);
  const quoted = [...quotes.values()]
    .filter(({ effect = "" }) => ["buy", "topUp", "replace", "extend"].includes(effect))
    .reduce((sum, { price = 0 }) => sum + price, 0);
  return spent > quoted + 0.001 ? [`spent ${spent}, quoted ${quoted}`] : [];
}
