import { delimiter } from "node:path";
import { expect, test } from "vitest";
import { pulumiEnvironment } from "../../toolchain/environment.ts";

const folders = { binDir: "/cli/bin", home: "/tmp/home", backendDir: "/tmp/with space" };

test("a stack is on disk and needs no account", () => {
  expect(pulumiEnvironment({ ...folders, callerEnv: {} })).toMatchObject({
    PULUMI_HOME: "/tmp/home",
    PULUMI_BACKEND_URL: "file:///tmp/with%20space",
    PULUMI_CONFIG_PASSPHRASE: "passphrase",
    PULUMI_SKIP_UPDATE_CHECK: "true",
  });
});

test("searches the CLI, then plugins, then this project's Node.js, then the machine", () => {
  const { PATH } = pulumiEnvironment({
    ...folders,
    pathDirs: ["/plugins"],
    callerEnv: { PATH: ["/usr/bin", "/bin"].join(delimiter) },
  });
  expect(PATH?.split(delimiter)).toEqual([
    "/cli/bin",
    "/plugins",
    expect.stringMatching(/node_modules.\.bin$/),
    "/usr/bin",
    "/bin",
  ]);
});

test.each([
  "PULUMI_ACCESS_TOKEN",
  "PULUMI_CREDENTIALS_PATH",
  "PULUMI_STACK",
  "PROXYRENTAL_API_KEY",
  "HTTPS_PROXY",
  "http_proxy",
  "NODE_OPTIONS",
  "AWS_SECRET_ACCESS_KEY",
])("hides the caller's %s", (name) => {
  expect(pulumiEnvironment({ ...folders, callerEnv: { [name]: "caller" } })).not.toHaveProperty(
    name,
  );
});

test("passes on the machine's folders, and given variables win", () => {
  const env = pulumiEnvironment({
    ...folders,
    callerEnv: { HOME: "/home/a", TMPDIR: "/scratch", PROXYRENTAL_API_KEY: "real" },
    extra: { PROXYRENTAL_API_KEY: "simulated", HOME: "/tmp/elsewhere" },
  });
  expect(env).toMatchObject({
    HOME: "/tmp/elsewhere",
    TMPDIR: "/scratch",
    PROXYRENTAL_API_KEY: "simulated",
  });
});
