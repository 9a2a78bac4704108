import { createExtensionLifecycle } from "../../../provider/core/extension/lifecycle.ts";
import type { CheckedExtension } from "../../../provider/core/extension/model/state.ts";
import { JournalError } from "../../../provider/core/ports.ts";
import { openForTest } from "./account-under-test.ts";
import { record, serviceFailure } from "./fake-service.ts";
import { failureOf } from "./orders-under-test.ts";

/** The owner of the extension. */
export const owner = "org/urn:pulumi:dev::fleet::proxyrental:IpExtension::keep";

/** Arguments that extend two of four listed proxies from 31 March by a month. That is one period of 30 days. */
const twoProxies = {
  proxyType: "IPv4",
  ipAddressIds: ["ip-1", "ip-2"],
  rentPeriodDays: 30,
  paidThrough: "2026-04-29",
};

/** An end that is two periods away. */
export const TWO_PERIODS = "2026-05-29";

/** Arguments as the program gives them. */
export function given(args: object = {}, ...unknown: string[]) {
  const known: Record<string, unknown> = { ...twoProxies, ...args };
  for (const name of unknown) delete known[name];
  return { known, unknown: new Set(unknown) };
}

/** One run of the provider on an account with four proxies of two orders. */
export function beginRun(options: Parameters<typeof openForTest>[0] = {}) {
  const opened = openForTest(options);
  const { service } = opened;
  if (service.records.length === 0) {
    service.records = [1, 2, 3, 4].map((number) => record(number < 3 ? "7000" : "7001", number));
  }
  const extensions = createExtensionLifecycle(opened.account);
  const plan = async (args: object = {}, before?: unknown) => {
    const { checked, failures } = await extensions.check(owner, before, given(args));
    if (failures.length > 0) throw new Error(`not planned: ${JSON.stringify(failures)}`);
    // No check fails and all arguments are known, so the checked extension is complete.
    return checked as CheckedExtension;
  };
  const extend = async (args: object = {}) => {
    const inputs = await plan(args);
    return { inputs, state: await extensions.create(inputs) };
  };
  const reasonsOf = async (args: object = {}, before?: unknown) => {
    const { failures } = await extensions.check(owner, before, given(args));
    return failures.map(
      ({ property, code = "INPUT_INVALID", reason }) => `${property}: ${code}: ${reason}`,
    );
  };
  const open = async () => (await opened.account.journal.readOpen()).map(({ phase }) => phase);
  /** The date until which each proxy is paid. */
  const ends = () => service.records.map(({ dateEnd = "" }) => dateEnd.slice(0, 10));
  return { ...opened, extensions, plan, extend, reasonsOf, open, ends };
}

export type Run = ReturnType<typeof beginRun>;

/** A run on an account with an extension from an earlier run. */
export async function laterRun(args: object = {}, options: Parameters<typeof beginRun>[0] = {}) {
  const first = beginRun();
  const paid = await first.extend(args);
  const next = beginRun({ ...options, service: first.service });
  for (const name of Object.keys(next.service.calls) as (keyof typeof next.service.calls)[]) {
    next.service.calls[name] = 0;
  }
  return { ...paid, ...next };
}

/** A run that is killed while its extension is on the way. The extension never arrives. */
export async function dieBeforeSending(run: Run = beginRun()) {
  const inputs = await run.plan();
  run.service.before.extend = async () => {
    delete run.service.before.extend;
    throw serviceFailure("unknown");
  };
  run.journal.store.replace = async () => {
    throw new JournalError("unavailable", "the process is gone");
  };
  await failureOf(run.extensions.create(inputs));
  return { ...run, inputs };
}
