/** The layer rule: a folder imports only what stands to its right: sdk -> host -> core -> client. */
const forbid = (name, comment, from, to) => ({
  name,
  comment,
  severity: "error",
  from: { path: from },
  to: { path: to },
});

/** The rooms of the core, from the bottom up: a room imports only from those before it. */
const rooms = [
  "values/",
  "proxies/",
  "records/",
  "ports.ts",
  "journal/",
  "account/",
  "evidence/",
  "spending/",
  "account.ts",
  "auto-extension/",
  "extension/",
  "order/",
  "functions/",
];

/** The same inside the room of a resource. */
const roomsOfResource = [
  "model/",
  "recover/",
  "adopt/",
  "read/",
  "plan/",
  "apply/",
  "lifecycle.ts",
];

const inOrder = (base, names) =>
  names
    .slice(0, -1)
    .map((name, index) =>
      forbid(
        `rooms-in-order: ${base}${name}`,
        "A newcomer reads from the bottom up: nothing below knows what is above it. See ARCHITECTURE.md.",
        `^${base}${name}`,
        `^${base}(${names.slice(index + 1).join("|")})`,
      ),
    );

module.exports = {
  forbidden: [
    ...inOrder("provider/core/", rooms),
    ...inOrder("provider/core/order/", roomsOfResource),
    ...inOrder("provider/core/extension/", roomsOfResource),
    forbid(
      "core-knows-no-store",
      "Where a journal is kept is given to the core: see ports.ts.",
      "^provider/core/",
      "^provider/journals/",
    ),
    forbid(
      "journals-know-records-only",
      "A store keeps documents; what they mean is decided elsewhere.",
      "^provider/journals/",
      "^(provider/(host|client)/|provider/core/(account|spending|evidence|order|extension|auto-extension|functions)/|sdk/)",
    ),
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
      "programs-see-plain-types",
      "The compiler of a user's project never reads a schema: what a program is given stands in records.ts.",
      "^sdk/",
      "^provider/client/(?!records\\.ts$)",
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
      "page-uses-the-control-api",
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
