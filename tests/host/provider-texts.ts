import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import * as pulumi from "@pulumi/pulumi";

/** The serialised shim of each resource, from the package's compiled code. */
export interface ProviderTexts {
  ProxyOrder: string;
  IpAutoExtend: string;
  IpExtension: string;
}

const shipped = new URL("../../dist/sdk/shim.js", import.meta.url).pathname;

let texts: Promise<ProviderTexts> | undefined;

/** The text that Pulumi writes into the state of each resource. */
export function providerTexts(): Promise<ProviderTexts> {
  texts ??= serialise();
  return texts;
}

async function serialise(): Promise<ProviderTexts> {
  if (!existsSync(shipped)) throw new Error("the package is not built: run `npm run build` first");
  // The shims are not loaded with `import`, because the test runner would rewrite the text that is tested here.
  const shims = createRequire(import.meta.url)(shipped);
  const textOf = async (provider: unknown) => {
    const { text } = await pulumi.runtime.serializeFunction(() => provider, { allowSecrets: true });
    return text;
  };
  const [ProxyOrder, IpAutoExtend, IpExtension] = await Promise.all([
    textOf(shims.proxyOrderShim),
    textOf(shims.ipAutoExtendShim),
    textOf(shims.ipExtensionShim),
  ]);
  return { ProxyOrder, IpAutoExtend, IpExtension };
}
