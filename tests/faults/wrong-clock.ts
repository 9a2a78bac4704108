import { once } from "node:events";
import { createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/**
 * Starts a relay in front of a service. It sets the `Date` header of the answers about the listing.
 * @param tell gives the date to show instead of the service's own; undefined for no header
 * @returns the address to call instead
 */
export async function openWrongClock(
  baseUrl: string,
  tell: (told: Date) => Date | undefined,
): Promise<string> {
  const target = new URL(baseUrl);
  const server = createServer((request, response) => {
    const { method, headers, url = "" } = request;
    const onward = forward(
      { host: target.hostname, port: target.port, path: url, method, headers },
      (answer) => {
        const own = new Date(answer.headers.date ?? "");
        const told = url.includes("/ipAddress") ? tell(own) : own;
        response.sendDate = false;
        const { date: _date, ...rest } = answer.headers;
        const said = told === undefined ? {} : { date: told.toUTCString() };
        response.writeHead(answer.statusCode ?? 500, { ...rest, ...said });
        answer.pipe(response);
      },
    );
    request.pipe(onward);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
