import type { S3ClientConfig } from "@aws-sdk/client-s3";
import { z } from "zod";
import { type RawEntry, StoreFailure } from "../../core/journal/raw-store.ts";
import type { Product } from "../bounded-store.ts";
import { explainStatus, readDate } from "../http-failure.ts";
import { loadLibrary } from "../optional-library.ts";
import { completeS3, type S3Place } from "./s3-place.ts";

const NO_LISTING = "its answer is no listing";

const responseSchema = z.object({ headers: z.record(z.string(), z.string()) });

/**
 * The conditions are those of PutObject, by ETag: not every product knows conditions on removing.
 *
 * Rights: `s3:GetObject` and `s3:PutObject` on what is below the prefix, and `s3:ListBucket` on the bucket (without it, what is not
 * there is answered with 403). `s3:DeleteObject` is for tidying up alone: without it, what a probe and old previews have
 * written stays. No rule of the bucket may remove what is old.
 */
export async function createS3Store(s3: S3Place): Promise<Product> {
  const library = await loadLibrary("@aws-sdk/client-s3", () => import("@aws-sdk/client-s3"));
  const { S3Client, S3ServiceException } = library;
  const { bucket: Bucket, prefix, place } = s3;
  const complete = completeS3(s3, process.env);
  const { region: said, endpoint, profile, pathStyle, isDualstack, isFips } = complete;
  const usual = process.env.AWS_PROFILE || "default";
  const options: S3ClientConfig = {
    ...(endpoint && { endpoint }),
    ...(profile && { profile }),
    // The library would take that of another profile, with the key of this one.
    ...(profile && profile !== usual && { ignoreConfiguredEndpointUrls: true }),
    ...(isDualstack && { useDualstackEndpoint: true }),
    ...(isFips && { useFipsEndpoint: true }),
    forcePathStyle: pathStyle,
    // A word for it in the environment that the library does not know ends the process.
    defaultsMode: "standard",
    // Whether to ask again is decided in one place for all stores.
    maxAttempts: 1,
    // Products that speak as S3 does don't all know its newer checksums.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  };
  // What speaks like Amazon S3 may have no regions, and a signature names one all the same.
  const findRegion = () => new S3Client(options).config.region().catch(() => "us-east-1");
  const region = said ?? (s3.endpoint && (await findRegion()));
  const client = new S3Client({ ...options, ...(region && { region }) });
  const dates = new WeakMap<object, string>();
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      if (result.output) dates.set(result.output, dateIn(result.response));
      return result;
    },
    { step: "deserialize", priority: "high" },
  );

  /** The answer; undefined where a condition failed, or there is nothing by that name. */
  async function ask<Output extends object>(
    answer: Promise<Output>,
    negative: readonly string[],
  ): Promise<{ output: Output | undefined; at: Date }> {
    try {
      const output = await answer;
      return { output, at: readDate(dates.get(output)) };
    } catch (error) {
      if (!(error instanceof S3ServiceException)) throw explain(error, profile);
      const { name, message, $metadata, $response } = error;
      if (negative.includes(name)) return { output: undefined, at: readDate(dateIn($response)) };
      const said = `${name}: ${message}`;
      // From this answer the library has learned the store's time, and signs the next request by it.
      if (name === "RequestTimeTooSkewed") throw new StoreFailure("busy", said, error);
      throw explainStatus($metadata.httpStatusCode, said, error);
    }
  }

  async function put(
    name: string,
    text: string,
    condition: { IfMatch: string } | { IfNoneMatch: "*" },
    abortSignal: AbortSignal,
  ) {
    const command = new library.PutObjectCommand({
      ...{ Bucket, Key: `${prefix}${name}`, Body: text, ...condition },
      ContentType: "text/plain; charset=utf-8",
    });
    // A bucket says NoSuchKey to a condition on what is gone, and some products PreconditionFailed.
    const negative = ["PreconditionFailed", "NoSuchKey"];
    const { output, at } = await ask(client.send(command, { abortSignal }), negative);
    return { value: output && versionIn(output.ETag), at };
  }

  return {
    place,

    async read(name, abortSignal) {
      const command = new library.GetObjectCommand({ Bucket, Key: `${prefix}${name}` });
      const { output, at } = await ask(client.send(command, { abortSignal }), ["NoSuchKey"]);
      if (output === undefined) return { value: undefined, at };
      const text = (await output.Body?.transformToString("utf-8")) ?? "";
      return { value: { text, version: versionIn(output.ETag) }, at };
    },

    create: (name, text, signal) => put(name, text, { IfNoneMatch: "*" }, signal),

    replace: (name, version, text, signal) => put(name, text, { IfMatch: version }, signal),

    async list(begin, abortSignal) {
      const entries: RawEntry[] = [];
      for (let ContinuationToken: string | undefined; ; ) {
        const command = new library.ListObjectsV2Command({
          ...{ Bucket, Prefix: `${prefix}${begin}` },
          ...(ContinuationToken && { ContinuationToken }),
        });
        const { output, at } = await ask(client.send(command, { abortSignal }), []);
        const { Contents = [], IsTruncated, NextContinuationToken } = output ?? {};
        for (const { Key = "", Size = 0 } of Contents) {
          entries.push({ name: Key.slice(prefix.length), bytes: Size });
        }
        if (IsTruncated === false) return { value: entries, at };
        // The library reads any page as a listing, and an empty one would hide what was bought.
        if (NextContinuationToken === undefined) throw explainStatus(undefined, NO_LISTING);
        ContinuationToken = NextContinuationToken;
      }
    },

    async erase(name, abortSignal) {
      const command = new library.DeleteObjectCommand({ Bucket, Key: `${prefix}${name}` });
      await ask(client.send(command, { abortSignal }), ["NoSuchKey"]);
    },

    close: async () => client.destroy(),
  };
}

function dateIn(response: unknown): string {
  const read = responseSchema.safeParse(response);
  return (read.success && read.data.headers.date) || "";
}

function versionIn(etag: string | undefined): string {
  if (etag !== undefined) return etag;
  throw new StoreFailure("refused", "its answers have no ETag, so it can't tell versions apart");
}

/** No answer; or no question, for want of a key or a region, and then it is of no use to ask again. */
function explain(error: unknown, profile: string | undefined): unknown {
  if (!(error instanceof Error)) return error;
  if (error.message.startsWith("Region ")) {
    return new StoreFailure(
      "refused",
      `${error.message}: add ?region=REGION, or set AWS_REGION`,
      error,
    );
  }
  if (!error.name.endsWith("ProviderError")) return error;
  const hint = profile
    ? `the profile ${profile} of the journal's URL gives none; correct it in the AWS configuration files`
    : process.env.AWS_PROFILE
      ? "the profile of AWS_PROFILE gives none; correct it in the AWS configuration files"
      : "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE";
  return new StoreFailure("refused", `${error.message}: ${hint}`, error);
}
