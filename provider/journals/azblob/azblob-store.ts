import type { BlobServiceClient, ContainerClient } from "@azure/storage-blob";
import { type RawEntry, StoreFailure } from "../../core/journal/raw-store.ts";
import type { Product } from "../bounded-store.ts";
import { explainStatus, readDate } from "../http-failure.ts";
import { loadLibrary } from "../optional-library.ts";
import { type AzblobPlace, addressOf, completeAzblob } from "./azblob-place.ts";

/**
 * The conditions are by ETag.
 *
 * Rights: those of the role Storage Blob Data Contributor on the container, or a SAS with `r`, `c`, `w` and `l`. `d` is for
 * tidying up alone: without it, what a probe and old previews have written stays. No rule of the account may remove what is
 * old, or hold it back from being replaced.
 */
export async function createAzblobStore(azblob: AzblobPlace): Promise<Product> {
  const { place, prefix } = azblob;
  const library = await loadLibrary("@azure/storage-blob", () => import("@azure/storage-blob"));
  const { RestError } = library;
  const container = await openContainer(azblob, library);

  /** The answer; undefined where a condition failed, or there is nothing by that name. */
  async function ask<Output extends { date?: Date }>(
    answer: Promise<Output>,
    negative: readonly string[],
  ): Promise<{ output: Output | undefined; at: Date }> {
    try {
      const output = await answer;
      return { output, at: readDate(output.date?.toUTCString()) };
    } catch (error) {
      if (!(error instanceof RestError)) throw explain(error);
      const { code = "", statusCode, response } = error;
      if (negative.includes(code)) {
        return { output: undefined, at: readDate(response?.headers.get("date")) };
      }
      // Below it stand the names of the request.
      const [said = ""] = error.message.split("\n");
      throw explainStatus(statusCode, `${code}: ${said}`, error);
    }
  }

  async function put(
    name: string,
    text: string,
    conditions: { ifMatch: string } | { ifNoneMatch: "*" },
    abortSignal: AbortSignal,
  ) {
    const blob = container.getBlockBlobClient(`${prefix}${name}`);
    const blobHTTPHeaders = { blobContentType: "text/plain; charset=utf-8" };
    const options = { conditions, abortSignal, blobHTTPHeaders };
    const { output, at } = await ask(blob.upload(text, Buffer.byteLength(text), options), [
      ...["ConditionNotMet", "BlobAlreadyExists", "BlobNotFound"],
    ]);
    return { value: output && versionIn(output.etag), at };
  }

  return {
    place,

    async read(name, abortSignal) {
      const blob = container.getBlobClient(`${prefix}${name}`);
      const download = blob.download(0, undefined, { abortSignal, maxRetryRequests: 0 });
      const { output, at } = await ask(download, ["BlobNotFound"]);
      if (output === undefined) return { value: undefined, at };
      const parts: Uint8Array[] = [];
      for await (const part of output.readableStreamBody ?? []) parts.push(Buffer.from(part));
      const text = Buffer.concat(parts).toString("utf8");
      return { value: { text, version: versionIn(output.etag) }, at };
    },

    create: (name, text, signal) => put(name, text, { ifNoneMatch: "*" }, signal),

    replace: (name, version, text, signal) => put(name, text, { ifMatch: version }, signal),

    async list(begin, abortSignal) {
      const entries: RawEntry[] = [];
      const pages = container.listBlobsFlat({ prefix: `${prefix}${begin}`, abortSignal }).byPage();
      for (;;) {
        const page = pages.next().then(({ value }) => value);
        const { output, at } = await ask(page, []);
        for (const { name, properties } of output?.segment.blobItems ?? []) {
          entries.push({ name: name.slice(prefix.length), bytes: properties.contentLength ?? 0 });
        }
        if (!output?.continuationToken) return { value: entries, at };
      }
    },

    async erase(name, abortSignal) {
      const blob = container.getBlobClient(`${prefix}${name}`);
      await ask(blob.delete({ abortSignal }), ["BlobNotFound"]);
    },

    close: async () => undefined,
  };
}

const HOW_TO_ENTER =
  "Set AZURE_STORAGE_KEY or AZURE_STORAGE_SAS_TOKEN, or log in, with `az login` for example";

/** By what Azure's own tools take: a connection string, a key, a token of limited rights, or who is logged in. */
async function openContainer(
  azblob: AzblobPlace,
  library: typeof import("@azure/storage-blob"),
): Promise<ContainerClient> {
  const { BlobServiceClient, ContainerClient, StorageSharedKeyCredential } = library;
  const { AZURE_STORAGE_KEY: key = "", AZURE_STORAGE_SAS_TOKEN: token = "" } = process.env;
  // Whether to ask again is decided in one place for all stores.
  const options = { retryOptions: { maxTries: 1 } };
  const complete = completeAzblob(azblob, process.env);
  const { connection, account } = complete;
  if (connection !== undefined) {
    const service = openService(() => BlobServiceClient.fromConnectionString(connection, options));
    // What is opened must be what is named.
    if (!account || !isAt(service.url, addressOf(complete, account))) {
      throw new StoreFailure(
        "refused",
        "the BlobEndpoint of AZURE_STORAGE_CONNECTION_STRING names no account: write it like https://ACCOUNT.HOST or https://HOST/ACCOUNT",
      );
    }
    return service.getContainerClient(azblob.container);
  }
  if (account === undefined) {
    throw new StoreFailure(
      "refused",
      "no storage account is named; add ?storage_account=NAME, or set AZURE_STORAGE_ACCOUNT or AZURE_STORAGE_CONNECTION_STRING",
    );
  }
  const address = `${addressOf(complete, account)}/${encodeURIComponent(azblob.container)}`;
  if (key !== "") {
    return new ContainerClient(address, new StorageSharedKeyCredential(account, key), options);
  }
  if (token !== "") {
    return new ContainerClient(`${address}?${token.replace(/^\?/, "")}`, undefined, options);
  }
  const { DefaultAzureCredential } = await loadLibrary(
    "@azure/identity",
    () => import("@azure/identity"),
  );
  return new ContainerClient(address, new DefaultAzureCredential(), options);
}

function openService(open: () => BlobServiceClient): BlobServiceClient {
  try {
    return open();
  } catch (error) {
    const reason = "AZURE_STORAGE_CONNECTION_STRING is not one, as Azure's own tools show it";
    throw new StoreFailure("refused", reason, error);
  }
}

/** @param url with the token that the connection string has, perhaps */
function isAt(url: string, address: string): boolean {
  const [opened, named] = [new URL(url), new URL(address)].map(
    ({ origin, pathname }) => `${origin}${pathname.replace(/\/+$/, "")}`,
  );
  return opened === named;
}

/** No answer; or no question, for want of somebody who is logged in, and then it is of no use to ask again. */
function explain(error: unknown): unknown {
  if (!(error instanceof Error) || !/Credential|Authentication/.test(error.name)) return error;
  const [said = ""] = error.message.split("\n");
  return new StoreFailure("refused", `${said} ${HOW_TO_ENTER}`, error);
}

function versionIn(etag: string | undefined): string {
  if (etag !== undefined) return etag;
  throw new StoreFailure("refused", "its answers have no ETag, so it can't tell versions apart");
}
