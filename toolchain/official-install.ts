/**
 * A separate program: `node official-install.ts <root>` installs the CLI of the SDK's version. If it fails, its last
 * line on stderr gives the reason.
 */
import { PulumiCommand } from "@pulumi/pulumi/automation/index.js";

/** The installer itself waits two minutes. A closed network is found sooner with this limit. */
const reachTimeoutMs = 20_000;
const installScript = "https://get.pulumi.com/install.sh";

try {
  const [root] = process.argv.slice(2);
  if (root === undefined) throw new Error("usage: official-install <root>");
  await reach(installScript);
  // Without a version the installer takes the SDK's version.
  await PulumiCommand.install({ root });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function reach(url: string): Promise<void> {
  const { hostname } = new URL(url);
  const signal = AbortSignal.timeout(reachTimeoutMs);
  const response = await fetch(url, { signal }).catch((error: unknown) => {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${hostname} is out of reach: ${reason}`);
  });
  if (!response.ok) throw new Error(`${hostname} answered ${response.status}`);
}
