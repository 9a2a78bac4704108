import { isProxyRentalError } from "../../core/values/errors.ts";
import type { DynamicProvider } from "./dynamic-provider.ts";

/** Makes what the lifecycle throws readable, whichever method threw it. */
export function withReadableFailures(provider: DynamicProvider): DynamicProvider {
  return {
    async check(olds, news) {
      try {
        return await provider.check(olds, news);
      } catch (error) {
        // The engine shows a check failure once, at the resource, and without a stack.
        if (!isProxyRentalError(error)) throw error;
        return { inputs: news, failures: [{ property: "", reason: error.message }] };
      }
    },
    diff: (id, olds, news) => provider.diff(id, olds, news).catch(rethrowWithoutStack),
    create: (inputs) => provider.create(inputs).catch(rethrowWithoutStack),
    read: (id, props) => provider.read(id, props).catch(rethrowWithoutStack),
    update: (id, olds, news) => provider.update(id, olds, news).catch(rethrowWithoutStack),
    delete: (id, props) => provider.delete(id, props).catch(rethrowWithoutStack),
  };
}

/**
 * The dynamic provider process prints the text and the stack of what is thrown, beside the message that the engine
 * shows at the resource. A user's error has said everything in that message, so the print is kept short. A bug of
 * ours keeps its stack.
 */
function rethrowWithoutStack(error: unknown): never {
  if (!isProxyRentalError(error)) throw error;
  error.stack = "explained at the resource";
  throw Object.assign(error, { toString: () => error.code });
}
