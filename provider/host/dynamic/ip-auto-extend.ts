import { createHash } from "node:crypto";
import type { Account } from "../../core/account.ts";
import { SwitchUnconfirmedError } from "../../core/auto-extension/apply.ts";
import { createAutoExtensionLifecycle } from "../../core/auto-extension/lifecycle.ts";
import type { DynamicProvider } from "./dynamic-provider.ts";
import { throwSaved } from "./failure.ts";
import { type Props, readGiven, readOld, UNKNOWN, withoutUndefined, withUnknown } from "./wire.ts";

/** IpAutoExtend as the dynamic provider process calls it: translation only. */
export function createIpAutoExtend(account: Account): DynamicProvider {
  const autoExtensions = createAutoExtensionLifecycle(account);

  return {
    async check(olds, news) {
      const { owner, given } = readGiven(news);
      const { checked, failures } = await autoExtensions.check(owner, readOld(olds), given);
      const { quote = UNKNOWN } = checked;
      return { inputs: withUnknown({ ...checked, quote }, news, given), failures };
    },

    async diff(_id, olds, news) {
      const { given } = readGiven(news);
      const change = autoExtensions.diff(olds, given.known, given.unknown);
      if (change.kind === "none") return { changes: false };
      if (change.kind === "update") return { changes: true };
      return { changes: true, replaces: change.properties, deleteBeforeReplace: true };
    },

    async create(inputs) {
      const state = await autoExtensions
        .create(inputs)
        .catch((error: unknown) => keepSwitched(error, inputs));
      return { id: idOf(state.owner), outs: withoutUndefined(state) };
    },

    async read(id, props) {
      const { state, drift } = await autoExtensions.read(props);
      const inputs = drift && { inputs: withoutUndefined(drift) };
      return { id, props: withoutUndefined(state), ...inputs };
    },

    async update(_id, olds, news) {
      const state = await autoExtensions
        .update(olds, news)
        .catch((error: unknown) => keepSwitched(error, news));
      return { outs: withoutUndefined(state) };
    },

    delete: (_id, props) => autoExtensions.delete(props),
  };
}

/** Flags that may have been switched stay owned. */
function keepSwitched(error: unknown, inputs: Props): never {
  if (!(error instanceof SwitchUnconfirmedError)) throw error;
  throwSaved(error, idOf(error.state.owner), error.state, inputs);
}

/** The service gives a flag no id of its own; the resource's name does, and it never changes. */
function idOf(owner: string): string {
  return `auto-extend-${createHash("sha256").update(owner).digest("hex").slice(0, 12)}`;
}
