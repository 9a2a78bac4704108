import type { dynamic } from "@pulumi/pulumi";
import type { ResourceKind, StackConfig } from "pulumi-proxyrental/provider";

/** What a dynamic provider's methods are given and give back; the package behind the door knows their types. */
type Props = Record<string, unknown>;

/**
 * Pulumi keeps the source text of a dynamic provider in the state of each of its resources. So a shim does
 * nothing but open the door to the installed package: the text stays small, stays the same between
 * releases, and holds no key.
 */
function createShim(kind: ResourceKind): dynamic.ResourceProvider<Props, Props> {
  let config: StackConfig | undefined;
  const open = async () => {
    const door = await import("pulumi-proxyrental/provider");
    return door.openDynamicProvider(kind, config);
  };
  return {
    // Not async: the engine's process may call check before it has awaited this.
    configure: (request) => {
      config = request.config;
      return Promise.resolve();
    },
    check: async (olds, news) => (await open()).check(olds, news),
    diff: async (id, olds, news) => (await open()).diff(id, olds, news),
    create: async (inputs) => (await open()).create(inputs),
    read: async (id, props) => (await open()).read(id, props ?? {}),
    update: async (id, olds, news) => (await open()).update(id, olds, news),
    delete: async (id, props) => (await open()).delete(id, props),
  };
}

/** One shim a kind of resource, so that each is serialised once a program. */
export const proxyOrderShim = createShim("ProxyOrder");

/** See `proxyOrderShim`. */
export const ipAutoExtendShim = createShim("IpAutoExtend");
