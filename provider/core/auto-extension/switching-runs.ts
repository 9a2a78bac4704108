import type { Account } from "../account.ts";
import { assertNotSuperseded } from "../spending/superseded.ts";
import { ProxyRentalError } from "../values/errors.ts";
import { nameInScope, stackOf } from "../values/owner.ts";

/** Lets the other runs of the stack know that this one switches flags, or deletes what could have some. */
export async function noteSwitching(
  { journal }: Pick<Account, "journal">,
  owner: string,
): Promise<void> {
  await journal.flags.noteRun(nameInScope(stackOf(owner), journal.scope));
}

/**
 * Stops a run that another run has replaced, before it switches anything on. If another run of the stack has bought or
 * switched something since this one began, or has deleted it, one of the two was cancelled and lives on: what this one
 * switches on may belong to nobody. Not guaranteed: the other one may do so right after this has looked.
 */
export async function assertNoRunSince(
  { journal, runBeginning, hearOthers }: Pick<Account, "journal" | "runBeginning" | "hearOthers">,
  owner: string,
): Promise<void> {
  await hearOthers();
  await assertNotSuperseded(journal, runBeginning, owner, await journal.readAll());
  const stack = nameInScope(stackOf(owner), journal.scope);
  for (const run of await journal.flags.runsSince(await runBeginning.turn(owner))) {
    // Two checkouts are two stacks.
    const isOfStack = run.stack === stack && run.project === journal.project;
    if (!isOfStack || (await journal.isOfThisRun(run))) continue;
    throw new ProxyRentalError(
      "BUYING_STOPPED",
      "since this run began another run of this stack has switched automatic extension on or off, or has deleted resources. A stack is updated by one run at a time, so one of the two was cancelled and lives on. Nothing was switched on. Run `pulumi up` again when no run of this stack goes on.",
    );
  }
}
