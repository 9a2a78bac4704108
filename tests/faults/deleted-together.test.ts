import { describe, expect, test } from "vitest";
import { JournalError } from "../../provider/core/ports.ts";
import {
  adopt,
  awayFor,
  before,
  buy,
  buysAnew,
  countRenewing,
  goOn,
  journalKinds,
  make,
  makeRuns,
  onceReading,
  onceWriting,
  oneRun,
  ownTwice,
  readPhases,
  refusesSwitches,
  remove,
  type ScopedRuns,
  switchOn,
} from "../journals/shared/scoped-runs.ts";
import type { Interposition } from "../support/account.ts";

const FIRST = "4683731";

/** Whatever has an order when all of that is deleted: it is off, and closed in the journal. */
async function expectLetGo(runs: ScopedRuns): Promise<void> {
  expect(countRenewing(runs)).toBe(0);
  expect(await readPhases(runs)).toEqual([expect.stringMatching(/closed$/)]);
}

/** One run that deletes states at once. */
async function removeAll(runs: ScopedRuns, states: Parameters<typeof remove>[2][]): Promise<void> {
  const run = await runs.begin("");
  await Promise.all(states.map(({ state }) => run.orders.delete(state)));
  await run.account.journal.endRun();
}

describe.each(journalKinds)("235: two owners of one order, with a %s journal", (kind) => {
  test.each([
    ["reads the journal", onceReading],
    ["writes that down", onceWriting],
  ])("are deleted at once, the second when the first %s: both let it go", async (_what, once) => {
    const { runs, fleet, keeper } = await ownTwice(kind, FIRST);
    await remove(
      runs,
      "",
      fleet,
      once(() => remove(runs, "", keeper)),
    );
    await expectLetGo(runs);
  });

  test.each(["former", "newer"])(
    "are deleted by two runs that go on at the same time, the %s first: both let it go",
    async (first) => {
      const { runs, fleet, keeper } = await ownTwice(kind, FIRST);
      const inOrder = first === "former" ? [fleet, keeper] : [keeper, fleet];
      await Promise.all(inOrder.map((one) => remove(runs, "", one)));
      await expectLetGo(runs);
    },
  );

  test("are deleted at once in one run: both let it go", async () => {
    const { runs, fleet, keeper } = await ownTwice(kind, FIRST);
    await removeAll(runs, [fleet, keeper]);
    await expectLetGo(runs);
  });

  test("of which the newer one alone was seen since: its delete fails, and the other is deleted", async () => {
    const runs = await makeRuns(kind);
    const fleet = await buy(runs, "");
    await switchOn(runs, FIRST);
    const keeper = await adopt(runs, "", "keeper", FIRST);
    await goOn(await runs.begin(""), keeper, "keeper");
    const failing = await runs.begin("", { interpose: refusesSwitches });
    await expect(failing.orders.delete(keeper.state)).rejects.toThrow("AUTO_EXTENSION_FAILED");
    await remove(runs, "", fleet);
    expect(countRenewing(runs)).toBe(5);
    expect(await buysAnew(runs, "", "keeper", { goal: "fleet" })).toBe(0);
  });
});

test.each([
  ["reads the journal", onceReading],
  ["writes that down", onceWriting],
])(
  "235: two owners of one order are deleted by two processes of one run, the second when the first %s: both let it go",
  async (_what, once) => {
    const { runs, fleet, keeper } = await ownTwice("local", FIRST);
    const second = await runs.begin("", { run: oneRun });
    await second.orders.read(fleet.state);
    const interpose = once(() => second.orders.delete(fleet.state));
    const first = await runs.begin("", { run: oneRun, interpose });
    await first.orders.delete(keeper.state);
    await expectLetGo(runs);
  },
);

test.each(["buyer", "newest"])(
  "235: the buyer and the newest owner are deleted at once, the %s first, and one between them is in no state: it is let go",
  async (first) => {
    const runs = await makeRuns("local");
    const fleet = await buy(runs, "");
    await switchOn(runs, FIRST);
    await adopt(runs, "", "between", FIRST);
    const keeper = await adopt(runs, "", "keeper", FIRST);
    await goOn(await runs.begin(""), keeper, "keeper");
    await goOn(await runs.begin(""), fleet);
    await removeAll(runs, first === "buyer" ? [fleet, keeper] : [keeper, fleet]);
    await expectLetGo(runs);
  },
);

/** The store is away for readings of the journal: from the third one, which writes down who has an order, to this one. */
function awayWhenRead(last: number): Interposition {
  let reads = 0;
  const count = () => {
    reads += 1;
    if (reads >= 3 && reads <= last) throw new JournalError("unavailable", "the store is away");
  };
  return { store: (real) => before(real, "readAll", count) };
}

/** The store is away for so many writings of a purchase. */
function awayWhenWritten(times: number): Interposition {
  let writes = 0;
  return awayFor(() => ++writes <= times);
}

