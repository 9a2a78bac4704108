import type { DiffResponse } from "@pulumi/pulumi/proto/provider_pb.js";
import provider from "@pulumi/pulumi/proto/provider_pb.js";
import type { Change } from "../resources/hosted-resource.ts";
import { detailChange } from "./detailed-diff.ts";
import { spends } from "./quote.ts";
import type { ReceivedProps } from "./struct.ts";

/** What the engine is told of a change. The plan shows the arguments, and the price if there is one. */
export function toDiffResponse(
  change: Change,
  before: ReceivedProps,
  wanted: ReceivedProps,
  argumentNames: ReadonlySet<string>,
): DiffResponse {
  const { DIFF_NONE, DIFF_SOME } = provider.DiffResponse.DiffChanges;
  const answer = new provider.DiffResponse();
  answer.setChanges(change.kind === "none" ? DIFF_NONE : DIFF_SOME);
  answer.setHasdetaileddiff(true);
  const shown = spends(wanted) ? new Set([...argumentNames, "quote"]) : argumentNames;
  const details = detailChange(change, before, wanted, shown);
  for (const [name, { kind, isInput }] of details) {
    const detail = new provider.PropertyDiff();
    detail.setKind(kind);
    detail.setInputdiff(isInput);
    answer.getDetaileddiffMap().set(name, detail);
  }
  answer.setDiffsList([...details.keys()]);
  if (change.kind === "replace") {
    answer.setReplacesList([...change.properties]);
    answer.setDeletebeforereplace(change.deleteBeforeReplace);
  }
  return answer;
}
