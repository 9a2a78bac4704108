import type { Account } from "../../account.ts";
import type { OrderIntent } from "../../records/intent.ts";
import { reasonOf } from "../../values/errors.ts";
import { nameOf, withoutScope } from "../../values/owner.ts";
import type { OrderState } from "../model/state.ts";
import type { Claim, Claims } from "./claims.ts";

/** Tells people which orders are left to whom. */
export async function tellClaims(
  { log, story }: Pick<Account, "log" | "story">,
  { owner }: Pick<OrderState, "owner">,
  claims: Claims,
): Promise<void> {
  for (const [claim, orderId] of toNames(claims)) {
    const said =
      claim.owner === owner
        ? `order ${orderId} is taken over anew, so it goes on as it is`
        : `order ${orderId} is left to ${nameOf(claim.owner)}, which owns it as well; its auto-extension stays as it is`;
    if (claim.bought === undefined) await story.did(owner, { id: orderId, line: said });
    else log.warn(`${said}. ${explainOwner(claim.owner, claim.bought)}`);
  }
}

function explainOwner(owner: string, { id }: OrderIntent): string {
  return `The journal does not show ${owner} as deleted. If that is in no stack any more, say so (\`npx pulumi-proxyrental journal resolve ${id} --released\`), and switch the auto-extension off: it goes on costing money`;
}

/** Tells people of what was to be left to another resource, and could not be. */
export function tellUnleft(
  { log }: Pick<Account, "log">,
  claims: Iterable<readonly [string, Claim]>,
  why: unknown,
): void {
  for (const [{ owner }, orderId] of toNames(claims)) {
    log.warn(
      `order ${orderId} is not left to ${nameOf(owner)}, because that can't be written down (${reasonOf(why)}): its auto-extension may be off now. Run \`pulumi up --refresh\` there`,
    );
  }
}

/** Tells people that nobody could say who else has what was let go. */
export function tellUnread(
  { log }: Pick<Account, "log">,
  { orderNumber }: Pick<OrderState, "orderNumber">,
  why: unknown,
): void {
  log.warn(
    `order ${orderNumber} was let go, and the journal can't be read (${reasonOf(why)}): if another resource has it, too, its auto-extension may be off now. Run \`pulumi up --refresh\` there`,
  );
}

/**
 * Tells people which orders somebody has taken, in whole or in part, while they were let go.
 * @param letGo the names of those that were let go
 */
export function tellLateClaims(
  { log }: Pick<Account, "log">,
  { owner }: Pick<OrderState, "owner">,
  claims: Claims,
  letGo: readonly string[],
): void {
  const late = [...claims].filter(([name]) => letGo.includes(name));
  for (const [{ owner: other, heir }, orderId] of toNames(late)) {
    if (typeof heir === "string" || withoutScope(other) === owner) continue;
    log.warn(
      `${nameOf(other)} has taken order ${orderId} over, or a part of it back, while that was let go: its auto-extension may be off now. Run \`pulumi up --refresh\` there`,
    );
  }
}

/** Each claim once, with one name of its order: it stands under all of them. */
function toNames(claims: Iterable<readonly [string, Claim]>): ReadonlyMap<Claim, string> {
  return new Map([...claims].map(([name, claim]) => [claim, name]));
}
