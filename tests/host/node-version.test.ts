import { expect, test } from "vitest";
import { assertSupportedNode } from "../../provider/host/node-version.ts";

test.each(["22.12.0", "22.13.1", "24.0.0", "26.1.0"])("Node.js %s is accepted", (version) => {
  expect(() => assertSupportedNode(version)).not.toThrow();
});

test.each(["18.20.0", "20.19.4", "22.11.9", "21.99.0"])(
  "Node.js %s is too old, and the message says so",
  (version) => {
    expect(() => assertSupportedNode(version)).toThrow(
      `CONFIGURATION_INVALID: pulumi-proxyrental needs Node.js 22.12 or newer, and this is ${version}`,
    );
  },
);
