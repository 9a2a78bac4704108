import type { PluginAttach, PluginInfo } from "@pulumi/pulumi/proto/plugin_pb.js";
import plugin from "@pulumi/pulumi/proto/plugin_pb.js";
import type {
  CheckRequest,
  CheckResponse,
  ConfigureRequest,
  ConfigureResponse,
  DiffRequest,
  DiffResponse,
  GetSchemaResponse,
  InvokeRequest,
  InvokeResponse,
  ListRequest,
  ListResponse,
  ProviderHandshakeRequest,
  ProviderHandshakeResponse,
} from "@pulumi/pulumi/proto/provider_pb.js";
import provider from "@pulumi/pulumi/proto/provider_pb.js";
import type { SpendingAccount } from "../../core/account.ts";
import {
  accountFunctions,
  callFunction,
  type FunctionName,
} from "../../core/functions/functions.ts";
import type { Clock } from "../../core/ports.ts";
import { explainServiceError, ProxyRentalError } from "../../core/values/errors.ts";
import type { ResourceKind } from "../resources/kind.ts";
import { forEachKind, hostResources } from "../resources/resources.ts";
import type { CliCommand } from "../run/cli-command.ts";
import type { EngineLog } from "../run/engine-log.ts";
import type { SettingsSource } from "../settings.ts";
import { openSystemAccount } from "../system.ts";
import { findSettingFailures, secretSettings, toSettings } from "./configuration.ts";
import { type ResourceMethods, toCheckFailure, toResourceMethods } from "./resource-methods.ts";
import { followRun } from "./run.ts";
import { writeSchema } from "./schema/package-spec.ts";
import { resourceDefinitions } from "./schema/resource-definitions.ts";
import { parseStruct, writeStruct } from "./struct.ts";
import { nameInToken, typeOfUrn } from "./tokens.ts";
import { packageVersion } from "./version.ts";

/** What a plugin process is made of. */
export interface PluginParts {
  /** Where the engine that started this process listens; "" if the engine attaches to it. */
  engineAddress: string;
  environment: SettingsSource["environment"];
  /** Folder of the program. */
  project: string;
  clock: Clock;
  /** Finds out what the engine's CLI was asked to do. */
  findCommand(): CliCommand;
  log: EngineLog;
  /** Aborted when the engine says that the run is to stop. */
  cancellation: AbortController;
}

/** What the engine may ask of the plugin, beside its resources. */
export interface PluginProvider {
  handshake(request: ProviderHandshakeRequest): ProviderHandshakeResponse;
  attach(request: PluginAttach): void;
  getPluginInfo(): PluginInfo;
  getSchema(): GetSchemaResponse;
  checkConfig(request: CheckRequest): CheckResponse;
  diffConfig(request: DiffRequest): DiffResponse;
  configure(request: ConfigureRequest): ConfigureResponse;
  invoke(request: InvokeRequest): Promise<InvokeResponse>;
  list(request: ListRequest): Promise<ListResponse[]>;
  cancel(): void;
  /** Call this when the engine ends in the ordinary way. It has had every answer, and goes on without us. */
  endRun(): Promise<void>;
  /** Says the last words of the run. */
  conclude(): Promise<void>;
  /** The methods of the resource with this URN. */
  resource(urn: string): ResourceMethods;
}

