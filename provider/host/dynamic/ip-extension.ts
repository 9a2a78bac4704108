import { createHash } from "node:crypto";
import type { Account } from "../../core/account.ts";
import { createExtensionLifecycle } from "../../core/extension/lifecycle.ts";
import { ExtensionUnfinishedError } from "../../core/extension/pay.ts";
import type { DynamicProvider } from "./dynamic-provider.ts";
import { throwSaved } from "./failure.ts";
import { type Props, readGiven, readOld, withoutUndefined, withUnknown } from "./wire.ts";

/** IpExtension as the dynamic provider process calls it: translation only. */
export function createIpExtension(account: Account): DynamicProvider {
  const extensions = createExtensionLifecycle(account);

  return {
    async check(olds, news) {
      const { owner, given } = readGiven(news);
      const { checked, failures } = await extensions.check(owner, readOld(olds), given);
      return { inputs: withUnknown(checked, news, given), failures };
    },

    async diff(_id, olds, news) {
      const { given } = readGiven(news);
      const change = await extensions.diff(olds, given.known, given.unknown);
      if (change.kind === "none") return { changes: false };
      if (change.kind === "update") return { changes: true };
      return { changes: true, replaces: change.properties, deleteBeforeReplace: true };
    },

    async create(inputs) {
      const state = await extensions
        .create(inputs)
        .catch((error: unknown) => keepPaid(error, inputs));
      return { id: idOf(state.owner), outs: withoutUndefined(state) };
    },

    async read(id, props) {
      const { state, drift } = await extensions.read(props);
      const inputs = drift && { inputs: withoutUndefined(drift) };
      return { id, props: withoutUndefined(state), ...inputs };
    },

    async update(_id, olds, news) {
      const state = await extensions
        .update(olds, news)
        .catch((error: unknown) => keepPaid(error, news));
      return { outs: withoutUndefined(state) };
    },

    delete: (_id, props) => extensions.delete(props),
  };
}

/** What is paid of an extension that could not be finished stays known. */
function keepPaid(error: unknown, inputs: Props): never {
  if (!(error instanceof ExtensionUnfinishedError)) throw error;
  throwSaved(error, idOf(error.state.owner), error.state, inputs);
}

/** The service gives an extension no id; the resource's name does, and it never changes. */
function idOf(owner: string): string {
  return `extension-${createHash("sha256").update(owner).digest("hex").slice(0, 12)}`;
}
