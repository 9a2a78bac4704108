import { expect, test } from "vitest";
import { parseEngineAddress } from "../../../provider/host/run/engine-address.ts";

test.each([
  ["127.0.0.1:45873", { host: "127.0.0.1", port: 45873, text: "127.0.0.1:45873" }],
  // gRPC writes the address in this form.
  ["dns:127.0.0.1:45873", { host: "127.0.0.1", port: 45873, text: "127.0.0.1:45873" }],
  ["dns:///localhost:80", { host: "localhost", port: 80, text: "localhost:80" }],
  ["[::1]:4000", { host: "::1", port: 4000, text: "[::1]:4000" }],
])("%s is an engine's address", (given, address) => {
  expect(parseEngineAddress(given)).toEqual(address);
});

test.each([undefined, "", "run", "./index.ts", "--reporter=dot", "host:", "mock", "a/b:80"])(
  "%j is no engine's address",
  (given) => {
    expect(parseEngineAddress(given)).toBeUndefined();
  },
);
