import { expect, test } from "vitest";
import { createRunTalk } from "../../../provider/core/account/run-talk.ts";
import type { RunFact } from "../../../provider/core/records/run-fact.ts";

const spends = (requestId: string, account = "ours"): RunFact => ({
  ...{ kind: "spends", owner: "fleet", requestId, account, price: 7 },
});

/** The talk of a process, and what its listeners have taken in. */
function makeTalk(accountIds: (() => string)[]) {
  const told: RunFact[] = [];
  const taken: Record<"ofAccount" | "ofAny", RunFact[]> = { ofAccount: [], ofAny: [] };
  const memory = {
    isShared: true,
    nowMs: () => 0,
    tell: async () => undefined,
    hear: async () => told.splice(0).map((fact) => ({ fact, toldAtMs: 0 })),
    hasTold: async () => true,
  };
  const accountId = async () => (accountIds.length > 1 ? accountIds.shift() : accountIds[0])?.();
  const talk = createRunTalk({ memory, accountId }, () => ({
    ofAccount: [(fact) => void taken.ofAccount.push(fact as RunFact)],
    ofAny: [(fact) => void taken.ofAny.push(fact)],
  }));
  return { talk, memory, told, taken };
}

test("what others have told is taken in once, by those whom it concerns", async () => {
  const { talk, told, taken } = makeTalk([() => "ours"]);
  const holds: RunFact = { kind: "holds", owner: "fleet", requestId: "r", orders: [] };
  told.push(spends("a"), spends("b", "another"), holds);
  await talk.hear();
  await talk.hear();
  expect(taken.ofAny).toEqual([spends("a"), spends("b", "another"), holds]);
  expect(taken.ofAccount).toEqual([spends("a")]);
});

test("what others have told is not lost if nobody could tell at first whose account it is about", async () => {
  const unreadable = () => {
    throw new Error("the journal can't be read");
  };
  const { talk, told, taken } = makeTalk([unreadable, () => "ours"]);
  told.push(spends("a"), spends("b"));
  await expect(talk.hear()).rejects.toThrow("can't be read");
  told.push(spends("c"));
  await talk.hear();
  expect(taken.ofAccount).toEqual(["a", "b", "c"].map((one) => spends(one)));
  expect(taken.ofAny).toEqual(taken.ofAccount);
});

test("what others have told and nobody can read is an explained error", async () => {
  const { talk, memory } = makeTalk([() => "ours"]);
  memory.hear = async () => {
    throw new Error("the disk fails");
  };
  await expect(talk.hear()).rejects.toThrow(
    "JOURNAL_UNAVAILABLE: what the other processes of this run have told can't be read (the disk fails), so nothing is bought. Run again.",
  );
});
