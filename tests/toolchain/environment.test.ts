import { delimiter } from "node:path";
import { expect, test } from "vitest";
import { pulumiEnvironment } from "../../toolchain/environment.ts";

const folders = { binDir: "/cli/bin", home: "/tmp/home", backendDir: "/tmp/with space" };

test("gives a stack on disk that needs no account", () => {
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
])("does not let the caller's %s through", (name) => {
  expect(pulumiEnvironment({ ...folders, callerEnv: { [name]: "caller" } })).not.toHaveProperty(
    name,
  );
});

test("lets the machine's folders through and given variables win", () => {
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
