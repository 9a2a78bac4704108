const ends: (() => unknown)[] = [];

/**
 * Does something when the test file ends. Use this in modules that several test files import: files share their
 * modules, so that an `afterAll` in such a module is heard at the end of the first file only.
 */
export function whenFileEnds(end: () => unknown): void {
  ends.push(end);
}

/** Does all of it; see `file-end-setup.ts`. */
export async function endFile(): Promise<void> {
  await Promise.all(ends.splice(0).map((end) => end()));
}
