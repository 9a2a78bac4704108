import { expect } from "vitest";
import type { Simulator } from "../../simulator/index.ts";
import type { ProviderProcess } from "./provider-process.ts";
import type { Props } from "./unary.ts";

/** The key may appear nowhere. A password may appear only in the two secret outputs. */
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

/** No property is null. On the wire an undefined value would be null, too. */
export function expectNoNull(properties: Props): void {
  expect(JSON.stringify(properties)).not.toContain("null");
}
