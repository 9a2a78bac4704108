import { createAutoExtensionLifecycle } from "../../../provider/core/auto-extension/lifecycle.ts";
import type { CheckedAutoExtension } from "../../../provider/core/auto-extension/state.ts";
import { openForTest } from "./account-under-test.ts";
import { type FakeService, record } from "./fake-service.ts";

/** The owner of the auto-extension. */
export const owner = "org/urn:pulumi:dev::fleet::proxyrental:IpAutoExtend::renewal";

/** Arguments for the first two of four listed proxies. */
export const twoProxies = {
  proxyType: "IPv4",
  ipAddressIds: ["ip-1", "ip-2"],
  rentPeriodDays: 30,
};

/** Arguments as the program gives them. */
export function given(args: object = {}, ...unknown: string[]) {
  return { known: { ...twoProxies, ...args }, unknown: new Set(unknown) };
}

/** One run of the provider on an account with four proxies. None of them has automatic extension. */
export function beginRun(options: Parameters<typeof openForTest>[0] = {}) {
  const opened = openForTest(options);
  const { service } = opened;
  if (service.records.length === 0) {
    service.records = [1, 2, 3, 4].map((number) => record("7000", number));
  }
  const renewals = createAutoExtensionLifecycle(opened.account);
  const plan = async (args: object = {}) => {
    const { checked, failures } = await renewals.check(owner, undefined, given(args));
    if (failures.length > 0) throw new Error(`not planned: ${JSON.stringify(failures)}`);
    // No check fails and all arguments are known, so the checked auto-extension is complete.
    return checked as CheckedAutoExtension;
  };
  const switchOn = async (args: object = {}) => {
    const inputs = await plan(args);
    return { inputs, state: await renewals.create(inputs) };
  };
  /** The proxies with automatic extension, and the days of each. */
  const renewing = () =>
    Object.fromEntries(
      service.records
        .filter(({ extendInfo }) => extendInfo.autoExtend)
        .map(({ ipAddressId, extendInfo }) => [ipAddressId, extendInfo.extendDays]),
    );
  return { ...opened, renewals, plan, switchOn, renewing };
}

/** A later run on the same account. */
export async function laterRun(args: object = {}, options: Parameters<typeof beginRun>[0] = {}) {
  const first = beginRun();
  const bought = await first.switchOn(args);
  first.service.switches = [];
  return { ...bought, ...beginRun({ ...options, service: first.service }) };
}

/** Changes a flag. The provider is not told. */
export function toggle(
  { records }: FakeService,
  id: string,
  autoExtend: boolean,
  extendDays: number,
): void {
  const index = records.findIndex(({ ipAddressId }) => ipAddressId === id);
  const found = records[index];
  if (found) records[index] = { ...found, extendInfo: { autoExtend, extendDays } };
}
