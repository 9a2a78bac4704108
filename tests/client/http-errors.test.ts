import { expect, test } from "vitest";
import { toHttpError } from "../../provider/client/http.ts";
import type { Client } from "../../provider/client/index.ts";
import { clientOf, failureOf, order, still } from "./client-under-test.ts";
import { inTurn, serve } from "./fake-service.ts";
import { refusal } from "./reactions.ts";

function failure(code: string, syscall?: string): Error {
  return Object.assign(new Error("trouble"), { code }, syscall === undefined ? {} : { syscall });
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
  ["reset", failure("ECONNRESET", "read"), "connection-lost"],
  ["wrapped", new Error("fetch", { cause: failure("EHOSTUNREACH", "read") }), "connection-lost"],
  ["wrapped", new Error("fetch", { cause: failure("ECONNREFUSED", "connect") }), "unreachable"],
  ["an unknown error", new Error("trouble"), "connection-lost"],
  ["a text instead of an error", "trouble", "connection-lost"],
])("tells whether a request was sent: %s", (_name, error, expected) => {
  expect(toHttpError(error, 1_000).failure).toBe(expected);
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
