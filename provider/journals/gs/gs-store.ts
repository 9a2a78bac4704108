import { readFile } from "node:fs/promises";
import { z } from "zod";
import { type RawEntry, StoreFailure } from "../../core/journal/raw-store.ts";
import { messageOf } from "../../core/values/message-of.ts";
import type { Product } from "../bounded-store.ts";
import { explainStatus, readDate } from "../http-failure.ts";
import { loadLibrary } from "../optional-library.ts";
import { findEmulator, type GsPlace } from "./gs-place.ts";

const writtenSchema = z.object({ generation: z.string() });

const pageSchema = z.object({
  // Without it any document would be an empty page, and hide what was bought.
  kind: z.literal("storage#objects"),
  items: z.array(z.object({ name: z.string(), size: z.string() })).default([]),
  nextPageToken: z.string().optional(),
});

const problemSchema = z.object({ error: z.object({ message: z.string() }) });

/**
 * The conditions are by generation. The library knows the address and the credentials. The calls are made without it: it
 * tells neither the clock of an answer nor the generation of what it has read.
 *
 * Rights: `storage.objects.get`, `.create`, `.list` and `.delete` (a new generation takes the place of the old one), as the role
 * Storage Object User has them. No rule of the bucket may remove what is old, or hold it back from being replaced.
 */
export async function createGsStore({ place, bucket, prefix }: GsPlace): Promise<Product> {
  const { Storage } = await loadLibrary(
    "@google-cloud/storage",
    () => import("@google-cloud/storage"),
  );
  const emulator = findEmulator(process.env);
  const { apiEndpoint, authClient } = new Storage();
  const host = emulator ?? apiEndpoint;
  const objects = `/storage/v1/b/${encodeURIComponent(bucket)}/o`;
  const addressOf = (name: string) => `${objects}/${encodeURIComponent(`${prefix}${name}`)}`;

  /** Undefined where a condition failed, or there is nothing by that name. */
  async function ask(
    path: string,
    query: Record<string, string>,
    negative: readonly number[],
    request: RequestInit,
  ): Promise<{ response: Response | undefined; at: Date }> {
    const address = `${host}${path}?${new URLSearchParams(query)}`;
    const headers = emulator
      ? {}
      : await authClient.getRequestHeaders(address).catch(async (error: unknown) => {
          throw (await findNoKeyFile()) ?? explainLogin(error);
        });
    const response = await fetch(address, { ...request, headers });
    if (response.ok) return { response, at: readDate(response.headers.get("date")) };
    const { status } = response;
    const said = problemIn(await response.text());
    const isBucketMissing = status === 404 && (!negative.includes(404) || isAboutBucket(said));
    if (isBucketMissing) throw explainStatus(status, `there is no bucket ${bucket}: ${said}`);
    if (!negative.includes(status)) throw explainStatus(status, said);
    return { response: undefined, at: readDate(response.headers.get("date")) };
  }

  async function put(name: string, text: string, generation: string, signal: AbortSignal) {
    const { response, at } = await ask(
      `/upload${objects}`,
      { uploadType: "media", name: `${prefix}${name}`, ifGenerationMatch: generation },
      [412],
      { method: "POST", body: text, signal },
    );
    if (response === undefined) return { value: undefined, at };
    return { value: (await readAnswer(response, writtenSchema)).generation, at };
  }

  return {
    place,

    async read(name, signal) {
      const { response, at } = await ask(addressOf(name), { alt: "media" }, [404], { signal });
      if (response === undefined) return { value: undefined, at };
      const version = response.headers.get("x-goog-generation");
      if (version === null) throw new StoreFailure("refused", "its answers have no generation");
      return { value: { text: await response.text(), version }, at };
    },

    create: (name, text, signal) => put(name, text, "0", signal),

    replace: (name, version, text, signal) => put(name, text, version, signal),

    async list(begin, signal) {
      const entries: RawEntry[] = [];
      for (let pageToken: string | undefined; ; ) {
        const query = { prefix: `${prefix}${begin}`, ...(pageToken && { pageToken }) };
        const { response, at } = await ask(objects, query, [], { signal });
        const { items, nextPageToken } = await readAnswer(response, pageSchema);
        for (const { name, size } of items) {
          entries.push({ name: name.slice(prefix.length), bytes: Number(size) });
        }
        pageToken = nextPageToken;
        if (pageToken === undefined) return { value: entries, at };
      }
    },

    async erase(name, signal) {
      await ask(addressOf(name), {}, [404], { method: "DELETE", signal });
    },

    close: async () => undefined,
  };
}

const NO_KEY =
  "the file with the credentials of Google is not that of a key: set GOOGLE_APPLICATION_CREDENTIALS to one, or log in again";

/** Somebody may have set the variable to the key itself, and the library's message would repeat it. */
async function findNoKeyFile(): Promise<StoreFailure | undefined> {
  const { GOOGLE_APPLICATION_CREDENTIALS: path } = process.env;
  if (!path) return undefined;
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) {
    const reason =
      "GOOGLE_APPLICATION_CREDENTIALS is not the path of a file that can be read; set it to that of a key";
    return new StoreFailure("refused", reason);
  }
  return isObject(text) ? undefined : new StoreFailure("refused", NO_KEY);
}

function isObject(text: string): boolean {
  try {
    return z.object({}).safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}

const statusSchema = z.object({ status: z.number() });

const networkSchema = z.object({
  code: z.string().regex(/^(ECONN|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EPIPE|EHOST|ENET)/),
});

/** What is not written as a key repeats its beginning in the library's message. */
function explainLogin(error: unknown): StoreFailure {
  const said = `nobody could log in to Google: ${messageOf(error)}`;
  const causes = error instanceof Error ? [error, error.cause] : [];
  const [answer] = causes.flatMap((cause) => statusSchema.safeParse(cause).data ?? []);
  if (answer) return explainStatus(answer.status, said, error);
  // The library fails so where an answer is not that of Google, but of somebody on the way.
  const isOddAnswer = error instanceof TypeError;
  if (isOddAnswer || causes.some((cause) => networkSchema.safeParse(cause).success))
    return new StoreFailure("unanswered", said, error);
  const isNoKey = error instanceof SyntaxError || /\bJSON\b|DECODER|\bPEM\b/.test(said);
  return new StoreFailure("refused", isNoKey ? NO_KEY : messageOf(error), error);
}

/** What is something else may be from somebody on the way: then nobody knows what was done. */
async function readAnswer<Answer>(
  response: Response | undefined,
  schema: z.ZodType<Answer>,
): Promise<Answer> {
  const read = schema.safeParse(await response?.json());
  if (read.success) return read.data;
  throw explainStatus(undefined, "its answer is not one of Google Cloud Storage");
}

/** Of an object it is said by its name, in which the bucket's stands. */
function isAboutBucket(said: string): boolean {
  return /^the specified bucket/i.test(said);
}

/** What Google says in JSON, and others as plain text. */
function problemIn(said: string): string {
  try {
    return problemSchema.parse(JSON.parse(said)).error.message;
  } catch {
    return said.trim().split("\n")[0]?.slice(0, 200) || "it gave no reason";
  }
}
