import { execa } from "execa";
import { describe, expect, test, vi } from "vitest";
import { type AdoptedOrder, writeProgram } from "../../../cli/adopt/adopted-program.ts";
import { checkoutDir, makeProject } from "../../../toolchain/project.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";

vi.setConfig({ testTimeout: 60_000 });

const asOf = new Date("2026-03-01T12:00:00.000Z");

const usa: AdoptedOrder = {
  orderId: "4683731",
  proxyType: "IPv4",
  country: "USA",
  quantity: 3,
  since: new Date("2026-02-20T12:00:00Z"),
  ends: [new Date("2026-03-22T12:00:00Z")],
  paidDays: 30,
  showsLogin: true,
  renewals: [],
  guess: { rentPeriodDays: 30, operator: undefined },
  periods: [30, 60],
  journal: undefined,
};

const ids = (count: number) => Array.from({ length: count }, (_, n) => `5676303${n}`);

const renewingWhole: AdoptedOrder = {
  ...usa,
  orderId: "4683732",
  renewals: [{ everyDays: 60, ipAddressIds: ids(3) }],
};
const renewingInPart: AdoptedOrder = {
  ...usa,
  orderId: "4683733",
  quantity: 12,
  ends: [new Date("2026-03-22T12:00:00Z"), new Date("2026-04-22T12:00:00Z")],
  renewals: [
    { everyDays: 30, ipAddressIds: ids(1) },
    { everyDays: 60, ipAddressIds: ids(9) },
  ],
};
const ipv6: AdoptedOrder = {
  ...usa,
  orderId: "4683734",
  proxyType: "IPv6",
  country: "NLD",
  guess: { rentPeriodDays: 90, operator: undefined },
  journal: {
    id: "9a8b4d491a7d-1",
    owner: "org/urn:pulumi:dev::fleet::proxyrental:ProxyOrder::nld",
    phase: "confirmed",
    isCertain: true,
  },
};
const mobile: AdoptedOrder = {
  ...usa,
  orderId: "4683735",
  proxyType: "MOBILE",
  country: "DEU",
  quantity: 1,
  since: undefined,
  ends: [],
  showsLogin: false,
  renewals: [{ everyDays: 30, ipAddressIds: ids(1) }],
  guess: {
    rentPeriodDays: 30,
    operator: { mobileOperator: "telekom", rotationTime: 120, others: ["vodafone", "o2"] },
  },
};
const mobileOfNobody: AdoptedOrder = {
  ...mobile,
  orderId: "4683736",
  renewals: [],
  guess: { rentPeriodDays: 30, operator: undefined },
};

const recordedMobile: AdoptedOrder = {
  ...mobile,
  orderId: "4683737",
  recorded: {
    ...{ rentPeriodDays: 60, goal: "price comparison", authType: "IP", authIp: "192.0.2.7" },
    ...{ mobileOperator: "o2", rotationTime: 300 },
  },
};

const strange = `"; process.exit(1); //\`\${1}\n\r\u2028\u2029\u202e\u0000\u{e0041}\ud800*/ \\`;
const hostile: AdoptedOrder = {
  ...mobile,
  orderId: strange,
  country: strange,
  renewals: [{ everyDays: 30, ipAddressIds: [strange] }],
  guess: {
    rentPeriodDays: 30,
    operator: { mobileOperator: strange, rotationTime: 120, others: [strange] },
  },
  journal: { id: strange, owner: `a::${strange}`, phase: "returned", isCertain: false },
};
const hostilePart: AdoptedOrder = { ...hostile, quantity: 2 };
const hostileUnknown: AdoptedOrder = {
  ...hostile,
  guess: { rentPeriodDays: 30, operator: undefined },
};

const hostileRecorded: AdoptedOrder = {
  ...hostile,
  recorded: {
    ...{ rentPeriodDays: 60, goal: strange, authType: "IP", authIp: strange },
    ...{ mobileOperator: strange, rotationTime: 300 },
  },
};

const all = [
  ...[usa, renewingWhole, renewingInPart, ipv6, mobile, mobileOfNobody],
  ...[hostile, hostilePart, hostileUnknown, recordedMobile, hostileRecorded],
];

