import type { z } from "zod";
import { type Outcome, ServiceError, type ServiceErrorCode } from "./errors.ts";
import type { HttpAnswer } from "./http.ts";
import { envelope } from "./schema/wire.ts";

/** The service's error code for a key that it does not know (source: "Errors"). */
const API_KEY_CODE = 2;

/** Which call an answer belongs to. */
export interface Call {
  endpoint: string;
  /** What an answer that says nothing readable means for the money. */
  outcomeIfUnreadable: Outcome;
}

/**
 * Parses an answer into what the endpoint promises, or throws. The HTTP status is 200 for failures too (source:
 * "General conventions", 4), so the body decides.
 */
export function openEnvelope(call: Call, answer: HttpAnswer, schema: z.ZodType): unknown {
  if (answer.status !== 200) throw notOk(call, answer);
  const body = parseJson(answer.body);
  const opened = envelope.safeParse(body);
  if (!opened.success) throw unreadable(call, describeBody(answer.body));
  const { success, error } = opened.data;
  if (!success) throw refused(call, opened.data);
  // A success that names an error contradicts itself. To believe either half may cost money.
  if (error) throw unreadable(call, `success is true, yet the error is ${error.code}`);
  const read = schema.safeParse(body);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw unreadable(call, `${issue?.path.join(".") || "answer"}: ${issue?.message}`);
  }
  return read.data;
}

function refused(call: Call, body: z.output<typeof envelope>): ServiceError {
  const { endpoint } = call;
  const { balance } = body;
  const contradiction = findContradiction(call, body);
  if (contradiction !== undefined) return unreadable(call, `success is false, ${contradiction}`);
  if (body.error?.code === API_KEY_CODE) {
    return new ServiceError({
      code: "API_KEY_REJECTED",
      outcome: "rejected",
      endpoint,
      balance,
      serviceCode: API_KEY_CODE,
      message: `the service rejected the API key (code ${API_KEY_CODE}, "${body.error.message}")`,
    });
  }
  const said = body.error
    ? `code ${body.error.code}, "${body.error.message}"`
    : "no reason was given";
  return new ServiceError({
    code: "SERVICE_REFUSED",
    outcome: "rejected",
    endpoint,
    balance,
    serviceCode: body.error?.code,
    message: `the service refused ${endpoint} (${said})`,
  });
}

/**
 * Why a failure is not the rejection that the document describes. A rejection names its error and echoes nothing
 * (source: endpoint 8, rule 2, and "Errors", 3). A field that is absent contradicts nothing. For a call that may be
 * repeated less is enough, because no money depends on it.
 */
function findContradiction(
  { outcomeIfUnreadable }: Call,
  body: z.output<typeof envelope>,
): string | undefined {
  // An order number beside `success: false` may be the number of a paid order.
  const { orderNumber = null, proxyType = null, ipAddressIds = null, error } = body;
  if (!isEmptied(orderNumber)) return `yet the order number is ${orderNumber}`;
  if (outcomeIfUnreadable === "rejected") return undefined;
  if (!error) return "yet no error is named";
  if (!isEmptied(proxyType)) return `yet the proxy type is ${proxyType}`;
  return isEmptied(ipAddressIds) ? undefined : "yet proxies are named";
}

function isEmptied(echo: unknown): boolean {
  return echo === null || echo === "" || (Array.isArray(echo) && echo.length === 0);
}

function notOk({ endpoint, outcomeIfUnreadable }: Call, answer: HttpAnswer): ServiceError {
  const code: ServiceErrorCode = "SERVICE_HTTP_STATUS";
  return new ServiceError({
    code,
    outcome: outcomeIfUnreadable,
    endpoint,
    httpStatus: answer.status,
    retryAfterMs: answer.retryAfterMs,
    message: `the service answered ${endpoint} with HTTP status ${answer.status} instead of 200`,
  });
}

function unreadable({ endpoint, outcomeIfUnreadable }: Call, why: string): ServiceError {
  return new ServiceError({
    code: "SERVICE_ANSWER_UNREADABLE",
    outcome: outcomeIfUnreadable,
    endpoint,
    message: `the service's answer to ${endpoint} can't be read: ${why}`,
  });
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function describeBody(body: string): string {
  if (body.trim() === "") return "it is empty";
  if (/^\s*<(!doctype|html)/i.test(body)) return "it is an HTML page; is the base URL right?";
  return "it is not the documented JSON";
}
