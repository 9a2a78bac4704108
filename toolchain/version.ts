/** The oldest CLI that can run all programs here, policy packs included. */
export const minimumCli = "3.220.0";

/** The Go version that the committed go.mod files ask for. */
export const minimumGo = "1.26.0";

interface Version {
  readonly numbers: readonly [number, number, number];
  readonly prerelease: boolean;
}

/**
 * Reads the first version in a tool's answer: `v3.220.0`, `3.221.0-alpha.1`, `go1.26.8`, `go1.27rc1`. Undefined if
 * there is none.
 */
function parseVersion(text: string): Version | undefined {
  const match = /(?:^|[^\w.])(?:v|go)?(\d+)\.(\d+)(?:\.(\d+))?(-|rc|beta)?/m.exec(text);
  if (match === null) return undefined;
  const [, major, minor, patch = "0", suffix] = match;
  return {
    numbers: [Number(major), Number(minor), Number(patch)],
    prerelease: suffix !== undefined,
  };
}

/** As in semver, a prerelease of the minimum is too old. A text without a version is too old, too. */
export function isAtLeast(text: string, minimum: string): boolean {
  const found = parseVersion(text);
  const wanted = parseVersion(minimum);
  if (found === undefined || wanted === undefined) return false;
  for (const [index, number] of found.numbers.entries()) {
    const difference = number - (wanted.numbers[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return !found.prerelease;
}

/** `3.220.0` for `v3.220.0\n`. If the text holds no version, the text itself. */
export function showVersion(text: string): string {
  return parseVersion(text)?.numbers.join(".") ?? text.trim();
}
