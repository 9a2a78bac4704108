import { PolicyPack } from "@pulumi/policy";
import { stopOnUnknownNames } from "./known-policies.ts";
import { spendPolicies } from "./pack.ts";

// What `pulumi --policy-pack node_modules/pulumi-proxyrental/policy` starts.
new PolicyPack("pulumi-proxyrental", {
  policies: stopOnUnknownNames(spendPolicies()),
  enforcementLevel: "mandatory",
});
