import { describe, expect, test } from "vitest";
import { serviceFailure, showInstead } from "../support/fake-service.ts";
import { failureOf } from "../support/orders-under-test.ts";
import { beginRun, given, laterRun, owner, toggle } from "../support/renewals-under-test.ts";

const none = new Set<string>();

describe("the plan", () => {
  const linesOf = async (before: object, after: object, ...unknown: string[]) => {
    const { inputs, renewals, log } = await laterRun(before);
    await renewals.check(owner, inputs, given(after, ...unknown));
    return log.lines;
  };

  test.each([
    ["switched off", {}],
    ["switched off and given other proxies", { ipAddressIds: ["ip-3"] }],
  ])("says how many proxies are no longer extended when it is %s", async (_what, edit) => {
    const stops = ["renewal: will stop extending 2 IPv4 proxies"];
    expect(await linesOf({}, { autoExtend: false, ...edit })).toEqual(stops);
    expect(await linesOf({}, { autoExtend: false, ...edit }, "ipAddressIds")).toEqual(stops);
  });

  test("says nothing of proxies that were not extended before", async () => {
    const off = { autoExtend: false };
    expect(await linesOf(off, { ...off, rentPeriodDays: 90 })).toEqual([]);
    const { renewals, log } = beginRun();
    await renewals.check(owner, undefined, given(off));
    expect(log.lines).toEqual([]);
  });
});

describe("what was switched is told once, when it has happened", () => {
  const ON = "renewal: extends 2 IPv4 proxies by 30 days each time they end from now on";
  const OFF = "renewal: no longer extends 2 IPv4 proxies";

  test("on, and nothing if all was on already", async () => {
    const { renewals, inputs, service, log } = await laterRun();
    await renewals.create(inputs);
    expect(log.lines).toEqual([]);
    for (const id of inputs.ipAddressIds) toggle(service, id, false, 0);
    const next = beginRun({ service });
    await next.renewals.create(inputs);
    expect(next.log.lines).toEqual([ON]);
  });

  test("off, by an edit", async () => {
    const { renewals, inputs, state, log } = await laterRun();
    const off = { ...inputs, autoExtend: false };
    await renewals.update(state, off);
    expect(log.lines).toEqual([OFF]);
    expect(await renewals.diff(state, off, none)).toEqual({ kind: "update" });
  });

  test("off, for proxies that a resource without former ones names", async () => {
    const { service } = await laterRun();
    const { plan, renewals, log } = beginRun({ service });
    await renewals.create(await plan({ autoExtend: false }));
    expect(log.lines).toEqual([OFF]);
  });

  test("for other proxies and other days", async () => {
    const { renewals, inputs, state, log } = await laterRun();
    const edited = { ...inputs, ipAddressIds: ["ip-2", "ip-3"], rentPeriodDays: 90 };
    await renewals.update(state, edited);
    expect(log.lines).toEqual([
      "renewal: no longer extends 1 IPv4 proxy",
      "renewal: extends 2 IPv4 proxies by 90 days each time they end from now on",
    ]);
  });

  test("off, by a removal, and nothing is said if all was off", async () => {
    const { renewals, state, service, log, account } = await laterRun();
    await renewals.delete(state);
    expect(log.lines).toEqual([OFF]);
    expect(await account.story.lastWords()).toBe(
      `Done in this run:\n  ${OFF}\nNothing was bought.`,
    );
    const next = beginRun({ service });
    await next.renewals.delete(state);
    expect(next.log.lines).toEqual([]);
  });

  test("not where it failed", async () => {
    const { renewals, state, service, log } = await laterRun();
    service.before.setAutoExtension = async () => {
      throw serviceFailure("unknown");
    };
    await failureOf(renewals.delete(state));
    expect(log.lines).toEqual([]);
  });
});

describe("a switch that fails", () => {
  const failingWith = async (
    outcome: Parameters<typeof serviceFailure>[0],
    isRefused: (autoExtend: boolean) => boolean = () => true,
  ) => {
    const { renewals, inputs, state, service } = await laterRun();
    service.before.setAutoExtension = async ({ autoExtend }) => {
      if (isRefused(autoExtend)) throw serviceFailure(outcome);
      return undefined;
    };
    const edited = { ...inputs, ipAddressIds: ["ip-2", "ip-3"] };
    return (await failureOf(renewals.update(state, edited))).message;
  };

  test("has switched nothing if the service has refused it", async () => {
    const message = await failingWith("rejected");
    expect(message).toContain("the flags of 3 proxies were not switched (SERVICE_REFUSED: ");
    expect(message).toContain("run `pulumi up` to put them right");
  });

  test("may have switched something if its outcome is not known", async () => {
    expect(await failingWith("unknown")).toContain(
      "the flags of 3 proxies may have been switched (SERVICE_TIMEOUT: ",
    );
  });

  test("may have switched something if an earlier one of the same edit has", async () => {
    const message = await failingWith("rejected", (autoExtend) => autoExtend);
    expect(message).toContain("the flags of 3 proxies may have been switched (SERVICE_REFUSED: ");
  });

  test("has switched nothing if the listing failed before anything was sent", async () => {
    const { renewals, inputs, state, service } = await laterRun();
    showInstead(service, [1], (records) => records.slice(1));
    const first = service.before.listProxies;
    let readings = 0;
    service.before.listProxies = async (request) => {
      readings += 1;
      if (readings > 1) throw serviceFailure("rejected");
      return first?.(request);
    };
    const { message } = await failureOf(
      renewals.update(state, { ...inputs, ipAddressIds: ["ip-2"] }),
    );
    expect(message).toContain("were not switched");
    expect(service.switches).toEqual([]);
  });
});
