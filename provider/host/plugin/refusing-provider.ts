import provider from "@pulumi/pulumi/proto/provider_pb.js";
import { messageOf } from "../../core/values/message-of.ts";
import type { PluginProvider } from "./plugin-provider.ts";
import { toCheckFailure } from "./resource-methods.ts";

/** A provider that tells the engine only what it is and why it does nothing. */
export function refuseAll(refusing: PluginProvider, cause: unknown): PluginProvider {
  const refuse = () => {
    throw cause;
  };
  return {
    ...refusing,
    checkConfig(request) {
      const answer = new provider.CheckResponse();
      answer.setInputs(request.getNews());
      answer.setFailuresList([toCheckFailure({ property: "", reason: messageOf(cause) })]);
      return answer;
    },
    configure: refuse,
    invoke: refuse,
    list: refuse,
    resource: refuse,
  };
}
