/** Replaces the API key in a text. */
export const REDACTED_KEY = "<API_KEY>";

/** No key is shorter. Anything shorter is a part of other words, so that it can be neither used nor hidden safely. */
export const LEAST_KEY_LENGTH = 8;

/**
 * Takes the API key out of a text before anybody sees it, whether plain or percent-encoded in either case. What is too
 * short to be a key, and is never sent as one, is taken out only where it stands alone: other words keep their letters.
 */
export function redactKey(text: string, apiKey: string): string {
  const isAlone = apiKey.length < LEAST_KEY_LENGTH;
  const plain = findIn(apiKey, "g", isAlone);
  const encoded = findIn(encodeURIComponent(apiKey), "gi", isAlone);
  return text.replaceAll(encoded, REDACTED_KEY).replaceAll(plain, REDACTED_KEY);
}

function findIn(word: string, flags: string, isAlone: boolean): RegExp {
  const escaped = word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  return new RegExp(
    isAlone ? `(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])` : escaped,
    `${flags}u`,
  );
}