test("writes exactly this for an order that renews as a whole", () => {
  expect(writeProgram([usa, renewingWhole], asOf)).toBe(
    `// Takes over what the account held at 2026-03-01T12:00:00Z: \`pulumi preview\`
// shows no purchase, and \`pulumi up\` buys nothing and switches nothing.
// What is marked as guessed the service does not show: it is recorded. When an
// order has ended, remove its resource; or put its guesses right and take its
// adoptOrderNumber out, to buy it anew at the price that the preview shows.
import { IpAutoExtend, ProxyOrder } from "pulumi-proxyrental";

// Paid since 2026-02-20T12:00:00Z until 2026-03-22T12:00:00Z.
new ProxyOrder("usa-4683731", {
  adoptOrderNumber: "4683731",
  proxyType: "IPv4",
  country: "USA",
  quantity: 3,
  rentPeriodDays: 30, // guessed: used by the next purchase only
  goal: "placeholder: say what the proxies are for", // not shown by the service: used by the next purchase only
  authType: "LOGIN",
});

// Paid since 2026-02-20T12:00:00Z until 2026-03-22T12:00:00Z.
const usa_4683732 = new ProxyOrder("usa-4683732", {
  adoptOrderNumber: "4683732",
  proxyType: "IPv4",
  country: "USA",
  quantity: 3,
  rentPeriodDays: 30, // guessed: used by the next purchase only
  goal: "placeholder: say what the proxies are for", // not shown by the service: used by the next purchase only
  authType: "LOGIN",
});

// All 3 renew every 60 days, as before. That goes on costing money.
new IpAutoExtend("usa-4683732-renewal", {
  proxyType: "IPv4",
  ipAddressIds: usa_4683732.ipAddressIds,
  rentPeriodDays: 60,
});
`,
  );
});

test.each<[string, AdoptedOrder, string[]]>([
  [
    "MOBILE",
    mobile,
    [
      "// Paid.\n",
      'mobileOperator: "telekom", // guessed: used by the next purchase only; also offered: vodafone, o2\n',
      "rotationTime: 120, // guessed: used by the next purchase only\n",
      'authType: "LOGIN", // guessed: used by the next purchase only; the listing shows no login',
      "// It renews every 30 days",
    ],
  ],
  [
    "MOBILE without an operator on offer",
    mobileOfNobody,
    [
      'mobileOperator: "unknown", // not shown by the service: ',
      "none is offered in DEU\n",
      "rotationTime: 0, //",
    ],
  ],
  [
    "IPv6, in the journal",
    ipv6,
    [
      'protocol: "HTTP", // guessed: used by the next purchase only, and for the scheme of `urls`\n',
      "// The journal of this machine: bought for nld (9a8b4d491a7d-1, confirmed).\n",
    ],
  ],
  [
    "an order with some renewing proxies",
    renewingInPart,
    [
      "until 2026-03-22T12:00:00Z, the last of it until 2026-04-22T12:00:00Z.\nnew ProxyOrder(",
      '// 1 of its 12 proxies renews every 30 days, as before. That goes on costing money.\nnew IpAutoExtend("usa-4683733-renewal-30", {',
      '  ipAddressIds: ["56763030"],\n  rentPeriodDays: 30,\n',
      '// 9 of its 12 proxies renew every 60 days, as before. That goes on costing money.\nnew IpAutoExtend("usa-4683733-renewal-60", {',
      '  ipAddressIds: [\n    "56763030",\n',
    ],
  ],
])("%s", (_, order, parts) => {
  const text = writeProgram([order], asOf);
  for (const part of parts) expect(text).toContain(part);
});

