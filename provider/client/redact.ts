/** What stands in a text where the API key was. */
export const REDACTED_KEY = "<API_KEY>";

/** Takes the API key, plain or percent-encoded in either case, out of a text before anybody sees it. */
export function redactKey(text: string, apiKey: string): string {
  const encodedKey = encodeURIComponent(apiKey).replaceAll(/[.*()]/g, "\\$&");
  return text
    .replaceAll(new RegExp(encodedKey, "gi"), REDACTED_KEY)
    .replaceAll(apiKey, REDACTED_KEY);
}
