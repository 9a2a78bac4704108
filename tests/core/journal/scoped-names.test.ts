import { expect, test } from "vitest";
import { type Journal, openJournal } from "../../../provider/core/journal/journal.ts";
import type { OrderIntent, OrderSpec } from "../../../provider/core/records/intent.ts";
import { openFileJournal } from "../../../provider/journals/file/file-journal.ts";
import { makeFolder } from "../../journals/file/folders.ts";
import { silentLog } from "../../support/silent-log.ts";
import { orderDraft } from "../records/intents.ts";
import { createManualClock } from "../support/account-under-test.ts";

const draft = orderDraft();

/** Runs of several scopes, one after the other, on one machine. */
function makeMachine() {
  const [journalDir, clock] = [makeFolder(), createManualClock()];
  return (scope: string, baseUrl = "https://service.test/api"): Journal => {
    const parts = openFileJournal({ journalDir, baseUrl, project: "/project", scope }, clock);
    return openJournal(parts, silentLog, 90_000);
  };
}

/** Buys something, and gets an answer. */
function send(journal: Journal, wanted = draft): Promise<OrderIntent> {
  return journal.withAccount(async () =>
    journal.change(await journal.begin<OrderSpec>(wanted), { phase: "placed" }),
  );
}

const namesOf = async (intents: Promise<readonly { owner: string; requestId: string }[]>) =>
  (await intents).map(({ owner, requestId }) => ({ owner, requestId }));

const { owner, requestId } = draft;

const plain = { owner, requestId };

const ofStaging = { owner: `staging|${owner}`, requestId: `staging|${requestId}` };

test("a purchase has its own names in its scope, and others everywhere else", async () => {
  const begin = makeMachine();
  await send(begin("staging"));
  expect(await namesOf(begin("staging").readAll())).toEqual([plain]);
  expect(await namesOf(begin("production").readAll())).toEqual([ofStaging]);
});

test("a run without a scope sees all by their plain names: it may be of any stack", async () => {
  const begin = makeMachine();
  await send(begin("staging"));
  expect(await namesOf(begin("").readAll())).toEqual([plain]);
});

test("one without a scope has its own names for all", async () => {
  const begin = makeMachine();
  await send(begin(""));
  expect(await namesOf(begin("").readAll())).toEqual([plain]);
  expect(await namesOf(begin("staging").readAll())).toEqual([plain]);
});

test("the same in a turn, and for what is read in other journals of the machine", async () => {
  const begin = makeMachine();
  await send(begin("staging"));
  const other = begin("production");
  expect(await namesOf(other.withAccount(() => other.readInTurn()))).toEqual([ofStaging]);
  const beside = begin("production", "https://service.test/other");
  expect(await namesOf(beside.readElsewhere())).toEqual([ofStaging]);
});

test("what a run of another scope writes leaves a purchase its names", async () => {
  const begin = makeMachine();
  await send(begin("staging"));
  const other = begin("production");
  const [found] = await other.readAll();
  if (found === undefined) throw new Error("the other run does not see the purchase");
  const changed = await other.change(found, { phase: "closed", closedBecause: "notPlaced" });
  expect(changed).toMatchObject(ofStaging);
  const [kept] = await begin("staging").readAll();
  expect(kept).toMatchObject({ ...plain, scopes: ["staging"], phase: "closed" });
});

test("a name that has a bar in it is no name of another scope", async () => {
  const begin = makeMachine();
  const bar = { ...draft, owner: `${owner}a|b` };
  await send(begin("staging"), bar);
  expect(await namesOf(begin("staging").readAll())).toEqual([{ ...plain, owner: bar.owner }]);
});

test("holders have other names in other scopes as well, each by the scope of its own stack", async () => {
  const begin = makeMachine();
  const holdersIn = async (scope: string) =>
    (await begin(scope).readAll()).flatMap(({ holders = [] }) => holders.map((one) => one.owner));
  const holders = [
    { owner: "fleet", scope: "staging" },
    { owner: "keeper", handOver: "1", scope: "test" },
  ];
  const scopes = ["staging", "test"];
  await begin("staging").change(await send(begin("staging")), { holders, scopes });
  expect(await holdersIn("staging")).toEqual(["fleet", "test|keeper"]);
  expect(await holdersIn("test")).toEqual(["staging|fleet", "keeper"]);
  expect(await holdersIn("")).toEqual(["fleet", "keeper"]);
  const production = begin("production");
  expect(await holdersIn("production")).toEqual(["staging|fleet", "test|keeper"]);
  for (const seen of await production.readAll()) await production.change(seen, { remark: "seen" });
  expect(await holdersIn("")).toEqual(["fleet", "keeper"]);
});