describe.each(journalKinds)("245: two owners of one order, with a %s journal", (kind) => {
  const troubles: [string, () => Interposition][] = [
    ["can't be read", () => awayWhenRead(4)],
    ["can't be written", () => awayWhenWritten(2)],
  ];

  test.each(troubles)(
    "are deleted by one run, and the journal %s when the first is to leave it to the second",
    async (_what, trouble) => {
      const { runs, fleet, keeper } = await ownTwice(kind, FIRST);
      const run = await runs.begin("", { interpose: trouble() });
      for (const { state } of [fleet, keeper]) await run.orders.delete(state);
      await run.account.journal.endRun();
      await expectLetGo(runs);
    },
  );

  test.each(troubles)(
    "are deleted by two runs, and the journal of the first %s",
    async (_what, trouble) => {
      const { runs, fleet, keeper } = await ownTwice(kind, FIRST);
      const run = await runs.begin("", { interpose: trouble() });
      await run.orders.delete(fleet.state);
      expect(run.lines.join()).toContain(
        "order 4683731 is not left to keeper, because that can't be written down",
      );
      await remove(runs, "", keeper);
      await run.account.journal.endRun();
      expect(countRenewing(runs)).toBe(0);
    },
  );

  test.each([
    ["read", () => awayWhenRead(3)],
    ["written", () => awayWhenWritten(1)],
  ])(
    "of which one is deleted while the journal can't be %s once: the other one has it",
    async (_what, trouble) => {
      const { runs, fleet } = await ownTwice(kind, FIRST);
      await remove(runs, "", fleet, trouble());
      expect(countRenewing(runs)).toBe(5);
      expect(await readPhases(runs)).toEqual(["keeper confirmed"]);
    },
  );

  test("are met by a run that deletes both, and can't write the first one down", async () => {
    const { runs, fleet, keeper } = await ownTwice(kind, FIRST);
    const run = await runs.begin("", { interpose: awayWhenWritten(2) });
    for (const { state } of [fleet, keeper]) await run.orders.read(state);
    for (const { state } of [fleet, keeper]) await run.orders.delete(state);
    await run.account.journal.endRun();
    expect(countRenewing(runs)).toBe(0);
  });
});

describe.each(journalKinds)("246: three owners of one order, with a %s journal", (kind) => {
  test("a run deletes two of them, and another run the third when the first one writes that down", async () => {
    const runs = await makeRuns(kind);
    const fleet = await buy(runs, "");
    await switchOn(runs, FIRST);
    const second = await adopt(runs, "", "second", FIRST);
    const third = await adopt(runs, "", "third", FIRST);
    await goOn(await runs.begin(""), third, "third");
    await goOn(await runs.begin(""), second, "second");
    await goOn(await runs.begin(""), fleet);
    const interpose = onceWriting(() => remove(runs, "", third));
    const run = await runs.begin("", { interpose });
    await Promise.all([fleet, second].map(({ state }) => run.orders.delete(state)));
    await run.account.journal.endRun();
    await expectLetGo(runs);
  });
});

describe.each(journalKinds)(
  "247: a person says that an order is released, with a %s journal",
  (kind) => {
    test.each(["fleet", "keeper"] as const)(
      "after one owner was taken out of its state, and %s is deleted: it is let go",
      async (last) => {
        const { runs, ...owners } = await ownTwice(kind, FIRST);
        const { journal } = (await runs.begin("")).account;
        for (const intent of await journal.readAll()) {
          await journal.change(intent, { phase: "closed", closedBecause: "released" });
        }
        await remove(runs, "", owners[last]);
        await expectLetGo(runs);
      },
    );
  },
);

describe.each(journalKinds)("236: two states of one resource, with a %s journal", (kind) => {
  /** The resource has taken its own order over. Its former state was not deleted then, as where another resource fails. */
  async function holdTwice(how: "adoption" | "recovery") {
    const runs = await makeRuns(kind);
    const fleet = await buy(runs, "");
    await switchOn(runs, FIRST);
    const anew =
      how === "adoption" ? await adopt(runs, "", "fleet", FIRST) : await make(runs, "", "recover");
    return { runs, former: fleet, anew };
  }

  test.each([
    ["adoption", "former"],
    ["adoption", "newer"],
    ["recovery", "former"],
    ["recovery", "newer"],
  ] as const)(
    "after an %s, are destroyed at once, the %s first: the order is let go",
    async (how, first) => {
      const { runs, former, anew } = await holdTwice(how);
      await removeAll(runs, first === "former" ? [former, anew] : [anew, former]);
      await expectLetGo(runs);
    },
  );

  test("are refreshed, and destroyed one after the other: the order is let go", async () => {
    const { runs, former, anew } = await holdTwice("adoption");
    const run = await runs.begin("");
    for (const { state } of [anew, former]) await run.orders.read(state);
    for (const { state } of [anew, former]) await run.orders.delete(state);
    await run.account.journal.endRun();
    await expectLetGo(runs);
  });
});
