import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A program that is built from a committed go.mod. Each has its own: they need different versions of one module. */
export interface GoProgram {
  readonly name: string;
  /** The module in go.mod that gives the program its version. */
  readonly module: string;
  readonly package: string;
  /** The Go variable with the version that the program prints when it is asked. @default it is not asked */
  readonly versionVariable?: string;
  /** The folder with go.mod and go.sum. */
  readonly folder: string;
  /** The files of the folder that decide what is built. */
  readonly files: readonly string[];
  /** Programs that need no build, as paths in the module. They must stand beside the built one. @default none */
  readonly scripts?: readonly string[];
}

const sdkVersionVariable = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";

export const goPrograms: readonly GoProgram[] = [
  {
    name: "pulumi",
    module: "github.com/pulumi/pulumi/pkg/v3",
    package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
    versionVariable: sdkVersionVariable,
    folder: locateModule("pulumi"),
    files: ["go.mod", "go.sum"],
  },
  {
    name: "pulumi-language-nodejs",
    module: "github.com/pulumi/pulumi/sdk/v3",
    package: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
    versionVariable: sdkVersionVariable,
    folder: locateModule("language-nodejs"),
    files: ["go.mod", "go.sum", "tools.go"],
  },
  {
    name: "pulumi-language-yaml",
    module: "github.com/pulumi/pulumi-yaml",
    package: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
    versionVariable: "github.com/pulumi/pulumi-yaml/pkg/version.Version",
    folder: locateModule("language-yaml"),
    files: ["go.mod", "go.sum", "tools.go"],
  },
];

/** The hosts that run programs of other languages. A CLI that was installed has its own. */
export const languageHosts = {
  python: {
    name: "pulumi-language-python",
    module: "github.com/pulumi/pulumi/sdk/v3",
    package: "github.com/pulumi/pulumi/sdk/v3/python/cmd/pulumi-language-python",
    versionVariable: sdkVersionVariable,
    folder: locateModule("language-python"),
    files: ["go.mod", "go.sum", "tools.go"],
    scripts: ["python/cmd/pulumi-language-python-exec"],
  },
  go: {
    name: "pulumi-language-go",
    module: "github.com/pulumi/pulumi/sdk/v3",
    package: "github.com/pulumi/pulumi/sdk/v3/go/pulumi-language-go",
    versionVariable: sdkVersionVariable,
    folder: locateModule("language-go"),
    files: ["go.mod", "go.sum", "tools.go"],
  },
} as const satisfies Record<string, GoProgram>;

/** Pulumi's own generators of SDKs and programs. */
export const codegen: GoProgram = {
  name: "codegen",
  module: "github.com/pulumi/pulumi/pkg/v3",
  package: "proxyrental.example/toolchain/codegen",
  folder: locateModule("codegen"),
  files: ["go.mod", "go.sum", "main.go", "sdks.go", "programs.go", "corrections.go"],
};

/** Looks for mistakes in workflow files. */
export const actionlint: GoProgram = {
  name: "actionlint",
  module: "github.com/rhysd/actionlint",
  package: "github.com/rhysd/actionlint/cmd/actionlint",
  folder: locateModule("actionlint"),
  files: ["go.mod", "go.sum", "tools.go"],
};

/** Servers for the tests of journal stores, each built when a test asks for it. */
export const storeServers = {
  /** Speaks as Amazon S3 does. */
  gofakes3: {
    name: "gofakes3",
    module: "github.com/johannesboyne/gofakes3",
    package: "github.com/johannesboyne/gofakes3/cmd/gofakes3",
    folder: locateModule("gofakes3"),
    files: ["go.mod", "go.sum", "tools.go"],
  },
  /** Speaks as Google Cloud Storage does. */
  "fake-gcs-server": {
    name: "fake-gcs-server",
    module: "github.com/fsouza/fake-gcs-server",
    package: "github.com/fsouza/fake-gcs-server",
    folder: locateModule("fake-gcs-server"),
    files: ["go.mod", "go.sum", "tools.go"],
  },
} as const satisfies Record<string, GoProgram>;

/** The version that a go.mod requires of a module, without the `v`. */
export function findRequiredVersion(goMod: string, module: string): string {
  const line = goMod
    .split("\n")
    .map((text) => text.trim().replace(/^require\s+/, ""))
    .find((text) => text.startsWith(`${module} v`));
  const version = line?.slice(module.length + 2).split(/\s/)[0];
  if (version === undefined) throw new Error(`go.mod does not require ${module}`);
  return version;
}

export function readVersion(program: GoProgram): string {
  return findRequiredVersion(readFileSync(join(program.folder, "go.mod"), "utf8"), program.module);
}

/** The arguments of `go` that build the program into a folder. */
export function listBuildArguments(program: GoProgram, version: string, binDir: string): string[] {
  const { versionVariable } = program;
  const stamp = versionVariable === undefined ? "" : ` -X ${versionVariable}=v${version}`;
  return [
    "build",
    "-tags=osusergo,grpcnotrace",
    "-trimpath",
    // Symbols would double the size. The variable sets the version that the CLI and the hosts print.
    `-ldflags=-s -w${stamp}`,
    "-o",
    join(binDir, program.name),
    program.package,
  ];
}

/** Every input of the build with its name. The cache key is made from them. */
export function readInputs(program: GoProgram): [name: string, text: string][] {
  const args = listBuildArguments(program, readVersion(program), "").join(" ");
  return [
    [`${program.name}: go ${args}`, ""],
    ...program.files.map((file): [string, string] => [
      `${program.name}/${file}`,
      readFileSync(join(program.folder, file), "utf8"),
    ]),
  ];
}

function locateModule(name: string): string {
  return fileURLToPath(new URL(`./${name}/`, import.meta.url));
}
