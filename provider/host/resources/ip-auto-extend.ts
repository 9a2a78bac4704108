import type { Account } from "../../core/account.ts";
import { SwitchUnconfirmedError } from "../../core/auto-extension/apply.ts";
import { createAutoExtensionLifecycle } from "../../core/auto-extension/lifecycle.ts";
import { type HostedResource, SavedFailure, withoutId } from "./hosted-resource.ts";
import { idOfOwner } from "./owner-id.ts";

/** IpAutoExtend for engines. */
export function hostIpAutoExtend(account: Account): HostedResource {
  const autoExtensions = createAutoExtensionLifecycle(account);
  return {
    async check(owner, oldInputs, given) {
      const { checked, failures } = await autoExtensions.check(owner, oldInputs, given);
      // If the check fails, the price is not called unknown: the engine would complain of that, and not tell the
      // failure.
      const isOpen = checked.quote === undefined && failures.length === 0;
      return { inputs: checked, unknown: isOpen ? ["quote"] : [], failures };
    },

    async diff(oldOutputs, { known, unknown }) {
      const change = await autoExtensions.diff(oldOutputs, known, unknown);
      return change.kind === "replace" ? { ...change, deleteBeforeReplace: true } : change;
    },

    async create(inputs) {
      const state = await autoExtensions.create(inputs).catch(keepSwitched);
      return { id: idOf(state), state };
    },

    read: (outputs) => autoExtensions.read(outputs),

    ...withoutId("IpAutoExtend", "switching on what is on already changes nothing"),

    update: (oldOutputs, inputs) => autoExtensions.update(oldOutputs, inputs).catch(keepSwitched),

    delete: (outputs) => autoExtensions.delete(outputs),
  };
}

/** The resource stays the owner of flags that may have been switched. */
function keepSwitched(error: unknown): never {
  if (!(error instanceof SwitchUnconfirmedError)) throw error;
  throw new SavedFailure(error, idOf(error.state), error.state);
}

function idOf({ owner }: { owner: string }): string {
  return idOfOwner("auto-extend", owner);
}
