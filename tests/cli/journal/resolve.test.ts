import { describe, expect, test, vi } from "vitest";
import { parseJournalUrl } from "../../../provider/journals/journal-url.ts";
import { machineTime } from "../../../provider/journals/machine-time.ts";
import { openJournalAt } from "../../../provider/journals/open-journal.ts";
import { orderIntent } from "../../core/records/intents.ts";
import { describeProduct } from "../../journals/store-contract.ts";
import { postgres } from "../../journals/stores/products/postgres.ts";
import { spendingOf } from "../../support/spending.ts";
import { buyWithRival, loseWithoutTrace, type Machine, planOf, startMachine } from "../machine.ts";

vi.setConfig({ testTimeout: 60_000 });

/** A machine with a purchase whose outcome nobody can tell. */
async function startInDoubt(lose: (machine: Machine) => Promise<string>) {
  const machine = await startMachine();
  const failure = await lose(machine);
  const [intent] = await machine.list();
  if (intent === undefined) throw new Error(`nothing was written down: ${failure}`);
  const resolve = (...flags: string[]) => machine.cli(["journal", "resolve", intent.id, ...flags]);
  return { ...machine, failure, intent, resolve };
}

describe("journal resolve", () => {
  test("the command from the run's error shows the purchase and each way out as a command to copy", async () => {
    const { failure, intent, cli, list } = await startInDoubt(buyWithRival);
    const [, typed = ""] = /`npx pulumi-proxyrental (journal resolve [^`]+)`/.exec(failure) ?? [];
    const { exitCode, stdout, stderr } = await cli(typed.split(" "));
    expect(exitCode).toBe(1);
    expect(stdout).toContain(`Purchase ${intent.id}, unknown`);
    for (const way of [...(intent.candidates ?? []).map((id) => `--order ${id}`), "--closed"]) {
      expect(stderr).toContain(`  npx pulumi-proxyrental ${typed} ${way}\n`);
    }
    expect(await list()).toEqual([intent]);
  });

  test("refuses two ways at once, and explains each", async () => {
    const { resolve, list, intent } = await startInDoubt(buyWithRival);
    const { exitCode, stderr } = await resolve("--order", "1", "--closed");
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /one of --order, --closed and --released: --order NUMBER says .* --closed that /,
    );
    expect(await list()).toEqual([intent]);
  });

  test("--order: the next run recovers the order and pays nothing", async () => {
    const { resolve, intent, beginRun, simulator, list, cli } = await startInDoubt(buyWithRival);
    const { checked, failures } = await beginRun().check();
    expect([checked.quote, failures.length]).toEqual([undefined, 1]);
    const own = simulator.ledger().find(({ origin }) => origin !== "foreign");
    const { orderId = "" } =
      simulator.orders().find(({ orderNumber }) => orderNumber === own?.orderNumber) ?? {};
    const { exitCode, stdout } = await resolve("--order", orderId);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`is order ${orderId} now. The next \`pulumi up\` takes it over`);
    const listed = await cli(["journal", "list"]);
    expect(listed.exitCode).toBe(0);
    expect(listed.stdout).toMatch(/^[^ ]+ +placed /m);
    expect(listed.stdout).not.toContain("MAY BE ORDER");

    const run = beginRun();
    expect((await planOf(run)).quote).toMatchObject({ effect: "recover", price: 0 });
    expect((await run.buy()).orderIds).toEqual([orderId]);
    // There is one call of ours. The other charge is the other buyer's.
    expect(spendingOf(simulator)).toEqual({
      orderCalls: 1,
      extendCalls: 0,
      charges: ["7.00", "7.00"],
    });
    const phases = (await list())[0]?.history.map(({ phase }) => phase);
    expect(phases).toEqual(["sending", "unknown", "placed", "returned"]);
    expect((await list())[0]?.id).toBe(intent.id);
  });

  test("--closed: the next run buys, once", async () => {
    const { resolve, beginRun, simulator, list } = await startInDoubt(loseWithoutTrace);
    expect((await beginRun().check()).failures).toHaveLength(1);
    const { exitCode, stdout } = await resolve("--closed");
    expect(exitCode).toBe(0);
    expect(stdout).toContain("may buy 5 IPv4 proxies in USA for 30 days again, for about 7.00 USD");
    expect(await list("--all")).toMatchObject([{ phase: "closed", closedBecause: "resolved" }]);

    const run = beginRun();
    expect((await planOf(run)).quote).toMatchObject({ effect: "buy", price: 7 });
    await run.buy();
    // The connection of the first call broke before the service acted on the call.
    expect(spendingOf(simulator)).toEqual({ orderCalls: 2, extendCalls: 0, charges: ["7.00"] });
  });

  test("a wrong number can be corrected", async () => {
    const { resolve, beginRun, intent, list } = await startInDoubt(buyWithRival);
    const [first = "", second = ""] = intent.candidates ?? [];
    await resolve("--order", "4711");
    expect((await beginRun().check()).failures).toHaveLength(1);
    expect(await resolve("--order", first)).toMatchObject({ exitCode: 0 });
    expect((await resolve("--order", first)).stdout).toContain(`is order ${first} already`);
    expect(await resolve("--order", second)).toMatchObject({ exitCode: 0 });
    expect(await list()).toMatchObject([{ orderNumber: second, phase: "placed" }]);
    expect((await list())[0]?.remark).toContain(`it was order ${first} before`);
    expect((await planOf(beginRun())).quote.effect).toBe("recover");
  });

  test("--closed of a paid order says that it stays in the account", async () => {
    const machine = await startMachine();
    const { orderNumber } = await machine.beginRun().buy();
    const [intent] = await machine.list();
    const { exitCode, stdout } = await machine.cli([
      ...["journal", "resolve", intent?.id ?? "", "--closed"],
    ]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`Order ${orderNumber} stays in the account until it ends`);
  });
});

