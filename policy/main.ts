import { join } from "node:path";
import { PolicyPack } from "@pulumi/policy";
import { findUnknownNames } from "./config.ts";
import { readConfiguredNames } from "./configured-names.ts";
import { spendPolicies } from "./pack.ts";
import { stopOnUnknownNames } from "./stop-on-unknown-names.ts";

// `pulumi --policy-pack node_modules/pulumi-proxyrental/policy` starts this.
const policies = spendPolicies();
const packDir = join(import.meta.dirname, "..", "..", "policy");
const fault = findUnknownNames(readConfiguredNames(packDir), policies);
if (fault) {
  process.stderr.write(`${fault.message}\n`);
  process.exit(1);
}
new PolicyPack("pulumi-proxyrental", {
  policies: stopOnUnknownNames(policies),
  enforcementLevel: "mandatory",
});
