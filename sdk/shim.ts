import type { dynamic } from "@pulumi/pulumi";
import type { ResourceKind } from "pulumi-proxyrental/provider";

type Shim = dynamic.ResourceProvider<Record<string, unknown>, Record<string, unknown>>;

/**
 * Pulumi keeps the source text of a dynamic provider in the state of each of its resources. So a shim only loads the
 * installed package: the text stays small, stays the same between releases, and holds no key. The engine's process
 * calls `configure` before any other method, but does not wait for it. So the methods are set before anything is
 * awaited. The text would be three times as long if each method were written out.
 */
function createShim(kind: ResourceKind): Shim {
  const shim: Pick<Shim, "configure"> = {
    async configure(this: Record<string, unknown>, { config }) {
      const opened = import("pulumi-proxyrental/provider").then((door) =>
        door.openDynamicProvider(kind, config),
      );
      for (const name of ["check", "diff", "create", "read", "update", "delete"] as const) {
        this[name] = async (...args: never[]) => {
          const provider: Record<string, (...args: never[]) => unknown> = { ...(await opened) };
          return provider[name]?.(...args);
        };
      }
    },
  };
  return shim as Shim;
}

/** One shim a kind of resource, so that each is serialised once a program. */
export const proxyOrderShim = createShim("ProxyOrder");

/** See `proxyOrderShim`. */
export const ipAutoExtendShim = createShim("IpAutoExtend");

/** See `proxyOrderShim`. */
export const ipExtensionShim = createShim("IpExtension");
