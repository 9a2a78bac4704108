import { expect, test } from "vitest";
import { rowsUnder } from "../../../support/docs.ts";
import { edit, planEdit, refresh } from "../../support/edits-under-test.ts";
import { AFTER_END } from "../../support/fake-service.ts";
import {
  type Bought,
  beginRun,
  failureOf,
  given,
  ownerOf,
  type Run,
} from "../../support/orders-under-test.ts";

/** The rows of the page that say what each edit of an order does, and what it costs. */
const rows = rowsUnder("docs/edits.md", "edit of a `ProxyOrder`").map(
  ([what = "", happens = "", cost = ""]) => ({ what, happens, cost }),
);

/** Makes an edit on proxies that an earlier run has bought. Returns the price that its preview showed. */
type Scenario = (run: Run, five: Bought) => Promise<number>;

/** Changes the arguments, then refreshes, previews and carries the change out. */
const edited =
  (args: object): Scenario =>
  async (run, five) => {
    const read = await refresh(run, five);
    const { planned } = await planEdit(run, read, args);
    await edit(run, read, args);
    return planned.quote.price ?? 0;
  };

const refused =
  (args: object): Scenario =>
  async (run, five) => {
    const { code, message } = await failureOf(planEdit(run, five, args));
    expect(code).toBe("EDIT_REFUSED");
    expect(message).toContain(`paid until ${five.state.expiresAt}`);
    return 0;
  };

/** Some or all of the proxies end after the run that bought them. */
function end({ service }: Run, count: number): void {
  service.now = AFTER_END;
  service.records = service.records.map((listed, index) =>
    index < count ? listed : { ...listed, dateEnd: "2026-12-31T00:00:00.000+00:00" },
  );
}

const scenarios: Record<string, Scenario> = {
  "nothing edited": edited({}),
  "`quantity` up": edited({ quantity: 8 }),
  "`quantity` up, after it was down": async (run, five) => {
    const three = await edit(run, five, { quantity: 3 });
    expect((await planEdit(run, three, { quantity: 5 })).planned.quote.price).toBeUndefined();
    return edited({ quantity: 6 })(run, three);
  },
  "`quantity` down": edited({ quantity: 3 }),
  "`rentPeriodDays`, `goal`, `promoCode`, `maxPrice`, `allowReplacement`, `deliveryTimeoutSeconds`":
    async (run, five) => {
      const later = { rentPeriodDays: 90, goal: "x", promoCode: "A", maxPrice: 1 };
      const args = { ...later, allowReplacement: true, deliveryTimeoutSeconds: 1 };
      expect((await planEdit(run, five, args)).change).toBe("none");
      return 0;
    },
  "`proxyType`, `country`, `authType`, `authIp`, `protocol`, `mobileOperator`, `rotationTime`":
    async (run, five) => {
      await refused({ country: "DEU" })(run, five);
      await refused({ authType: "IP", authIp: "192.0.2.1" })(run, five);
      await refused({ proxyType: "IPv6", protocol: "HTTP", rentPeriodDays: 90 })(run, five);
      const phone = { mobileOperator: "telekom", rotationTime: 300 };
      return refused({ proxyType: "MOBILE", country: "DEU", ...phone })(run, five);
    },
  "the same with `allowReplacement: true`": async (run, five) => {
    const args = { country: "DEU", allowReplacement: true };
    const { planned, change } = await planEdit(run, five, args);
    expect(change).toBe("replace");
    // Before the replacement the engine checks again, without the old inputs. Then the old order is deleted.
    const { checked } = await run.orders.check(ownerOf("fleet"), undefined, given(args));
    expect(checked.quote).toEqual(planned.quote);
    await run.orders.create(checked);
    await run.orders.delete(five.state);
    return planned.quote.price ?? 0;
  },
  "a part of the proxies has ended, found by a refresh": async (run, five) => {
    end(run, 2);
    const read = await refresh(run, five);
    const { planned } = await planEdit(run, read, {});
    expect(planned.quote).toMatchObject({ effect: "topUp", quantity: 2 });
    await edit(run, read, {});
    return planned.quote.price ?? 0;
  },
  "`quantity`, when proxies have ended and no refresh has found it": async (run, five) => {
    end(run, 2);
    for (const quantity of [8, 3]) {
      const { code } = await failureOf(planEdit(run, five, { quantity }));
      expect(code).toBe("REFRESH_NEEDED");
    }
    return 0;
  },
  "all have ended, found by a refresh": async (run, five) => {
    end(run, 5);
    expect(await run.orders.read(five.state)).toEqual({ kind: "gone" });
    const { inputs } = await run.buy();
    return inputs.quote.price ?? 0;
  },
  "proxies that the service has exchanged, found by a refresh": async (run, five) => {
    run.service.records = run.service.records.map((listed, index) =>
      index === 0 ? { ...listed, ipAddressId: "new", ipAddressIp: "198.51.100.1" } : listed,
    );
    const read = await refresh(run, five);
    expect(read.inputs).toEqual(five.inputs);
    expect(read.state.ipAddressIds).toContain("new");
    expect((await planEdit(run, read, {})).change).toBe("none");
    return 0;
  },
  "`adoptOrderNumber` set on a new resource": async (run) => {
    const { inputs, state } = await run.buy("other", { adoptOrderNumber: "7000" });
    expect(state.proxies).toHaveLength(5);
    return inputs.quote.price ?? 0;
  },
  "removed from the program": async (run, five) => {
    await run.orders.delete(five.state);
    return 0;
  },
  "removed, and declared again later": async (run, five) => {
    await run.orders.delete(five.state);
    const later = beginRun({ service: run.service });
    const { inputs } = await later.buy();
    expect(later.log.lines.join()).toContain(
      `This stack has let go of order ${five.state.orderNumber}`,
    );
    return inputs.quote.price ?? 0;
  },
  "renamed without an alias": async (run, five) => {
    const { inputs } = await run.buy("other");
    await run.orders.delete(five.state);
    return inputs.quote.price ?? 0;
  },
};

test("these tests have each row of the table of edits", () => {
  expect(rows.map(({ what }) => what)).toEqual(Object.keys(scenarios));
});

test.each(rows)("$what: $cost", async ({ what, cost }) => {
  const first = beginRun();
  const five = await first.buy();
  // The order is old, so that it does not stop a purchase.
  first.service.records = first.service.records.map((listed) => ({
    ...listed,
    dateStart: "2026-02-01T00:00:00.000+00:00",
  }));
  const run = beginRun({ service: first.service });
  const before = run.service.balance;
  const shown = await scenarios[what]?.(run, five);
  const spent = Math.round((before - run.service.balance) * 100) / 100;
  expect(spent).toBe(shown);
  if (cost === "0") expect(spent).toBe(0);
  else {
    expect(cost).toMatch(/^the price in the preview/);
    expect(spent).toBeGreaterThan(0);
  }
});
