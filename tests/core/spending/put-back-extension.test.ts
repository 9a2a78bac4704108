import { expect, test } from "vitest";
import { ExtensionUnfinishedError } from "../../../provider/core/extension/apply/pay.ts";
import { beginRun } from "../support/extensions-under-test.ts";
import { serviceFailure } from "../support/fake-service.ts";
import { failureOf } from "../support/orders-under-test.ts";

const THREE_PERIODS = "2026-06-28";

test("230: what an ended run has paid and no state has is saved, and the next up without a refresh goes on", async () => {
  const first = beginRun();
  const before = await first.extend();
  const { service } = first;
  const args = { paidThrough: THREE_PERIODS };

  // The second of its two extensions is refused, it ends in the ordinary way, and its state is lost.
  const second = beginRun({ service });
  let calls = 0;
  service.before.extend = async () => {
    calls += 1;
    if (calls > 1) throw serviceFailure("rejected");
    return undefined;
  };
  const lost = await failureOf(
    second.extensions.update(before.state, await second.plan(args, before.inputs)),
  );
  expect(lost).toBeInstanceOf(ExtensionUnfinishedError);
  expect(service.extensions).toHaveLength(2);

  // The state from before is put back. The service refuses once more.
  const third = beginRun({ service });
  const inputs = await third.plan(args, before.inputs);
  const failure = await failureOf(third.extensions.update(before.state, inputs));
  const kept =
    failure instanceof ExtensionUnfinishedError ? { inputs, state: failure.state } : before;
  delete service.before.extend;

  const fourth = beginRun({ service });
  const again = await fourth.plan(args, kept.inputs);
  const done = await fourth.extensions.update(kept.state, again);
  expect(service.extensions).toHaveLength(3);
  expect(done.purchases).toHaveLength(3);
});
