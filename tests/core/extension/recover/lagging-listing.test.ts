import { describe, expect, test } from "vitest";
import { beginRun, type Run } from "../../support/extensions-under-test.ts";
import { record, serviceFailure } from "../../support/fake-service.ts";
import { beginRun as beginOrderRun, failureOf } from "../../support/orders-under-test.ts";

/** The service carries out the next extension and loses its answer. The listing goes on showing the old ends. */
function chargeUnseen({ service }: Run): { list(): void } {
  const before = structuredClone(service.records);
  let after = before;
  service.before.extend = async (request, options) => {
    delete service.before.extend;
    await service.extend(request, options);
    service.calls.extend -= 1;
    after = service.records;
    service.records = before;
    throw serviceFailure("unknown");
  };
  return {
    list: () => {
      service.records = after;
    },
  };
}

const later = ({ service }: Run) => beginRun({ service });

describe("an unanswered extension that is not listed", () => {
  test("is never judged not placed if the balance fell by its price", async () => {
    const run = beginRun();
    const planned = await run.plan();
    chargeUnseen(run);
    const failure = await failureOf(run.extensions.create(planned));
    expect(failure.code).toBe("ORDER_OUTCOME_UNKNOWN");
    expect(failure.message).toContain("PROXYRENTAL_CALLS=FILE");
    expect(failure.message).toContain("it was charged, and no end of its proxies has moved");
    expect(failure.message).not.toContain("It was not charged");
    expect(await run.open()).toEqual(["unknown"]);
    expect(run.service.calls.extend).toBe(1);
  });

  test("is found if it is listed after the settling time", async () => {
    const run = beginRun({
      onWait: () => {
        if (run.clock.elapsedMs() > 90_000) unseen.list();
      },
    });
    const planned = await run.plan();
    const unseen = chargeUnseen(run);
    const state = await run.extensions.create(planned);
    expect(state.purchases).toMatchObject([{ price: 2 }]);
    expect(run.service.calls.extend).toBe(1);
    expect(run.service.balance).toBe(998);
  });

  test("is not paid again by later runs: they stop until it is listed, and then pay nothing", async () => {
    const run = beginRun();
    const planned = await run.plan();
    const unseen = chargeUnseen(run);
    await failureOf(run.extensions.create(planned));
    for (const _ of [1, 2, 3]) {
      const failure = await failureOf(later(run).plan());
      expect(failure.code).toBe("ORDER_OUTCOME_UNKNOWN");
      expect(failure.message).toContain("it was charged");
    }
    unseen.list();
    const last = later(run);
    const { inputs, state } = await last.extend();
    expect(inputs.quote.effect).toBe("none");
    expect(state.purchases).toMatchObject([{ price: 2 }]);
    expect(run.service.calls.extend).toBe(1);
    expect(run.service.balance).toBe(998);
  });

  test("is not paid again after its run was killed", async () => {
    const run = beginRun();
    const planned = await run.plan();
    chargeUnseen(run);
    // The run dies after the lost answer.
    run.service.before.getBalance = async () => {
      if (run.service.extensions.length > 0) throw serviceFailure("rejected");
      return undefined;
    };
    await failureOf(run.extensions.create(planned));
    delete run.service.before.getBalance;
    const failure = await failureOf(later(run).plan());
    expect(failure.code).toBe("ORDER_OUTCOME_UNKNOWN");
    expect(run.service.calls.extend).toBe(1);
  });

  test("is judged not placed if the balance is unchanged, also apart from others' purchases", async () => {
    const run = beginRun();
    const planned = await run.plan();
    run.service.before.extend = async () => {
      delete run.service.before.extend;
      run.service.before.getBalance = async () => {
        throw serviceFailure("rejected");
      };
      throw serviceFailure("unknown");
    };
    expect((await failureOf(run.extensions.create(planned))).code).toBe("ORDER_OUTCOME_UNKNOWN");
    delete run.service.before.getBalance;

    run.service.now = new Date("2026-03-01T01:00:00Z");
    run.service.before.createOrder = async () => {
      run.service.balance -= 7;
      const listed = [51, 52, 53, 54, 55].map((n) => record("8000", n, { country: "DEU" }));
      run.service.records.push(...listed);
      return { orderNumber: "8000", promoCodeStatus: null, balance: run.service.balance };
    };
    await beginOrderRun({ service: run.service }).buy("other", { country: "DEU" });
    expect(run.service.balance).toBe(993);
    const { state } = await later(run).extend();
    expect(state.purchases).toMatchObject([{ price: 2 }]);
    expect(run.service.balance).toBe(991);
  });
});
