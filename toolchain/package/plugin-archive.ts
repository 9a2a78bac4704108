import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkoutDir } from "../project.ts";
import { type ArchivedFile, makeArchive } from "./archive.ts";

/** The systems that Pulumi's CLI runs on, by its names for them. */
export const platforms = [
  "darwin-amd64",
  "darwin-arm64",
  "linux-amd64",
  "linux-arm64",
  "windows-amd64",
] as const;
export type Platform = (typeof platforms)[number];

/** The system of this machine. Undefined if no release has an archive for it. */
export function findThisPlatform(): Platform | undefined {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const processor = process.arch === "x64" ? "amd64" : process.arch;
  return platforms.find((platform) => platform === `${system}-${processor}`);
}

/**
 * How Node.js is started for the plugin. Almost all that a call leaves behind is garbage at once. Node.js 24 would let 130 MB of it
 * lie before it looks; to look sooner takes no measurable time (`npm run bench -- --only growth`).
 */
export const nodeOptions = ["--max-semi-space-size=8"] as const;

const launcher = `#!/bin/sh
exec node ${nodeOptions.join(" ")} "\${0%/*}/main.js" "$@"
`;

/** What the CLI looks for when it downloads the plugin of a release. */
export function nameArchive(version: string, platform: Platform): string {
  return `pulumi-resource-proxyrental-v${version}-${platform}.tar.gz`;
}

/**
 * The archive of a platform. The engine starts the program in it. Windows can't start one that is text: there the
 * engine reads PulumiPlugin.yaml, and has the plugin run by its host for Node.js, which wants Pulumi's library beside
 * it. The CLI installs that with the plugin.
 */
export function packPlugin(bundle: readonly ArchivedFile[], platform: Platform): Buffer {
  const isWindows = platform.startsWith("windows-");
  const { name, version, license, engines, dependencies } = JSON.parse(
    readFileSync(join(checkoutDir, "package.json"), "utf8"),
  );
  const manifest = {
    ...{ name, version, license, engines, private: true, type: "module", main: "./main.js" },
    exports: { ".": "./main.js", "./package.json": "./package.json" },
    ...(isWindows && { dependencies: { "@pulumi/pulumi": dependencies["@pulumi/pulumi"] } }),
  };
  const program = {
    path: "pulumi-resource-proxyrental",
    content: launcher,
    isProgram: true,
  };
  // When the CLI has installed what package.json asks for, it looks for this folder, even if that is nothing.
  const modules = { path: "node_modules/.keep", content: "" };
  return makeArchive([
    ...bundle,
    ...(isWindows ? [] : [program, modules]),
    { path: "PulumiPlugin.yaml", content: "runtime: nodejs\n" },
    { path: "package.json", content: `${JSON.stringify(manifest, null, 2)}\n` },
    { path: "LICENSE", content: readFileSync(join(checkoutDir, "LICENSE")) },
  ]);
}
