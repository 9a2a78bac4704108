import { expect, test } from "vitest";
import { toHttpError } from "../../provider/client/http.ts";

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
  ["reset", failure("ECONNRESET", "read"), "connection-lost"],
  ["wrapped", new Error("fetch", { cause: failure("EHOSTUNREACH", "read") }), "connection-lost"],
  ["wrapped", new Error("fetch", { cause: failure("ECONNREFUSED", "connect") }), "unreachable"],
  ["an unknown error", new Error("trouble"), "connection-lost"],
  ["a text instead of an error", "trouble", "connection-lost"],
])("tells whether a request was sent: %s", (_name, error, expected) => {
  expect(toHttpError(error, 1_000).failure).toBe(expected);
});
