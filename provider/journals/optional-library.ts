import { StoreFailure } from "../core/journal/raw-store.ts";

/**
 * Loads a library that only one kind of store needs, and that not everybody has installed.
 * @param load imports it by a literal, so that tools see which one.
 */
export async function loadLibrary<Library>(
  name: string,
  load: () => Promise<Library>,
): Promise<Library> {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error, name)) throw error;
    throw new StoreFailure(
      "refused",
      `the package ${name} is not installed; install it with \`npm install ${name}\``,
      error,
    );
  }
}

/** Not where the library is there and lacks something itself. */
function isMissing(error: unknown, name: string): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    error.code === "ERR_MODULE_NOT_FOUND" &&
    error.message.includes(`'${name}'`)
  );
}
