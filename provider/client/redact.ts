/** What stands in a text where the API key was. */
export const REDACTED_KEY = "<API_KEY>";

/** Takes the API key, plain or percent-encoded, out of a text before anybody sees it. */
export function redactKey(text: string, apiKey: string): string {
  const encodedKey = encodeURIComponent(apiKey);
  return text.replaceAll(apiKey, REDACTED_KEY).replaceAll(encodedKey, REDACTED_KEY);
}
