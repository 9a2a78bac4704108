import { expect, test } from "vitest";
import { openAccount } from "../../../provider/core/account.ts";
import { createAutoExtensionLifecycle } from "../../../provider/core/auto-extension/lifecycle.ts";
import { parseCheckedAutoExtension } from "../../../provider/core/auto-extension/state.ts";
import { openDocuments } from "../../../provider/core/journal/documents.ts";
import { openJournalParts } from "../../../provider/core/journal/journal-parts.ts";
import { presenceByTime } from "../../../provider/core/journal/presence-by-time.ts";
import { lonely, nothingElsewhere, unknownRun } from "../../../provider/core/ports.ts";
import { silentLog } from "../../support/silent-log.ts";
import { usualSettings } from "../../support/usual-settings.ts";
import { createManualClock } from "../support/account-under-test.ts";
import { createFakeService, record, showInstead } from "../support/fake-service.ts";
import { makeDocumentBench } from "../support/journal-documents.ts";
import { failureOf } from "../support/orders-under-test.ts";
import { given, owner } from "../support/renewals-under-test.ts";

const HOUR_MS = 3_600_000;

/** Runs of one machine that use a shared journal, whose clock is behind the machine's. */
function makeMachine(aheadMs: number) {
  const { raw, clock: storeClock } = makeDocumentBench();
  const service = createFakeService();
  service.records = [1, 2].map((number) => record("7000", number));
  const clock = createManualClock();
  clock.advance(aheadMs);
  const beginRun = () => {
    const journal = openJournalParts({
      ...{ documents: openDocuments(raw, clock), clock, presence: presenceByTime },
      ...{ memory: () => lonely, readElsewhere: async () => nothingElsewhere },
      ...{ identity: unknownRun, holder: { pid: 1, host: "runner" }, project: "" },
      ...{ apiKey: undefined, isProbed: false, isShared: true },
    });
    const account = openAccount({
      ...{ service, clock, journal, log: silentLog, settings: usualSettings },
    });
    return { account, renewals: createAutoExtensionLifecycle(account) };
  };
  const advance = (ms: number) => {
    clock.advance(ms);
    storeClock.advance(ms);
  };
  return { service, beginRun, advance };
}

test.each([
  ["is behind", "stays on: the listing may lag", 10 * 60_000, true],
  ["has been behind for more than an hour", "is off", HOUR_MS + 60_000, false],
])(
  "222: what was switched on, and the listing %s, %s, where the journal's clock is hours behind this machine's",
  async (_what, _then, passedMs, isOn) => {
    const { service, beginRun, advance } = makeMachine(5 * HOUR_MS);
    const before = service.records.map((listed) => ({ ...listed }));
    const first = beginRun();
    const { checked } = await first.renewals.check(owner, undefined, given());
    const { autoExtend: _on, ...off } = parseCheckedAutoExtension(checked);
    const state = await beginRun().renewals.create({ ...off, autoExtend: false });
    showInstead(service, "all", () => before);
    await failureOf(first.renewals.create(checked));

    advance(passedMs);
    await beginRun().renewals.read(state);
    const known = await beginRun().account.journal.flags.readAll("IPv4");
    expect([...known.values()].map(({ autoExtend }) => autoExtend)).toEqual([isOn, isOn]);
  },
);
