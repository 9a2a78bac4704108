#!/usr/bin/env node
import { isProxyRentalError } from "../../core/errors.ts";
import { assertSupportedNode } from "../node-version.ts";
import { finishCalls } from "../run/lifetime.ts";
import { openEngineLog } from "./engine-log.ts";
import { whenEngineEnds } from "./lifetime.ts";
import { createPluginProvider } from "./plugin-provider.ts";
import { servePlugin } from "./server.ts";

/** The process that the engine starts: its first line of output is the port that it answers on. */
async function main([engineAddress = ""]: readonly string[]): Promise<void> {
  assertSupportedNode(process.versions.node);
  const log = openEngineLog();
  log.connect(engineAddress);
  const cancellation = new AbortController();
  const provider = createPluginProvider({
    engineAddress,
    environment: process.env,
    log,
    cancellation,
  });
  const server = await servePlugin(provider, log);
  whenEngineEnds(process, async (how) => {
    await finishCalls(how, server, cancellation);
    log.close();
    process.exit(0);
  });
  process.stdout.write(`${server.port}\n`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const isExplained = isProxyRentalError(error);
  process.stderr.write(`${isExplained ? error.message : String((error as Error).stack)}\n`);
  process.exitCode = 1;
});
