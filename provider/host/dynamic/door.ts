import { urnOf } from "../../core/values/owner.ts";
import { assertSupportedNode } from "../node-version.ts";
import type { Props } from "../resources/hosted-resource.ts";
import type { ResourceKind } from "../resources/kind.ts";
import { hostResources } from "../resources/resources.ts";
import { parseEngineAddress } from "../run/engine-address.ts";
import { openEngineLog, waitsForUs } from "../run/engine-log.ts";
import { awaitEngineGone } from "../run/engine-watch.ts";
import { finishCalls } from "../run/lifetime.ts";
import { readSettings } from "../settings.ts";
import { openSystemAccount } from "../system.ts";
import { type DynamicProvider, toDynamicProvider } from "./dynamic-provider.ts";
import { withReadableFailures } from "./failure.ts";
import { createCalls, whenEngineEnds } from "./lifetime.ts";
import { identifyRun } from "./run.ts";
import { ownerIn } from "./wire.ts";

/** The stack's configuration as a dynamic provider is given it. */
export interface StackConfig {
  get(key: string): string | undefined;
}

/** The calls that the engine waits for in this process. */
const calls = createCalls();

/** The engine's address is the first argument of this process. */
const [, , engineAddress = ""] = process.argv;

const log = openEngineLog({ endsLast: waitsForUs(engineAddress) });

/** Opened once, so that all resources of a run share it. */
let opened: ReturnType<typeof openResources> | undefined;

/**
 * The entry by which the text in the state of a resource reaches this package, in the dynamic provider's process. Wrong
 * settings fail the first check, with one sentence, before anything else happens.
 */
export function openDynamicProvider(
  kind: ResourceKind,
  config: StackConfig | undefined,
): DynamicProvider {
  const resource = async () => {
    opened ??= openResources(config);
    return toDynamicProvider(opened[kind]);
  };
  /** Whatever is said during the call stands at the resource with these properties. */
  const call = <Answer>(props: Props, work: (provider: DynamicProvider) => Promise<Answer>) =>
    calls.follow(() => log.about(urnOf(ownerIn(props)), async () => work(await resource())));
  return withReadableFailures({
    check: (olds, news) => call(news, (provider) => provider.check(olds, news)),
    diff: (id, olds, news) => call(news, (provider) => provider.diff(id, olds, news)),
    create: (inputs) => call(inputs, (provider) => provider.create(inputs)),
    read: (id, props) => call(props, (provider) => provider.read(id, props)),
    update: (id, olds, news) => call(news, (provider) => provider.update(id, olds, news)),
    delete: (id, props) => call(props, (provider) => provider.delete(id, props)),
  });
}

function openResources(config: StackConfig | undefined) {
  assertSupportedNode(process.versions.node);
  const settings = readSettings({
    config: (key) => config?.get(`proxyrental:${key}`),
    environment: process.env,
  });
  const engine = parseEngineAddress(engineAddress);
  log.connect(engineAddress);
  const cancellation = new AbortController();
  const account = openSystemAccount(settings, {
    log,
    cancelled: cancellation.signal,
    run: identifyRun(engine),
  });
  const gone = engine && awaitEngineGone(engine);
  whenEngineEnds(process, gone, async (how) => {
    await finishCalls(how, calls, cancellation, {
      endRun: () => account.journal.endRun(),
      conclude: async () => log.conclude(await account.story.lastWords()),
    });
    process.exit();
  });
  return hostResources(account);
}
