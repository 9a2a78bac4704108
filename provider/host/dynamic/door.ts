import { assertSupportedNode } from "../node-version.ts";
import { hostResources, type ResourceKind } from "../resources/resources.ts";
import { readSettings } from "../settings.ts";
import { openSystemAccount } from "../system.ts";
import { type DynamicProvider, toDynamicProvider } from "./dynamic-provider.ts";
import { withReadableFailures } from "./failure.ts";

/** The stack's configuration as a dynamic provider is given it. */
export interface StackConfig {
  get(key: string): string | undefined;
}

/** Opened once, so that all resources of a run share it. */
let opened: ReturnType<typeof openResources> | undefined;

/**
 * The door through which the serialised shim reaches this package, in the dynamic provider's process.
 * Wrong settings surface in the first check, as one sentence, before anything else happens.
 */
export function openDynamicProvider(
  kind: ResourceKind,
  config: StackConfig | undefined,
): DynamicProvider {
  const resource = async () => {
    opened ??= openResources(config);
    return toDynamicProvider(opened[kind]);
  };
  return withReadableFailures({
    check: async (olds, news) => (await resource()).check(olds, news),
    diff: async (id, olds, news) => (await resource()).diff(id, olds, news),
    create: async (inputs) => (await resource()).create(inputs),
    read: async (id, props) => (await resource()).read(id, props),
    update: async (id, olds, news) => (await resource()).update(id, olds, news),
    delete: async (id, props) => (await resource()).delete(id, props),
  });
}

function openResources(config: StackConfig | undefined) {
  assertSupportedNode(process.versions.node);
  const settings = readSettings({
    config: (key) => config?.get(`proxyrental:${key}`),
    environment: process.env,
  });
  return hostResources(openSystemAccount(settings));
}
