import type { ListRequest, ListResponse } from "@pulumi/pulumi/proto/provider_pb.js";
import provider from "@pulumi/pulumi/proto/provider_pb.js";
import { ProxyRentalError } from "../../core/values/errors.ts";

/** Something that can be imported. */
interface Listed {
  id: string;
  name: string;
}

/** The answer where a part of the query is not known yet. */
export function listedLater(): ListResponse {
  const answer = new provider.ListResponse();
  answer.setComputed(new provider.ListResponse.Computed());
  return answer;
}

/** What the engine is told of a list: the page that it asks for, and where the next one begins. */
export function toPage(found: readonly Listed[], request: ListRequest): ListResponse[] {
  const rest = found.slice(findStart(found, request.getContinuationToken()));
  // A number below 1 is no limit.
  const atMost = (count: number) => (count < 1 ? rest.length : count);
  const wanted = rest.slice(0, atMost(request.getLimit()));
  const page = wanted.slice(0, atMost(request.getPageSize()));
  const last = page.at(-1);
  const answers = page.map(toResult);
  return last && page.length < wanted.length ? [...answers, continueAfter(last)] : answers;
}

/** A page goes on after the last one. The account may have changed since, and then nobody knows what was left out. */
function findStart(found: readonly Listed[], lastId: string): number {
  if (lastId === "") return 0;
  const at = found.findIndex(({ id }) => id === lastId);
  if (at >= 0) return at + 1;
  throw new ProxyRentalError(
    "INPUT_INVALID",
    `the list can't go on after ${lastId}, which the account no longer holds. Nothing was bought. List again from the beginning.`,
  );
}

function toResult({ id, name }: Listed): ListResponse {
  const result = new provider.ListResponse.Result();
  result.setId(id);
  result.setName(name);
  const answer = new provider.ListResponse();
  answer.setResult(result);
  return answer;
}

function continueAfter({ id }: Listed): ListResponse {
  const continuation = new provider.ListResponse.Continuation();
  continuation.setContinuationToken(id);
  const answer = new provider.ListResponse();
  answer.setContinuation(continuation);
  return answer;
}
