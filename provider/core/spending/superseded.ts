import type { Journal } from "../journal/journal.ts";
import type { Intent } from "../records/intent.ts";
import { ProxyRentalError } from "../values/errors.ts";
import { formatMoney } from "../values/money.ts";
import { nameOf, stackOf } from "../values/owner.ts";
import type { RunBeginning } from "./run-beginning.ts";

/**
 * Stops a run that another run has replaced. One run at a time updates a stack. If another run has sent a purchase
 * for the stack since this one began, one of the two was cancelled and lives on. Nobody knows which one, and what
 * both want would be paid twice. So the later of the two buys nothing.
 * @param known what the journal holds in this turn.
 */
export async function assertNotSuperseded(
  { isOfThisRun, project }: Pick<Journal, "isOfThisRun" | "project">,
  runBeginning: Pick<RunBeginning, "sequence">,
  owner: string,
  known: readonly Intent[],
): Promise<void> {
  const beginning = await runBeginning.sequence(owner);
  const since = known.filter(
    (intent) =>
      (intent.sequence ?? 0) >= beginning &&
      // Stacks of two backends may share a name. Two checkouts are two stacks.
      intent.project === project &&
      stackOf(intent.owner) === stackOf(owner),
  );
  for (const intent of since) {
    if (await isOfThisRun(intent)) continue;
    const { price, currency, id } = intent;
    throw new ProxyRentalError(
      "BUYING_STOPPED",
      `since this run began another run of this stack has bought something for ${nameOf(intent.owner)} (${formatMoney(price, currency)}; \`npx pulumi-proxyrental journal show ${id}\`). A stack is updated by one run at a time, so one of the two was cancelled and lives on. Nothing more is bought or switched on by this one. Run \`pulumi up\` again when no run of this stack goes on.`,
    );
  }
}
