import { type HostedResource, type Props, SavedFailure } from "../resources/hosted-resource.ts";
import { wordRefusal } from "../resources/refusal.ts";
import {
  type CheckResult,
  parseGiven,
  parseOld,
  providerOf,
  withoutUndefined,
  withUnknown,
} from "./wire.ts";

/** The methods that the dynamic provider process calls. */
export interface DynamicProvider {
  check(olds: Props, news: Props): Promise<CheckResult>;
  diff(id: string, olds: Props, news: Props): Promise<Props>;
  create(inputs: Props): Promise<{ id: string; outs: Props }>;
  read(id: string, props: Props): Promise<{ id: string; props?: Props; inputs?: Props }>;
  update(id: string, olds: Props, news: Props): Promise<{ outs: Props }>;
  delete(id: string, props: Props): Promise<void>;
}

/** A resource as the dynamic provider process calls it. It only translates. */
export function toDynamicProvider(resource: HostedResource): DynamicProvider {
  return {
    async check(olds, news) {
      const { owner, given } = parseGiven(news);
      const checked = await resource.check(owner, parseOld(olds), given);
      return {
        inputs: withUnknown(checked, news, given),
        failures: checked.failures.map(wordRefusal),
      };
    },

    async diff(_id, olds, news) {
      const { owner, given } = parseGiven(news);
      const change = await resource.diff(olds, { ...given, known: { ...given.known, owner } });
      if (change.kind === "none") return { changes: false };
      if (change.kind === "update") return { changes: true };
      const { properties, deleteBeforeReplace } = change;
      return { changes: true, replaces: properties, deleteBeforeReplace };
    },

    async create(inputs) {
      const { id, state } = await resource.create(inputs).catch(saveWith(inputs));
      return { id, outs: withoutUndefined(state) };
    },

    async read(id, props) {
      const found = await resource.read(props);
      // To the engine, an empty id means that the resource is gone.
      if (found === undefined) return { id: "" };
      const drift = found.drift && { inputs: withoutUndefined(found.drift) };
      return { id, props: withoutUndefined(found.state), ...drift };
    },

    async update(_id, olds, news) {
      const state = await resource.update(olds, news).catch(saveWith(news));
      return { outs: withoutUndefined(state) };
    },

    delete: (_id, props) => resource.delete(props),
  };
}

/** Fails so that the engine saves the resource in spite of the failure. */
function saveWith(inputs: Props): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof SavedFailure)) throw error;
    throw Object.assign(new Error(error.message), {
      id: error.id,
      properties: { ...withoutUndefined(error.state), ...providerOf(inputs) },
      reasons: [error.message],
    });
  };
}
