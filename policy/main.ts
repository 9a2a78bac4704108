import { PolicyPack } from "@pulumi/policy";
import { stopOnUnknownNames } from "./known-policies.ts";
import { spendPolicies } from "./pack.ts";

// `pulumi --policy-pack node_modules/pulumi-proxyrental/policy` starts this.
new PolicyPack("pulumi-proxyrental", {
  policies: stopOnUnknownNames(spendPolicies()),
  enforcementLevel: "mandatory",
});
