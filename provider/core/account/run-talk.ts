import type { Journal } from "../journal/journal.ts";
import type { ToldFact } from "../ports.ts";
import type { AccountFact, RunFact } from "../records/run-fact.ts";
import { ProxyRentalError, reasonOf } from "../values/errors.ts";

/** What the provider processes of one run say to each other of one account. */
export interface RunTalk {
  /** Tells the others. Throws if it can't be written. */
  tell(fact: AccountFact): Promise<void>;
  /** Takes in what the others have told since. Throws if that can't be read: this process could spend the same again. */
  hear(): Promise<void>;
}

/** Who takes in what the others have told. */
interface Listeners {
  /** Of this account. */
  ofAccount: readonly ((fact: AccountFact) => void)[];
  /** Of any account. */
  ofAny: readonly ((fact: RunFact, toldAtMs: number) => void)[];
}

/** Makes the talk of one process. */
export function createRunTalk(
  { memory, accountId }: Pick<Journal, "memory" | "accountId">,
  listeners: () => Listeners,
): RunTalk {
  let heard: Promise<void> = Promise.resolve();
  /** What was read and not taken in yet: it is told once. */
  const untaken: ToldFact[] = [];
  const ownAccount = async () => (await accountId()) ?? "";

  async function take(): Promise<void> {
    const { ofAccount, ofAny } = listeners();
    untaken.push(...(await memory.hear().catch(rethrowUnheard)));
    for (let [told] = untaken; told !== undefined; [told] = untaken) {
      const { fact, toldAtMs } = told;
      const own = "account" in fact ? await ownAccount() : undefined;
      untaken.shift();
      for (const listen of ofAny) listen(fact, toldAtMs);
      if (!("account" in fact) || fact.account !== own) continue;
      for (const listen of ofAccount) listen(fact);
    }
  }

  return {
    async tell(fact) {
      if (memory.isShared) await memory.tell({ ...fact, account: await ownAccount() } as RunFact);
    },

    /** One call after the other: the second caller must not go on before the first has taken in what it read. */
    hear() {
      heard = heard.catch(() => undefined).then(take);
      return heard;
    },
  };
}

function rethrowUnheard(error: unknown): never {
  throw new ProxyRentalError(
    "JOURNAL_UNAVAILABLE",
    `what the other processes of this run have told can't be read (${reasonOf(error)}), so nothing is bought. Run again.`,
  );
}
