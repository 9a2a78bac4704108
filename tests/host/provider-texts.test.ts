import { expect, test } from "vitest";
import { providerTexts } from "./provider-texts.ts";

// States hold this text, and every later release must serve it. So change it only on purpose.
test("the text in every state does not change", () => {
  expect(providerTexts.ProxyOrder).toMatchSnapshot();
});

test("the resources' texts differ only in the kind", () => {
  const { ProxyOrder, ...others } = providerTexts;
  for (const [kind, text] of Object.entries(others)) {
    expect(text).toBe(ProxyOrder.replace('"ProxyOrder"', `"${kind}"`));
  }
});

test("the text takes little room in the state", () => {
  for (const text of Object.values(providerTexts))
    expect(Buffer.byteLength(text)).toBeLessThan(256);
});

test("the text reads no configuration and no environment, so it can't contain a key", () => {
  for (const text of Object.values(providerTexts)) {
    expect(text).not.toMatch(/process\.|getenv|apiKey|API_KEY|baseUrl/i);
  }
});