/** One plugin process serves one provider instance, and with it one account. */
export function createPluginProvider({
  engineAddress,
  environment,
  findCommand,
  log,
  cancellation,
  ...place
}: PluginParts): PluginProvider {
  let engine = engineAddress;
  let opened:
    | { account: SpendingAccount; methods: Record<ResourceKind, ResourceMethods> }
    | undefined;

  /**
   * An engine may attach to a plugin. The plugin then serves all phases of a run, and many runs, one after the other.
   */
  function meetEngine(address: string): void {
    log.connect(address);
    if (address !== "") engine = address;
  }

  function configured() {
    if (opened) return opened;
    throw new ProxyRentalError(
      "CONFIGURATION_INVALID",
      "the engine asked before it configured the provider. Nothing was bought. Report it: no program can cause this.",
    );
  }

  function methodsOf(type: string): ResourceMethods {
    const { methods } = configured();
    const kind = nameInToken(type) ?? "";
    if (!Object.hasOwn(methods, kind)) throw refuseUnknown("resource", type);
    return methods[kind as ResourceKind];
  }

  return {
    handshake(request) {
      meetEngine(request.getEngineAddress());
      const answer = new provider.ProviderHandshakeResponse();
      answer.setAcceptSecrets(true);
      return answer;
    },

    attach(request) {
      meetEngine(request.getAddress());
    },

    getPluginInfo() {
      const info = new plugin.PluginInfo();
      info.setVersion(packageVersion);
      return info;
    },

    getSchema() {
      const answer = new provider.GetSchemaResponse();
      answer.setSchema(writeSchema());
      return answer;
    },

    checkConfig(request) {
      const answer = new provider.CheckResponse();
      const given = parseStruct(request.getNews());
      answer.setInputs(writeStruct(given.raw, secretSettings));
      const failures = findSettingFailures(given, environment);
      answer.setFailuresList(failures.map((reason) => toCheckFailure({ property: "", reason })));
      return answer;
    },

    /** Never a replacement: with the provider the engine would replace all its resources, and buy them again. */
    diffConfig(request) {
      const { DIFF_NONE, DIFF_SOME } = provider.DiffResponse.DiffChanges;
      const [before, wanted] = [request.getOldInputs(), request.getNews()].map(parseStruct);
      const isSame = JSON.stringify(before?.raw) === JSON.stringify(wanted?.raw);
      const answer = new provider.DiffResponse();
      answer.setChanges(isSame ? DIFF_NONE : DIFF_SOME);
      return answer;
    },

    configure(request) {
      const settings = toSettings(parseStruct(request.getArgs()), environment);
      const run = followRun(engine, findCommand);
      const told = { log, cancelled: cancellation.signal, run };
      const account = openSystemAccount(settings, { ...place, ...told, waitsForNotes: true });
      const resources = hostResources(account);
      const tell = (isPreview: boolean) => {
        run.tell(isPreview);
        account.story.phaseIsKnown();
      };
      const noted = () => account.journal.previewed.written();
      opened = {
        account,
        methods: forEachKind((kind) =>
          toResourceMethods(resources[kind], resourceDefinitions[kind], { tell, noted }),
        ),
      };
      const answer = new provider.ConfigureResponse();
      answer.setAcceptsecrets(true);
      answer.setSupportspreview(true);
      return answer;
    },

    async invoke(request) {
      const name = nameInToken(request.getTok());
      if (name === undefined || !isFunctionName(name)) {
        throw refuseUnknown("function", request.getTok());
      }
      const { known } = parseStruct(request.getArgs());
      const reply = await callFunction(configured().account, name, known).catch(
        (error: unknown) => {
          throw explainServiceError(error);
        },
      );
      const answer = new provider.InvokeResponse();
      if ("failures" in reply) answer.setFailuresList(reply.failures.map(toCheckFailure));
      else answer.setReturn(writeStruct(reply.result));
      return answer;
    },

    async list(request) {
      return methodsOf(request.getToken()).list(request);
    },

    cancel() {
      cancellation.abort();
    },

    async endRun() {
      await opened?.account.journal.endRun();
    },

    async conclude() {
      await log.conclude(await opened?.account.story.lastWords());
    },

    resource: (urn) => methodsOf(typeOfUrn(urn)),
  };
}

function isFunctionName(name: string): name is FunctionName {
  return Object.hasOwn(accountFunctions, name);
}

function refuseUnknown(what: string, token: string): ProxyRentalError {
  return new ProxyRentalError(
    "INPUT_INVALID",
    `there is no ${what} ${token} in pulumi-proxyrental ${packageVersion}. Nothing was bought. Correct its name, or install a release that has it.`,
  );
}
