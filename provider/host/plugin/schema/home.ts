/** Where the package lives. package.json names the same place, and everything else here follows from it. */
const owner = "pulumi-proxyrental";
const project = `${owner}/pulumi-proxyrental`;

export const repository = `https://github.com/${project}`;

/** The registry shows it beside the package's name. */
export const logo = `https://raw.githubusercontent.com/${project}/main/docs/logo.svg`;

/** From here the CLI downloads the plugin of a release, so that nobody has to install it. */
export const downloads = `github://api.github.com/${project}`;

const respectSchemaVersion = true;

/** The oldest SDK of each language on which a generated one works. */
const pulumiVersions = { nodejs: "^3.165.0", python: ">=3.165.0,<4.0.0" };

/** What the SDK of each language is called. */
export const languages = {
  nodejs: {
    // The name without a scope is this package's own, with resources that need no plugin.
    packageName: `@${owner}/proxyrental`,
    dependencies: { "@pulumi/pulumi": pulumiVersions.nodejs },
    respectSchemaVersion,
  },
  python: {
    packageName: "pulumi_proxyrental",
    requires: { pulumi: pulumiVersions.python },
    pyproject: { enabled: true },
    respectSchemaVersion,
  },
  go: {
    importBasePath: `github.com/${project}/sdk/go/proxyrental`,
    modulePath: `github.com/${project}/sdk/go`,
    generateResourceContainerTypes: true,
    respectSchemaVersion,
  },
  csharp: {
    rootNamespace: "ProxyRentalService",
    packageReferences: { Pulumi: "3.*" },
    respectSchemaVersion,
  },
  java: { basePackage: "io.github.pulumi_proxyrental", buildFiles: "gradle" },
};
