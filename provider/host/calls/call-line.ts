import { type ObservedCall, redactKey } from "../../client/index.ts";

/** How a call is written down. */
export interface CallForm {
  apiKey: string;
  /** Whether bodies are written too. */
  bodies: boolean;
}

/** Where and when it was made. */
export interface CallPlace {
  processId: number;
  /** When it was over, by this machine's clock. */
  time: Date;
}

/** In place of each login and password. */
const REDACTED_LOGIN = "<LOGIN>";

/** A text that is no JSON is cut here: an error page says in its first lines whose it is. */
const MOST_TEXT = 2_000;

/** The fields whose texts are left out, and the words after which a text that is no JSON may hold one. */
const SECRET_NAME = /login|passw|pwd|user|secret|token|credential|authinfo|api_?key/i;

/** A call as one line, with its end. */
export function writeCallLine(call: ObservedCall, form: CallForm, place: CallPlace): string {
  const { endpoint, attempt, ms, httpStatus, answeredAt, result } = call;
  const line = {
    time: place.time.toISOString(),
    process: place.processId,
    ...{ endpoint, attempt, ms, httpStatus },
    ...describeResult(call),
    serviceTime: answeredAt?.toISOString(),
    message: result.outcome === "ok" ? undefined : result.message,
    ...(form.bodies && {
      request: withoutSecrets(call.request),
      answer: call.answer === undefined ? undefined : readAnswer(call.answer),
    }),
  };
  // Last of all, so that the key is in no field, whatever the service repeats. In JSON it may be written otherwise.
  const inJson = JSON.stringify(form.apiKey).slice(1, -1);
  return `${redactKey(redactKey(JSON.stringify(line), form.apiKey), inJson)}\n`;
}

function describeResult({ result }: ObservedCall) {
  if (result.outcome === "ok") return { outcome: result.outcome };
  const { outcome, code, serviceCode } = result;
  return { outcome, code, serviceCode };
}

/** An answer as JSON, or as far as its text can be shown. */
function readAnswer(text: string): unknown {
  try {
    return withoutSecrets(JSON.parse(text));
  } catch {
    // It may be a listing that was cut off: a login stands behind its name.
    if (SECRET_NAME.test(text)) {
      return `left out: ${text.length} characters, no JSON, and they may hold a login`;
    }
    return text.length <= MOST_TEXT ? text : `${text.slice(0, MOST_TEXT)}…`;
  }
}

/** A body without the texts of its secret fields. */
function withoutSecrets(body: unknown, isSecret = false): unknown {
  if (Array.isArray(body)) return body.map((item) => withoutSecrets(item, isSecret));
  if (typeof body === "object" && body !== null) {
    return Object.fromEntries(
      Object.entries(body).map(([name, value]) => [
        name,
        withoutSecrets(value, isSecret || SECRET_NAME.test(name)),
      ]),
    );
  }
  const isTold = body === null || body === undefined || body === "";
  return isSecret && !isTold ? REDACTED_LOGIN : body;
}
