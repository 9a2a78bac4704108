/** The layer rule: a folder imports only what stands to its right: sdk -> host -> core -> client. */
const forbid = (name, comment, from, to) => ({
  name,
  comment,
  severity: "error",
  from: { path: from },
  to: { path: to },
});

module.exports = {
  forbidden: [
    forbid(
      "client-knows-only-itself",
      "The client speaks HTTP; it knows neither the lifecycle nor Pulumi.",
      "^provider/client/",
      "^(provider/(core|host)/|provider/index|sdk/|node_modules/@pulumi/)",
    ),
    forbid(
      "core-is-host-free",
      "The lifecycle knows no engine, no HTTP and no process: it is given what it needs.",
      "^provider/core/",
      "^(provider/host/|provider/index|sdk/|node_modules/(@pulumi|undici)/)",
    ),
    forbid(
      "core-meets-the-client-by-its-front-door",
      "What the client exports is its contract; its records are what the whole package speaks of.",
      "^provider/core/",
      "^provider/client/(?!(index|records)\\.ts$)",
    ),
    forbid(
      "host-does-not-know-the-sdk",
      "The host translates between an engine and the core.",
      "^provider/(host/|index\\.ts$)",
      "^sdk/",
    ),
    forbid(
      "simulator-stands-alone",
      "One wrong schema would otherwise pass on both sides of the wire.",
      "^simulator/",
      "^(provider|sdk|policy|toolchain)/",
    ),
    forbid(
      "page-uses-the-control-door",
      "The page runs in a browser: what it knows of a simulator, it was told over HTTP.",
      "^simulator/page/",
      "^simulator/(?!page/)",
    ),
    forbid(
      "policy-stands-alone",
      "A policy sees checked inputs, as any reader of a plan would.",
      "^policy/",
      "^(provider|sdk|simulator|toolchain)/",
    ),
    forbid(
      "examples-use-the-package",
      "Examples import the package by its name, as a user does.",
      "^examples/",
      "^(provider|sdk|policy|simulator|toolchain)/",
    ),
    forbid(
      "cli-uses-the-provider",
      "The tool looks at the account with the provider's own eyes; it is no program, and no test bench. One of its commands is the simulator's.",
      "^cli/",
      "^(sdk|provider/index|policy|toolchain|demo|examples|bench)(/|\\.ts$)|^simulator/(?!command\\.ts$)",
    ),
    forbid(
      "nothing-needs-the-cli",
      "It stands on top: what somebody else needs of it belongs further down.",
      "^(sdk|provider|policy|simulator|toolchain|demo|examples|bench)/",
      "^cli/",
    ),
    {
      name: "no-circles",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
  ],
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules|^dist" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "types"] },
  },
};
