import { letGoOfUnwanted } from "./lost-journals.ts";
import { findOverspent, findUnreported, type RunOutcome } from "./paid-orders.ts";
import { findAgainstProgram, findStillRenewing } from "./renewals.ts";
import type { Tenant } from "./tenant.ts";
import type { WorldParts } from "./world-parts.ts";

/**
 * Holds what an update has done against the promises.
 * @param renewedElsewhere see `findStillRenewing`; none if no other run was under way meanwhile
 */
export async function judgeUpdate(
  { cancelled, journal, lost, simulator, verdict }: WorldParts,
  tenant: Tenant,
  outcome: RunOutcome,
  chargesBefore: number,
  renewedElsewhere: ReadonlySet<string>,
): Promise<void> {
  const { broken, unreported } = verdict;
  if (lost.any()) letGoOfUnwanted(tenant);
  // Once a journal is lost, a run names what it finds when it checks. After a failed refresh, it checks nothing.
  const isTold = outcome.isChecked && ![...outcome.failures.values()].some(isBlind);
  if (!lost.any() || isTold) {
    const here = journal(tenant);
    const recorded = { open: await here.readOpen(), all: await here.readAll() };
    unreported.push(...findUnreported(tenant, outcome, recorded));
  }
  if (outcome.failures.size === 0) {
    broken.push(...findStillRenewing(tenant, outcome, renewedElsewhere));
    broken.push(...findAgainstProgram(tenant));
  }
  // An order that an earlier run sent may be charged during this run.
  const isLate = simulator.faultsHit() > 0 || cancelled.any();
  if (!isLate) broken.push(...findOverspent(tenant, outcome, chargesBefore));
}

/** Whether a failure means that a run could not see the account, or nothing of a journal. Such a run knows of no order. */
function isBlind(failure: string): boolean {
  return /^(SERVICE|LISTING|JOURNAL)_/.test(failure);
}
