import { createCaller, type Query } from "../../provider/client/caller.ts";
import type { Answer } from "../../provider/client/endpoints.ts";
import { createHttp, type Http } from "../../provider/client/http.ts";
import {
  type EndpointName,
  isServiceError,
  type ServiceError,
} from "../../provider/client/index.ts";
import { parseJson } from "../given-file.ts";
import type { Access } from "../settings.ts";

/** Endpoints that neither spend nor switch anything. doctor can ask no others. */
export type FreeEndpoint = Exclude<EndpointName, "createOrder" | "extend" | "setAutoExtension">;

/** What one call asked, and what came of it. */
export type Exchange<Name extends FreeEndpoint = FreeEndpoint> = {
  endpoint: Name;
  query: Query;
  /** The JSON that came last, as it came; undefined if none came, or something else. */
  body: unknown;
  /** The status of each answer, retries included; undefined where none came. */
  statuses: readonly (number | undefined)[];
  /** The service's clock, and this machine's in the middle of the same call. */
  times: { service: Date; machine: Date } | undefined;
} & ({ answer: Answer<Name>; error?: never } | { answer?: never; error: ServiceError });

/** Asks as the provider's client does, and keeps what came as it came. One call at a time. */
export interface RawCaller {
  /** Never throws for what the service does: that is what is looked at. */
  ask<Name extends FreeEndpoint>(endpoint: Name, query?: Query): Promise<Exchange<Name>>;
  /** All that was asked until now. */
  exchanges: readonly Exchange[];
  close(): Promise<void>;
}

/** What one endpoint has answered, each time. */
export function answersOf<Name extends FreeEndpoint>(
  exchanges: readonly Exchange[],
  name: Name,
): Answer<Name>[] {
  // The endpoint says which answer it is; TypeScript loses that through the index.
  return exchanges.flatMap(({ endpoint, answer }) =>
    endpoint === name && answer !== undefined ? [answer as Answer<Name>] : [],
  );
}

/** The last thing that the transport has seen of a call. */
type Sighting = Pick<Exchange, "body" | "times"> & { statuses: (number | undefined)[] };

/**
 * The client hides what it can cope with: unknown fields, retries, the second spelling of a path. So its transport is
 * watched. Endpoints, deadlines, retries and the key's redaction are the client's own.
 * @param told is told of each call before it is sent
 */
export function openRawCalls(
  access: Pick<Access, "baseUrl" | "apiKey" | "timeoutMs">,
  told: (count: number) => void = () => undefined,
): RawCaller {
  let seen: Sighting = begin();
  const http = watch(createHttp(), () => seen);
  const caller = createCaller({ ...access, http });
  const exchanges: Exchange[] = [];

  return {
    exchanges,
    async ask<Name extends FreeEndpoint>(endpoint: Name, query: Query = {}) {
      told(exchanges.length + 1);
      seen = begin();
      const outcome = await caller.ask(endpoint, query).then(
        ({ answer }) => ({ answer }),
        (error: unknown) => {
          if (!isServiceError(error)) throw error;
          return { error };
        },
      );
      const exchange: Exchange<Name> = { endpoint, query, ...seen, ...outcome };
      // An exchange of one endpoint is one of any endpoint; TypeScript does not see that through the index.
      exchanges.push(exchange as Exchange);
      return exchange;
    },
    close: () => caller.close(),
  };
}

function begin(): Sighting {
  return { body: undefined, statuses: [], times: undefined };
}

function watch(http: Http, current: () => Sighting): Http {
  return {
    async send(request) {
      const seen = current();
      const sentMs = Date.now();
      const index = seen.statuses.push(undefined) - 1;
      const answer = await http.send(request);
      const machine = new Date((sentMs + Date.now()) / 2);
      seen.statuses[index] = answer.status;
      seen.body = parseJson(answer.body);
      seen.times = answer.answeredAt && { service: answer.answeredAt, machine };
      return answer;
    },
    close: () => http.close(),
  };
}
