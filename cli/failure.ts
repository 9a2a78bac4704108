import { isServiceError, type ServiceErrorCode } from "../provider/client/index.ts";
import { JournalError } from "../provider/core/ports.ts";
import { mayBlame, RECORD_CALLS } from "../provider/core/values/errors.ts";
import { messageOf } from "../provider/core/values/message-of.ts";

/** Something that a person must know or correct, in one sentence. */
export class CliError extends Error {
  override readonly name = "CliError";
}

const CHECK_URL =
  "check PROXYRENTAL_BASE_URL or --base-url, and run again when the service is well";

const whatToDo: Record<ServiceErrorCode, string> = {
  API_KEY_REJECTED: "set PROXYRENTAL_API_KEY to the key of your account",
  SERVICE_REFUSED: "run again when the service is well",
  SERVICE_UNREACHABLE: CHECK_URL,
  SERVICE_CONNECTION_LOST: CHECK_URL,
  SERVICE_TIMEOUT: "run again when the service is well, or raise PROXYRENTAL_TIMEOUT_SECONDS",
  SERVICE_HTTP_STATUS: CHECK_URL,
  SERVICE_ANSWER_UNREADABLE: CHECK_URL,
};

/** Any failure as a sentence. Stack traces help nobody here. */
export function explainFailure(error: unknown): string {
  if (isServiceError(error)) {
    const sentence = `${error.message}; ${whatToDo[error.code]}`;
    return mayBlame(error.code) ? `${sentence}. ${RECORD_CALLS}` : sentence;
  }
  if (error instanceof JournalError && error.reason === "conflict") {
    return `${error.message}; look at it again with \`npx pulumi-proxyrental journal list\``;
  }
  return messageOf(error);
}