/** An order that a run has seen in the state. After that a person has deleted it from the state. */
async function startWithLost() {
  const machine = await startMachine();
  const state = await machine.beginRun().buy();
  await machine.beginRun().read(state);
  const [intent] = await machine.list("--all");
  if (intent === undefined) throw new Error("nothing was written down");
  const { orderNumber } = state;
  const resolve = (...flags: string[]) => machine.cli(["journal", "resolve", intent.id, ...flags]);
  return { ...machine, orderNumber, intent, resolve };
}

describe("journal resolve --released", () => {
  test("the command from the run's error gives up an order that the state has had: the next run buys, once", async () => {
    const { intent, orderNumber, beginRun, cli, list, simulator } = await startWithLost();
    expect(intent.phase).toBe("confirmed");
    const { failures } = await beginRun().check();
    const said = failures.map(({ reason }) => reason).join();
    const [, typed = ""] =
      /`npx pulumi-proxyrental (journal resolve [^`]+--released)`/.exec(said) ?? [];
    const { exitCode, stdout } = await cli(typed.split(" "));
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`order ${orderNumber} stops no purchase any more`);
    expect(await list("--all")).toMatchObject([{ phase: "closed", closedBecause: "released" }]);
    const run = beginRun();
    expect((await planOf(run)).quote).toMatchObject({ effect: "buy", price: 7 });
    await run.buy();
    expect(spendingOf(simulator)).toMatchObject({ orderCalls: 2, charges: ["7.00", "7.00"] });
  });

  test("`journal show` names it, and so does the error for a resolved purchase", async () => {
    const { intent, cli, resolve } = await startWithLost();
    const way = `npx pulumi-proxyrental journal resolve ${intent.id} --released`;
    expect((await cli(["journal", "show", intent.id])).stdout).toContain(way);
    for (const flags of [[], ["--closed"], ["--order", "1"]]) {
      const { exitCode, stderr } = await resolve(...flags);
      expect(exitCode).toBe(1);
      expect(stderr).toContain(way);
    }
  });

  test("takes a paid order that no state was seen to hold", async () => {
    const machine = await startMachine();
    await machine.beginRun().buy();
    const [intent] = await machine.list();
    const { exitCode } = await machine.cli(["journal", "resolve", intent?.id ?? "", "--released"]);
    expect(exitCode).toBe(0);
    expect(await machine.list("--all")).toMatchObject([{ closedBecause: "released" }]);
  });

  test("refuses an order that is not known to be paid, and one that is already released", async () => {
    const doubtful = await startInDoubt(loseWithoutTrace);
    const { exitCode, stderr } = await doubtful.resolve("--released");
    expect(exitCode).toBe(1);
    expect(stderr).toContain("was placed: resolve it with --order or --closed");
    expect(await doubtful.list()).toEqual([doubtful.intent]);

    const lost = await startWithLost();
    await lost.resolve("--released");
    const again = await lost.resolve("--released");
    expect(again.exitCode).toBe(1);
    expect(again.stderr).toContain("nothing to release");
    const both = await lost.resolve("--released", "--closed");
    expect(both.stderr).toContain("give one of --order, --closed and --released");
  });
});

describe("journal resolve refuses", () => {
  test("a finished purchase, and says what it is", async () => {
    const { resolve } = await startInDoubt(loseWithoutTrace);
    await resolve("--closed");
    for (const flags of [[], ["--closed"], ["--order", "1"]]) {
      const { exitCode, stderr } = await resolve(...flags);
      expect(exitCode).toBe(1);
      expect(stderr).toContain("it is closed: somebody resolved it");
    }
  });

  test.each([["resolve"], ["show"]])(
    "an empty id, which any purchase begins with (%s)",
    async (command) => {
      const { intent, list, cli } = await startInDoubt(loseWithoutTrace);
      const { exitCode, stderr } = await cli(["journal", command, ""]);
      expect([exitCode, stderr]).toEqual([
        1,
        expect.stringContaining("Give its id, or how it begins"),
      ]);
      expect(await list()).toEqual([intent]);
    },
  );

  test("a purchase whose run goes on", async () => {
    const machine = await startMachine();
    await machine.beginRun({ isAlive: true }).buy();
    const [intent] = await machine.list();
    const { exitCode, stderr } = await machine.cli([
      ...["journal", "resolve", intent?.id ?? "", "--closed"],
    ]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("goes on; wait until it has ended");
    expect(await machine.list()).toEqual([intent]);
  });

  test("an order that belongs to another purchase", async () => {
    const machine = await startInDoubt(buyWithRival);
    const { orderNumber } = await machine.beginRun().buy("other", { country: "DEU" });
    const { exitCode, stderr } = await machine.resolve("--order", orderNumber);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`order ${orderNumber} is purchase`);
    expect(stderr).toContain("for other (returned)");
    expect(await machine.list()).toContainEqual(machine.intent);
  });

  test("an order that was listed before the purchase was sent", async () => {
    const item = { proxyType: "IPv4", country: "USA", quantity: 2, rentPeriodDays: 30 } as const;
    const { resolve, intent } = await startInDoubt(async (machine) => {
      machine.simulator.placeForeignOrder(item);
      return buyWithRival(machine);
    });
    const [before = ""] = intent.purchase.kind === "order" ? intent.purchase.ordersBefore : [];
    const { exitCode, stderr } = await resolve("--order", before);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`order ${before} was in the account before`);
  });

  test.each(["", " ", "1 2"])("text that is no order number: %j", async (number) => {
    const { resolve, list, intent } = await startInDoubt(buyWithRival);
    const { exitCode, stderr } = await resolve("--order", number);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("the number of one order");
    expect(await list()).toEqual([intent]);
  });

  test("all but one of three people who resolve it at once", async () => {
    const { cli, list, intent } = await startInDoubt(loseWithoutTrace);
    const resolve = ["journal", "resolve", intent.id, "--closed"];
    const outcomes = await Promise.all([1, 2, 3].map(() => cli(resolve, { isProcess: true })));
    expect(outcomes.map(({ exitCode }) => exitCode).sort()).toEqual([0, 1, 1]);
    for (const { stderr } of outcomes) expect(stderr.split("\n")).toHaveLength(1);
    expect(await list("--all")).toHaveLength(1);
  });
});

await describeProduct(postgres, ({ product }) => {
  test("journal resolve and show say until when a run of a shared journal is waited for", async () => {
    const { url, environment } = product().enter("waiting");
    const { PGPASSWORD = "" } = environment;
    vi.stubEnv("PGPASSWORD", PGPASSWORD);
    const { cli, simulator, journalDir } = await startMachine({}, { url, env: { PGPASSWORD } });
    const shared = parseJournalUrl(url);
    if (shared.kind === "file") throw new Error("it is a folder");
    const place = { journalDir, baseUrl: simulator.baseUrl, project: "", shared };
    const { locks, store, runId } = openJournalAt(place, machineTime);
    const { id } = orderIntent({ runId });
    const [sent, death] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const killed = locks.withAccount({ holdMs: 60_000, waitMs: 0 }, async () => {
      await store.create(orderIntent({ runId, account: undefined }));
      sent.resolve();
      await death.promise;
    });
    await Promise.race([sent.promise, killed]);
    const resolved = await cli(["journal", "resolve", id, "--closed"]);
    expect(resolved.exitCode).toBe(1);
    const [, until = ""] = /if it was killed, until (\S+Z)/.exec(resolved.stderr) ?? [];
    expect(Date.parse(until)).toBeGreaterThan(Date.now());
    expect((await cli(["journal", "show", id])).stdout).toContain(`until ${until}`);
    death.resolve();
    await killed;
    vi.unstubAllEnvs();
  });
});
