import { createRequire } from "node:module";
import type { ResourceValidation, ResourceValidationPolicy } from "@pulumi/policy";
import type * as analyzer from "@pulumi/pulumi/proto/analyzer_grpc_pb.js";
import { findUnknownNames, type PolicyConfigError } from "./config.ts";

/**
 * Makes the run stop at its first resource if the config file names a policy that is not in the pack. The engine
 * accepts such a name, and the SDK tells each policy only its own config, so a limit under a misspelt name would
 * silently be none. Call this before the pack is made.
 */
export function stopOnUnknownNames<Policy extends ResourceValidationPolicy>(
  policies: readonly Policy[],
): Policy[] {
  let fault: PolicyConfigError | undefined;
  watchConfiguredNames((names) => {
    fault = findUnknownNames(names, policies);
  });
  const refuse: ResourceValidation = () => {
    if (fault) throw fault;
  };
  return policies.map((policy) => ({
    ...policy,
    validateResource: [refuse, ...[policy.validateResource ?? []].flat()],
  }));
}

/** Reads the names from the engine's call, since the SDK has no way to ask for them. */
function watchConfiguredNames(take: (names: string[]) => void): void {
  // The copy of the stubs that the SDK itself uses.
  const requireForSdk = createRequire(createRequire(import.meta.url).resolve("@pulumi/policy"));
  const stubs: typeof analyzer = requireForSdk("@pulumi/pulumi/proto/analyzer_grpc_pb");
  const { configure } = stubs.AnalyzerService;
  const read = configure.requestDeserialize;
  configure.requestDeserialize = (bytes) => {
    const request = read(bytes);
    take(Array.from(request.getPolicyconfigMap().keys(), String));
    return request;
  };
}
