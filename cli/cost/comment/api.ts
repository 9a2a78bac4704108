import type { Dispatcher } from "undici";
import { z } from "zod";
import { CliError } from "../../failure.ts";
import { parseJson } from "../../given-file.ts";
import { makePrintable } from "../../table.ts";

/** How to reach an API. */
export interface ApiOptions {
  /** What it is called in messages. */
  name: string;
  root: URL;
  headers: Readonly<Record<string, string>>;
  /** Appears in no message, whatever the API answers. */
  token: string;
  /** What to do about a status, for the end of a message. */
  advise(status: number): string;
}

/** One call of an API. */
interface Call {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Relative to the root; empty for the root itself. */
  url: string;
  body?: unknown;
  /** What the call does, for messages: "list the comments". */
  what: string;
}

/** An answer whose form is known. */
interface Reply<Body> {
  body: Body;
  /** The query of the next page. */
  next: string | undefined;
}

/** The calls of an API. Whatever fails is one sentence, without the token. */
export interface Api {
  call<Schema extends z.ZodType>(call: Call, schema: Schema): Promise<Reply<z.infer<Schema>>>;
  /** Reads all pages of a list. */
  readPages<Schema extends z.ZodType>(
    call: Pick<Call, "url" | "what">,
    schema: Schema,
    onPage: (page: number) => void,
  ): Promise<z.infer<Schema>[]>;
  close(): Promise<void>;
}

const TIMEOUT_MS = 60_000;

/** A page of 100 comments is smaller by far. A server that sends more without end is cut off. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

const problemSchema = z.object({ message: z.unknown().optional(), error: z.unknown().optional() });

/** Opens an API. A call that may be repeated is tried three times; a comment is never posted twice. */
export async function openApi(options: ApiOptions): Promise<Api> {
  const { EnvHttpProxyAgent, RetryAgent, request } = await import("undici");
  const dispatcher = new RetryAgent(new EnvHttpProxyAgent({ maxResponseSize: MAX_ANSWER_BYTES }), {
    ...{ maxRetries: 2, throwOnError: false },
    methods: ["GET", "PUT", "PATCH", "DELETE"],
  });
  const { root, headers } = options;

  const send = async ({ method, url, body, what }: Call): Promise<Answer> => {
    try {
      const answer = await request(resolveUrl(root, url), {
        ...{ method, dispatcher, signal: AbortSignal.timeout(TIMEOUT_MS) },
        headers: {
          ...headers,
          "user-agent": "pulumi-proxyrental",
          "content-type": "application/json",
        },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const { statusCode: status, headers: answered } = answer;
      return { status, text: await answer.body.text(), next: findNext(answered) };
    } catch (error) {
      throw new CliError(explainLoss(options, what, method, error));
    }
  };

  const call: Api["call"] = async (asked, schema) => {
    const { status, text, next } = await send(asked);
    // What is gone is deleted.
    const isGone = asked.method === "DELETE" && status === 404;
    if (!isGone && (status < 200 || status > 299)) {
      throw new CliError(explainRefusal(options, asked.what, status, text));
    }
    const body = schema.safeParse(parseJson(text));
    if (body.success) return { body: body.data, next };
    throw new CliError(
      `${options.name} was asked to ${asked.what} and gave an answer of an unknown form: check the URL of the API (${root.origin}${root.pathname})`,
    );
  };

  return {
    call,
    async readPages({ url, what }, schema, onPage) {
      const items: z.infer<typeof schema>[] = [];
      const seen = new Set<string>();
      let next: string | undefined = url;
      while (next !== undefined && !seen.has(next)) {
        seen.add(next);
        onPage(seen.size);
        const page: Reply<z.infer<typeof schema>[]> = await call(
          { method: "GET", url: next, what },
          z.array(schema),
        );
        items.push(...page.body);
        next = page.next && `${url.split("?")[0]}${page.next}`;
      }
      return items;
    },
    close: () => dispatcher.close(),
  };
}

/** An answer as it came. */
interface Answer {
  status: number;
  text: string;
  next: string | undefined;
}

function resolveUrl(root: URL, url: string): URL {
  return url === "" ? root : new URL(`${root.href.replace(/\/+$/, "")}/${url}`);
}

/**
 * Both services name the next page in this header. Only its query counts: behind a proxy a server may not know its own
 * address, and the token must not go to another one.
 */
function findNext(headers: Dispatcher.ResponseData["headers"]): string | undefined {
  const links = [headers.link ?? []].flat().join(",");
  const [, next] = /<([^>]+)>\s*;[^,]*\brel="?next"?/.exec(links) ?? [];
  return next !== undefined && URL.canParse(next) ? new URL(next).search : undefined;
}

function explainRefusal(options: ApiOptions, what: string, status: number, text: string): string {
  const problem = problemSchema.safeParse(parseJson(text)).data;
  const told = problem?.message ?? problem?.error;
  const reason = typeof told === "string" ? `: ${quoteReason(told, options.token)}` : "";
  const advice = options.advise(status);
  return `${options.name} refused to ${what} (${status}${reason})${advice === "" ? "" : `; ${advice}`}`;
}

function quoteReason(text: string, token: string): string {
  return makePrintable(text.replaceAll(token, "[token]")).slice(0, 200);
}

function explainLoss(
  { name, root }: ApiOptions,
  what: string,
  method: Call["method"],
  error: unknown,
): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  const isLate = error instanceof Error && error.name === "TimeoutError";
  const reason = isLate ? `no answer within ${TIMEOUT_MS / 1000} s` : (code ?? "connection lost");
  const doubt = method === "POST" ? " What was asked may have been done all the same." : "";
  return `${name} could not be asked to ${what} (${root.origin}: ${reason}); check the URL of the API and run again.${doubt}`;
}
