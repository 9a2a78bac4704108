import type { Reaction } from "./fake-service.ts";

/** Answers with a text, whatever it is. */
export function answer(body: string, status = 200, headers: Record<string, string> = {}): Reaction {
  return (response) => response.writeHead(status, headers).end(body);
}

/** Answers with JSON. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Reaction {
  return answer(JSON.stringify(body), status, { "content-type": "application/json", ...headers });
}

/** A failure as the service documents it: status 200, a code, all else emptied. */
export function refusal(code: number, message: string): Reaction {
  return json({ success: false, error: { code, message }, proxyType: null, orderNumber: null });
}

/** Takes the request and says nothing. */
export const hang: Reaction = () => undefined;

/** Breaks the connection before any answer. */
export const reset: Reaction = (response) => {
  response.socket?.resetAndDestroy();
};

/** Promises more than it sends, and breaks off in the middle of a JSON text. */
export const truncate: Reaction = (response) => {
  response.writeHead(200, { "content-length": "500" });
  response.write('{"success":true,"orderNum', () => response.socket?.destroy());
};

/** Sends one byte at a time and never comes to an end. */
export const dribble: Reaction = (response) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write(" "), 5);
  response.on("close", () => clearInterval(timer));
};

/** An error page of a gateway, with whatever status. */
export const htmlPage = "<!DOCTYPE html><html><body>Bad gateway</body></html>";
