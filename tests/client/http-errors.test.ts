import type { AddressInfo } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { HttpError, toHttpError } from "../../provider/client/http.ts";
import type { Client } from "../../provider/client/index.ts";
import { clientOf, failureOf, order, still } from "./client-under-test.ts";
import { inTurn, serve } from "./fake-service.ts";
import { refusal, reset } from "./reactions.ts";

function failure(code: string, syscall?: string): Error {
  return Object.assign(new Error("trouble"), { code }, syscall === undefined ? {} : { syscall });
}

/** A server that speaks TLS only, and stops with the test. Returns its host and port. */
async function serveTls(): Promise<string> {
  const server = createTlsServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return `127.0.0.1:${port}`;
}

test.each([
  ["nobody listens", failure("ECONNREFUSED", "connect"), "unreachable"],
  ["no such host", failure("ENOTFOUND", "getaddrinfo"), "unreachable"],
  ["no route", failure("EHOSTUNREACH", "connect"), "unreachable"],
  ["the route is lost", failure("EHOSTUNREACH", "read"), "connection-lost"],
  ["the network went away", failure("ENETUNREACH", "write"), "connection-lost"],
  ["the connection took too long", failure("UND_ERR_CONNECT_TIMEOUT"), "unreachable"],
  ["the answer took too long", failure("UND_ERR_HEADERS_TIMEOUT"), "timeout"],
  ["the deadline passed", new DOMException("over", "TimeoutError"), "timeout"],
  ["an https URL of an http port", failure("ERR_SSL_WRONG_VERSION_NUMBER"), "no-tls"],
  ["an https URL of another port", failure("ERR_SSL_PACKET_LENGTH_TOO_LONG"), "no-tls"],
  ["a certificate of nobody known", failure("DEPTH_ZERO_SELF_SIGNED_CERT"), "untrusted"],
  ["reset", failure("ECONNRESET", "read"), "connection-lost"],
  ["wrapped", new Error("fetch", { cause: failure("EHOSTUNREACH", "read") }), "connection-lost"],
  ["wrapped", new Error("fetch", { cause: failure("ECONNREFUSED", "connect") }), "unreachable"],
  ["an unknown error", new Error("trouble"), "connection-lost"],
  ["a text instead of an error", "trouble", "connection-lost"],
])("tells whether a request was sent: %s", (_name, error, expected) => {
  expect(toHttpError(error).failure).toBe(expected);
});

test("an http URL of an https port: the URL to type is told, until somebody has answered", async () => {
  const place = await serveTls();
  const error = await failureOf(clientOf(`http://${place}`, { chance: still() }).getBalance());
  expect(error.code).toBe("SERVICE_CONNECTION_LOST");
  expect(error.message).toContain(`; if it expects TLS, its URL is https://${place}`);

  const { baseUrl } = await serve(inTurn(refusal(2, "Error api key"), reset));
  const client = clientOf(baseUrl, { chance: still() });
  await failureOf(client.createOrder(order));
  expect((await failureOf(client.createOrder(order))).message).not.toContain("TLS");
});

test("a certificate that is not trusted is said to be that", async () => {
  const http = {
    send: () => Promise.reject(new HttpError("untrusted", "DEPTH_ZERO_SELF_SIGNED_CERT")),
    close: async () => undefined,
  };
  const client = clientOf("https://a.example", { http, chance: still() });
  const error = await failureOf(client.createOrder(order));
  expect(error).toMatchObject({ code: "SERVICE_UNREACHABLE", outcome: "rejected" });
  expect(error.message).toBe(
    "the certificate of https://a.example is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT); if it is your own, NODE_EXTRA_CA_CERTS names a file with its authority",
  );
});

test.each([
  ["a read", (client: Client) => client.getBalance()],
  ["an order", (client: Client) => client.createOrder(order)],
])(
  "%s at an https URL of an http port is not sent, and the URL to type is told",
  async (_what, call) => {
    const { baseUrl, seen } = await serve(inTurn(refusal(2, "Error api key")));
    const client = clientOf(baseUrl.replace("http:", "https:"), { chance: still() });
    const error = await failureOf(call(client));
    expect(error).toMatchObject({ code: "SERVICE_UNREACHABLE", outcome: "rejected" });
    expect(error.message).toMatch(
      new RegExp(
        `does not speak TLS \\(ERR_SSL_\\w+\\); if that is the service, its URL is ${baseUrl}$`,
      ),
    );
    expect(seen).toEqual([]);
  },
);
