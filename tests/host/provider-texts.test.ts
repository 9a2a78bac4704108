import { expect, test } from "vitest";
import { providerTexts } from "./provider-texts.ts";

// States hold this text, and every later release must serve it. So change it only on purpose.
test("the text in every state does not change", async () => {
  const { ProxyOrder } = await providerTexts();
  expect(ProxyOrder).toMatchSnapshot();
});

test("the resources' texts differ only in the kind", async () => {
  const { ProxyOrder, ...others } = await providerTexts();
  for (const [kind, text] of Object.entries(others)) {
    expect(text).toBe(ProxyOrder.replace('kind: "ProxyOrder"', `kind: "${kind}"`));
  }
});

test("the text is under 2 KB, and always the same", async () => {
  const texts = await providerTexts();
  for (const text of Object.values(texts)) expect(Buffer.byteLength(text)).toBeLessThan(2_048);
  expect(await providerTexts()).toEqual(texts);
});

test("the text reads no configuration and no environment, so it can't contain a key", async () => {
  for (const text of Object.values(await providerTexts())) {
    expect(text).not.toMatch(/process\.|getenv|apiKey|API_KEY|baseUrl/i);
  }
});