describe("a renewal that IpAutoExtend can't declare becomes a comment", () => {
  test.each<[string, Partial<AdoptedOrder>, string]>([
    [
      "of a period that is not on offer",
      { renewals: [{ everyDays: 45, ipAddressIds: ids(3) }] },
      "// All 3 renew every 45 days. No IpAutoExtend says so, because\n// the service does not offer that period now.\n",
    ],
    [
      "of an unknown period",
      { renewals: [{ everyDays: 0, ipAddressIds: ids(2) }] },
      "// 2 of its 3 proxies renew. No IpAutoExtend says so, because\n// the service does not say how many days are added each time.\n",
    ],
    [
      "of a part of an IPv6 order",
      { proxyType: "IPv6", renewals: [{ everyDays: 30, ipAddressIds: ids(2) }] },
      "because\n// IPv6 proxies are extended by whole orders only.\n",
    ],
  ])("%s", (_, more, told) => {
    const text = writeProgram([{ ...usa, ...more }], asOf);
    expect(text).toContain(told);
    expect(text).toContain('import { ProxyOrder } from "pulumi-proxyrental";');
    expect(text).not.toContain("new IpAutoExtend");
  });

  test("but a whole IPv6 order that renews is declared", () => {
    const order = { ...ipv6, renewals: [{ everyDays: 30, ipAddressIds: ids(3) }] };
    expect(writeProgram([order], asOf)).toContain('new IpAutoExtend("nld-4683734-renewal", {');
  });
});

test("names and variables are unique, whatever the orders are called", () => {
  const orders = ["1/2", "1 2", "1.2", "1-2", "1-2", "", "class"].map(
    (orderId): AdoptedOrder => ({ ...renewingWhole, orderId }),
  );
  const text = writeProgram([...orders, { ...renewingWhole, country: "?", orderId: "1" }], asOf);
  const names = Array.from(text.matchAll(/new ProxyOrder\("([^"]*)"/g), ([, name]) => name);
  expect(names).toEqual([
    ...["usa-1-2", "usa-1-2-2", "usa-1.2", "usa-1-2-3", "usa-1-2-4"],
    ...["usa-", "usa-class", "order-1"],
  ]);
  const variables = Array.from(text.matchAll(/const (\w+) = /g), ([, variable]) => variable);
  expect(new Set(variables).size).toBe(8);
});

test("text from the service can't break out of its string or comment, and holds nothing invisible", () => {
  const text = writeProgram([hostile, hostilePart, hostileUnknown], asOf);
  expect(text).not.toMatch(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/u);
  const code = text.split("\n").filter((line) => !line.startsWith("//"));
  expect(code.filter((line) => /^\s*process/.test(line))).toEqual([]);
  const literal = /adoptOrderNumber: (".*"),\n/.exec(text)?.[1] ?? "";
  expect(new Function(`return ${literal}`)()).toBe(strange);
});

test("is formatted as formatters do by default", async () => {
  // Lists are broken into lines at a certain length. These lengths are around it.
  const lists = [0, 1, 2, 3, 4, 5, 6, 7, 20].map((length) => ({
    ...{ ...usa, quantity: 12 },
    renewals: [{ everyDays: 30, ipAddressIds: [...ids(4), `56763039${"0".repeat(length)}`] }],
  }));
  const orders = all.filter((order) => order.orderId !== strange);
  const text = writeProgram([...orders, ...lists], asOf);
  const { stdout } = await execa(
    "biome",
    ["format", "--stdin-file-path=index.ts", "--line-width=80", "--indent-style=space"],
    { input: text, preferLocal: true, localDir: checkoutDir, stripFinalNewline: false },
  );
  expect(text).toBe(stdout);
});

test("compiles against the package under strict rules, even with hostile texts", async () => {
  const folder = await makeTemporaryFolder();
  const compilerOptions = {
    ...{ target: "es2024", module: "nodenext", noEmit: true, strict: true, skipLibCheck: true },
    ...{ noUnusedLocals: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
    types: [],
  };
  await makeProject(folder, {
    "index.ts": writeProgram(all, asOf),
    "tsconfig.json": JSON.stringify({ compilerOptions, files: ["index.ts"] }),
  });
  const { stdout, exitCode } = await execa("tsc", ["-p", folder], {
    ...{ preferLocal: true, localDir: checkoutDir, reject: false },
  });
  expect([exitCode, stdout]).toEqual([0, ""]);
});
