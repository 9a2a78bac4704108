#!/usr/bin/env node
import { isProxyRentalError } from "../../core/values/errors.ts";
import { machineTime } from "../../journals/machine-time.ts";
import { assertSupportedNode } from "../node-version.ts";
import { findCliCommand } from "../run/cli-command.ts";
import { parseEngineAddress } from "../run/engine-address.ts";
import { openEngineLog, waitsForUs } from "../run/engine-log.ts";
import { awaitEngineGone, isPipe } from "../run/engine-watch.ts";
import { type Ending, finishCalls } from "../run/lifetime.ts";
import { whenEngineEnds } from "./lifetime.ts";
import { createPluginProvider, type PluginParts, type PluginProvider } from "./plugin-provider.ts";
import { refuseAll } from "./refusing-provider.ts";
import { createPluginServer, listenOnFreePort } from "./server.ts";

/**
 * What this Node.js can serve. A plugin that ended at once would be called a bug of the provider, at length, above its own
 * words. So one that can't work says so itself, where wrong settings are told.
 */
function servedBy(nodeVersion: string, parts: PluginParts): PluginProvider {
  const provider = createPluginProvider(parts);
  try {
    assertSupportedNode(nodeVersion);
    return provider;
  } catch (error) {
    return refuseAll(provider, error);
  }
}

/** The process that the engine starts. Its first line of output is the port on which it answers. */
async function main([engineAddress = ""]: readonly string[]): Promise<void> {
  const log = openEngineLog({ endsLast: waitsForUs(engineAddress) });
  log.connect(engineAddress);
  const cancellation = new AbortController();
  const provider = servedBy(process.versions.node, {
    engineAddress,
    environment: process.env,
    // The engine starts a plugin in the folder of the program, even if the CLI was called elsewhere.
    project: process.cwd(),
    clock: machineTime,
    findCommand: findCliCommand,
    log,
    cancellation,
  });
  const plugin = createPluginServer(provider, log);
  const port = await listenOnFreePort(plugin.server);
  const end = async (how: Ending) => {
    await finishCalls(how, plugin, cancellation, provider);
    log.close();
    process.exit(0);
  };
  const engine = parseEngineAddress(engineAddress);
  const isHeld = engine === undefined || isPipe(process.stdin.fd);
  whenEngineEnds(process, end, isHeld ? undefined : () => awaitEngineGone(engine));
  process.stdout.write(`${port}\n`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const isExplained = isProxyRentalError(error);
  process.stderr.write(`${isExplained ? error.message : String((error as Error).stack)}\n`);
  process.exitCode = 1;
});
