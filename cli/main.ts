#!/usr/bin/env node
import { runCommandLine } from "./program.ts";
import { createTerminal } from "./terminal.ts";

const exitCode = await runCommandLine(process.argv.slice(2), createTerminal(process));
// What has failed may have left connections open.
if (exitCode !== undefined) process.exit(exitCode);
