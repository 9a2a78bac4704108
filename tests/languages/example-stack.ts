import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, inject } from "vitest";
import type { Simulator } from "../../simulator/index.ts";
import { onThisMachine } from "../../toolchain/cache.ts";
import { ensureLanguageHost } from "../../toolchain/language-host.ts";
import { nameSdkArchive, packSdk } from "../../toolchain/package/sdk-archive.ts";
import { checkoutDir, makeProject } from "../../toolchain/project.ts";
import { readPage } from "../support/docs.ts";
import { createStack, type Stack } from "../support/stack.ts";
import { makeSdk } from "./generated-sdk.ts";

/**
 * Makes a stack of an example as its user does: npm has installed the package, and the commands of docs/languages.md
 * add the SDK. Those with `pulumi package add` need the host of an installed CLI. Elsewhere the SDK comes from an archive.
 */
export async function openExample(language: "python" | "go", simulator: Simulator): Promise<Stack> {
  const host = await ensureLanguageHost(language, inject("pulumiBinDir"), onThisMachine());
  const { version } = JSON.parse(await readFile(join(checkoutDir, "package.json"), "utf8"));
  const archive = nameSdkArchive("VERSION", language);
  const stack = await createStack({
    ...{ simulator, program: "", host: "plugin", spawned: false, pathDirs: [host.binDir] },
    env: registrySettings(),
    fill: async (folder) => {
      await makeProject(folder, {});
      await cp(join(checkoutDir, "examples", `${language}-fleet`), folder, { recursive: true });
      if (host.generates) return;
      const packed = await packSdk(await makeSdk(language));
      await writeFile(join(folder, nameSdkArchive(version, language)), packed);
    },
  });
  if (!host.generates) await expectNoSdk(stack);
  const commands = findCommands(host.generates ? "pulumi package add" : archive)
    .replace("npm install pulumi-proxyrental\n", "")
    .replaceAll("VERSION", version);
  const { exitCode, text } = await stack.shell(commands, {});
  expect(exitCode, text).toBe(0);
  if (!host.generates && language === "python") {
    // The older host does not read `virtualenv` in Pulumi.yaml.
    stack.setEnv({ PULUMI_PYTHON_CMD: join(stack.folder, "venv/bin/python") });
  }
  return stack;
}

/** An older host says what the page says of it. */
async function expectNoSdk(stack: Stack): Promise<void> {
  const said = await stack.fail("package add", "node_modules/pulumi-proxyrental/schema.json");
  expect(said).toMatch(/failed to generate SDK: .*\bGeneratePackage\b/);
}

/** The page's commands that contain this text. */
function findCommands(text: string): string {
  const found = readPage("docs/languages.md")
    .blocks("sh")
    .find((block) => block.includes(text));
  if (found === undefined) throw new Error(`docs/languages.md has no commands with ${text}`);
  return found;
}

/** How this machine reaches the registries. A command of a test has no other variables of the machine. */
function registrySettings(): Record<string, string> {
  const known = /^(PIP_\w+|GO(PROXY|SUMDB|FLAGS|CACHE|MODCACHE|PATH)|SSL_CERT_\w+)$/;
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value = ""]) =>
      known.test(name) ? [[name, value]] : [],
    ),
  );
}
