import { expect } from "vitest";
import type { Simulator } from "../../simulator/index.ts";
import type { ProviderProcess } from "./provider-process.ts";
import type { Props } from "./unary.ts";

/** The key is nowhere, and a password nowhere but in the two outputs that are secret. */
export async function expectNoSecrets(
  simulator: Simulator,
  provider: ProviderProcess,
  ...returned: Props[]
): Promise<void> {
  const plain = returned.map(({ credentials: _credentials, urls: _urls, ...rest }) => rest);
  const texts = [await provider.printed(), JSON.stringify(plain)];
  for (const text of [...texts, JSON.stringify(returned)])
    expect(text).not.toContain(simulator.apiKey);
  for (const { password } of simulator.proxies()) {
    for (const text of texts) expect(text).not.toContain(password);
  }
}

/** None of it is undefined, and none was: the engine's wire format has only null for it. */
export function expectNoNull(properties: Props): void {
  expect(JSON.stringify(properties)).not.toContain("null");
}
