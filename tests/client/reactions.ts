import type { Reaction } from "./fake-service.ts";

/** Answers with any text. */
export function answer(body: string, status = 200, headers: Record<string, string> = {}): Reaction {
  return (response) => response.writeHead(status, headers).end(body);
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Reaction {
  return answer(JSON.stringify(body), status, { "content-type": "application/json", ...headers });
}

/** Answers with a failure in the documented form: status 200, a code, and all other fields emptied. */
export function refusal(code: number, message: string): Reaction {
  return json({ success: false, error: { code, message }, proxyType: null, orderNumber: null });
}

/** Takes the request and does not answer. */
export const hang: Reaction = () => undefined;

/** Breaks the connection before the answer. */
export const reset: Reaction = (response) => {
  response.socket?.resetAndDestroy();
};

/** Announces more than it sends, and breaks off in the middle of a JSON text. */
export const truncate: Reaction = (response) => {
  response.writeHead(200, { "content-length": "500" });
  response.write('{"success":true,"orderNum', () => response.socket?.destroy());
};

/** Sends one byte at a time and never ends. */
export const dribble: Reaction = (response) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write(" "), 5);
  response.on("close", () => clearInterval(timer));
};

/** An error page of a gateway. It can come with any status. */
export const htmlPage = "<!DOCTYPE html><html><body>Bad gateway</body></html>";
