import type { SpendingAccount } from "../../core/account.ts";
import { ExtensionUnfinishedError } from "../../core/extension/apply/pay.ts";
import { createExtensionLifecycle } from "../../core/extension/lifecycle.ts";
import { type HostedResource, SavedFailure, withoutId } from "./hosted-resource.ts";
import { idOfOwner } from "./owner-id.ts";

/** IpExtension for engines. */
export function hostIpExtension(account: SpendingAccount): HostedResource {
  const extensions = createExtensionLifecycle(account);
  return {
    async check(owner, oldInputs, given) {
      const { checked, failures } = await extensions.check(owner, oldInputs, given);
      return { inputs: checked, unknown: [], failures };
    },

    async diff(oldOutputs, { known, unknown }) {
      const change = await extensions.diff(oldOutputs, known, unknown);
      return change.kind === "replace" ? { ...change, deleteBeforeReplace: true } : change;
    },

    async create(inputs) {
      const state = await extensions.create(inputs).catch(keepPaid);
      return { id: idOf(state), state };
    },

    read: (outputs) => extensions.read(outputs),

    ...withoutId("IpExtension", "what is paid long enough already is not paid again"),

    update: (oldOutputs, inputs) => extensions.update(oldOutputs, inputs).catch(keepPaid),

    delete: (outputs) => extensions.delete(outputs),
  };
}

/** If an extension could not be finished, what is paid of it is saved. */
function keepPaid(error: unknown): never {
  if (!(error instanceof ExtensionUnfinishedError)) throw error;
  throw new SavedFailure(error, idOf(error.state), error.state);
}

function idOf({ owner }: { owner: string }): string {
  return idOfOwner("extension", owner);
}
