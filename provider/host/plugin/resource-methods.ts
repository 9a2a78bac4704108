import type {
  CheckRequest,
  CheckResponse,
  CreateRequest,
  CreateResponse,
  DeleteRequest,
  DiffRequest,
  DiffResponse,
  ListRequest,
  ListResponse,
  ReadRequest,
  ReadResponse,
  UpdateRequest,
  UpdateResponse,
} from "@pulumi/pulumi/proto/provider_pb.js";
import provider from "@pulumi/pulumi/proto/provider_pb.js";
import { isProxyRentalError } from "../../core/values/errors.ts";
import type { InputFailure } from "../../core/values/inputs.ts";
import { type HostedResource, type Props, SavedFailure } from "../resources/hosted-resource.ts";
import { wordRefusal } from "../resources/refusal.ts";
import { UNKNOWN } from "../unknown-value.ts";
import { withoutTimeout, withTimeout } from "./custom-timeout.ts";
import { toDiffResponse } from "./diff-response.ts";
import { InitFailure } from "./failure.ts";
import { foreseeCreate, foreseeUpdate } from "./foreseen.ts";
import { listedLater, toPage } from "./listed.ts";
import type { ResourceDefinition } from "./schema/resource-definitions.ts";
import { parseStruct, type ReceivedProps, writeStruct } from "./struct.ts";

/** What a resource answers to the engine. It only translates. */
export interface ResourceMethods {
  check(request: CheckRequest): Promise<CheckResponse>;
  diff(request: DiffRequest): Promise<DiffResponse>;
  create(request: CreateRequest): Promise<CreateResponse>;
  read(request: ReadRequest): Promise<ReadResponse>;
  update(request: UpdateRequest): Promise<UpdateResponse>;
  delete(request: DeleteRequest): Promise<void>;
  list(request: ListRequest): Promise<ListResponse[]>;
}

/** What a create and an update tell, which are all that the engine asks differently in a preview. */
export interface PhaseTold {
  /** Call this first. */
  tell(isPreview: boolean): void;
  /** Waits until all that checks have planned is written down. Only then the preview may show it. */
  noted(): Promise<void>;
}

/** A resource as the engine calls it over gRPC. The owner of what it buys is its URN. */
export function toResourceMethods(
  resource: HostedResource,
  definition: ResourceDefinition,
  run: PhaseTold,
): ResourceMethods {
  const argumentNames = new Set(Object.keys(definition.inputs.shape));
  const secretNames = new Set(definition.secrets);

  /** What was given as a secret stays a secret, like what always is one. */
  const secretsAmong = (given: ReceivedProps) => new Set([...secretNames, ...given.secret]);

  return {
    async check(request) {
      const olds = parseStruct(request.getOlds());
      const news = parseStruct(request.getNews());
      const given = toGiven(news, olds, argumentNames);
      const before = Object.keys(olds.known).length === 0 ? undefined : olds.known;
      const answer = new provider.CheckResponse();
      try {
        const checked = await resource.check(request.getUrn(), before, given);
        const inputs = {
          ...checked.inputs,
          ...Object.fromEntries(checked.unknown.map((name) => [name, UNKNOWN])),
          ...Object.fromEntries([...given.unknown].map((name) => [name, news.raw[name]])),
        };
        answer.setInputs(writeStruct(inputs, news.secret));
        answer.setFailuresList(checked.failures.map(wordRefusal).map(toCheckFailure));
      } catch (error) {
        // The engine shows a check failure once, at the resource.
        if (!isProxyRentalError(error)) throw error;
        answer.setInputs(request.getNews());
        answer.setFailuresList([toCheckFailure({ property: "", reason: error.message })]);
      }
      return answer;
    },

    async diff(request) {
      const news = parseStruct(request.getNews());
      const change = await resource.diff(parseStruct(request.getOlds()).known, news);
      return toDiffResponse(change, parseStruct(request.getOldInputs()), news, argumentNames);
    },

    async create(request) {
      const inputs = parseStruct(request.getProperties());
      const secret = secretsAmong(inputs);
      const answer = new provider.CreateResponse();
      run.tell(request.getPreview());
      if (request.getPreview()) {
        answer.setProperties(writeStruct(foreseeCreate(definition, inputs), secret));
        await run.noted();
        return answer;
      }
      const { id, state } = await resource
        .create(withTimeout(inputs.known, request.getTimeout()))
        .catch(saveWith(inputs, secret));
      answer.setId(id);
      answer.setProperties(writeStruct(withoutTimeout(state, inputs.known), secret));
      return answer;
    },

    async read(request) {
      const state = parseStruct(request.getProperties());
      const inputs = parseStruct(request.getInputs());
      const answer = new provider.ReadResponse();
      if (Object.keys(state.known).length === 0) {
        const imported = await resource.import(request.getUrn(), request.getId());
        answer.setId(imported.id);
        answer.setProperties(writeStruct(imported.state, secretNames));
        answer.setInputs(writeStruct(imported.inputs));
        return answer;
      }
      const found = await resource.read(state.known, request.getUrn());
      // To the engine, an empty id means that the resource is gone.
      if (found === undefined) return answer;
      answer.setId(request.getId());
      answer.setProperties(writeStruct(found.state, secretsAmong(state)));
      answer.setInputs(found.drift ? writeStruct(found.drift, inputs.secret) : request.getInputs());
      return answer;
    },

    async update(request) {
      const olds = parseStruct(request.getOlds());
      const inputs = parseStruct(request.getNews());
      const secret = secretsAmong(inputs);
      const answer = new provider.UpdateResponse();
      run.tell(request.getPreview());
      if (request.getPreview()) {
        answer.setProperties(writeStruct(foreseeUpdate(definition, olds, inputs), secret));
        await run.noted();
        return answer;
      }
      const state = await resource
        .update(olds.known, withTimeout(inputs.known, request.getTimeout()))
        .catch(saveWith(inputs, secret));
      answer.setProperties(writeStruct(withoutTimeout(state, inputs.known), secret));
      return answer;
    },

    delete: (request) =>
      resource.delete(parseStruct(request.getProperties()).known, request.getUrn()),

    async list(request) {
      const query = parseStruct(request.getQuery());
      if (query.unknown.size > 0) return [listedLater()];
      return toPage(await resource.list(query.known), request);
    },
  };
}

/**
 * What the program says. For an import, the engine gives the inputs that the read has made, with what the provider
 * had added to them.
 */
function toGiven(
  { known, unknown }: ReceivedProps,
  olds: ReceivedProps,
  argumentNames: ReadonlySet<string>,
): { known: Props; unknown: ReadonlySet<string> } {
  const isOurs = (name: string) => !argumentNames.has(name) && Object.hasOwn(olds.raw, name);
  const said = Object.entries(known).filter(([name]) => !isOurs(name));
  return { known: Object.fromEntries(said), unknown };
}

/** What the engine shows at the resource, or at the property. */
export function toCheckFailure({ property, reason }: InputFailure) {
  const failure = new provider.CheckFailure();
  failure.setProperty(property);
  failure.setReason(reason);
  return failure;
}

/** Fails so that the engine saves the resource in spite of the failure. */
function saveWith(inputs: ReceivedProps, secret: ReadonlySet<string>): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof SavedFailure)) throw error;
    const saved = new SavedFailure(error, error.id, withoutTimeout(error.state, inputs.known));
    throw new InitFailure(saved, inputs.raw, secret);
  };
}
