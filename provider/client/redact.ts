/** Replaces the API key in a text. */
export const REDACTED_KEY = "<API_KEY>";

/** Takes the API key out of a text before anybody sees it, whether plain or percent-encoded in either case. */
export function redactKey(text: string, apiKey: string): string {
  const encodedKey = encodeURIComponent(apiKey).replaceAll(/[.*()]/g, "\\$&");
  return text
    .replaceAll(new RegExp(encodedKey, "gi"), REDACTED_KEY)
    .replaceAll(apiKey, REDACTED_KEY);
}
