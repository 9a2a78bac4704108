import { expect, test } from "vitest";
import { isAtLeast, minimumCli, minimumGo, showVersion } from "../../toolchain/version.ts";

test.each([
  { text: "v3.220.0", minimum: minimumCli, enough: true },
  { text: "3.220.0\n", minimum: minimumCli, enough: true },
  { text: "v3.220.1", minimum: minimumCli, enough: true },
  { text: "v4.0.0", minimum: minimumCli, enough: true },
  { text: "v3.219.9", minimum: minimumCli, enough: false },
  { text: "v3.99.0", minimum: minimumCli, enough: false },
  { text: "v2.300.0", minimum: minimumCli, enough: false },
  { text: "v3.220.0-alpha.1", minimum: minimumCli, enough: false },
  { text: "v3.221.0-alpha.1", minimum: minimumCli, enough: true },
  { text: "warning: something\nv3.250.0", minimum: minimumCli, enough: true },
  { text: "", minimum: minimumCli, enough: false },
  { text: "no such command", minimum: minimumCli, enough: false },
  { text: "go1.26", minimum: minimumGo, enough: true },
  { text: "go1.26.8", minimum: minimumGo, enough: true },
  { text: "go1.27rc1", minimum: minimumGo, enough: true },
  { text: "go1.26rc1", minimum: minimumGo, enough: false },
  { text: "go1.25.9", minimum: minimumGo, enough: false },
  { text: "devel go1.27-0f1e2d", minimum: minimumGo, enough: true },
])("'$text' is at least $minimum: $enough", ({ text, minimum, enough }) => {
  expect(isAtLeast(text, minimum)).toBe(enough);
});

test("prints a version without decoration, and unknown text unchanged", () => {
  expect(showVersion("v3.220.0\n")).toBe("3.220.0");
  expect(showVersion("go1.26")).toBe("1.26.0");
  expect(showVersion(" strange\n")).toBe("strange");
});
