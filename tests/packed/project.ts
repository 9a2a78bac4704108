import { entryPointsProgram, javaScriptPrograms } from "./module-settings.ts";

/** What `pulumi new typescript` writes: CommonJS, TypeScript 5, the old module resolution. Its programs use much. */
export const project = {
  "Pulumi.yaml": [
    "name: consumer",
    "description: A minimal TypeScript Pulumi program",
    "runtime:",
    "  name: nodejs",
    "  options:",
    "    packagemanager: npm",
    "",
  ].join("\n"),
  "package.json": JSON.stringify({
    name: "consumer",
    main: "index.ts",
    devDependencies: { "@types/node": "^18", typescript: "^5.0.0" },
    dependencies: { "@pulumi/pulumi": "^3.113.0" },
  }),
  "tsconfig.json": JSON.stringify({
    compilerOptions: {
      ...{ strict: true, outDir: "bin", target: "es2020", module: "commonjs" },
      ...{ moduleResolution: "node", sourceMap: true, experimentalDecorators: true, pretty: true },
      ...{ noFallthroughCasesInSwitch: true, noImplicitReturns: true },
      forceConsistentCasingInFileNames: true,
    },
    files: ["index.ts", "more.ts", "entry.ts"],
  }),
  "index.ts": `
import * as pulumi from "@pulumi/pulumi";
import { getCountriesOutput, IpAutoExtend, ProxyOrder, type ProxyOrderArgs } from "pulumi-proxyrental";

const args: ProxyOrderArgs = {
  proxyType: "IPv4",
  country: getCountriesOutput({ proxyType: "IPv4" }).apply((found) => found.countries[0].alpha3code),
  quantity: 5,
  rentPeriodDays: 30,
  goal: "price comparison",
  maxPrice: 10,
};
const usa = new ProxyOrder("usa", args);
new IpAutoExtend("keep", { proxyType: "IPv4", ipAddressIds: usa.ipAddressIds, rentPeriodDays: 30 });
export const addresses: pulumi.Output<string[]> = usa.proxies.apply((proxies) => proxies.map((proxy) => proxy.ipAddressIp));
export const urls = usa.urls;
`,
  "more.ts": `
import { formatProxies, IpExtension, ProxyFleet, type UndiciProxy } from "pulumi-proxyrental";
import type * as pulumi from "@pulumi/pulumi";

export function declareMore(): pulumi.Output<UndiciProxy[]> {
  const fleet = new ProxyFleet("more", {
    proxyType: "ISP",
    countries: { USA: 3, DEU: 2 },
    rentPeriodDays: 30,
    goal: "price comparison",
  });
  const { ipAddressIds } = fleet.orders.DEU;
  const paidThrough = "2026-12-31";
  new IpExtension("through", { proxyType: "ISP", ipAddressIds, rentPeriodDays: 30, paidThrough });
  return formatProxies(fleet, "undici");
}
`,
  "entry.ts": entryPointsProgram,
  ...javaScriptPrograms,
};
