import provider from "@pulumi/pulumi/proto/provider_pb.js";
import type { Change } from "../resources/hosted-resource.ts";
import type { ReceivedProps } from "./struct.ts";

type Kind = (typeof provider.PropertyDiff.Kind)[keyof typeof provider.PropertyDiff.Kind];

/** One property that a plan shows as changed. */
export interface PropertyChange {
  kind: Kind;
  /** Whether the inputs differ, and not the outputs. */
  isInput: boolean;
}

/**
 * Which properties a plan shows as changed, and how.
 * @param shown the arguments, and the quote if something is bought. The rest is bookkeeping.
 */
export function detailChange(
  change: Change,
  before: ReceivedProps,
  wanted: ReceivedProps,
  shown: ReadonlySet<string>,
): Map<string, PropertyChange> {
  if (change.kind === "none") return new Map();
  const replacing = new Set(change.kind === "replace" ? change.properties : []);
  const differing = [...shown].filter(
    (name) => replacing.has(name) || !isSame(name, before, wanted),
  );
  if (differing.length > 0) {
    return new Map(
      differing.map((name) => [
        name,
        { kind: kindOf(name, before, wanted, replacing.has(name)), isInput: true },
      ]),
    );
  }
  // Nothing was edited. An unfinished create is to be finished.
  return new Map([["status", { kind: provider.PropertyDiff.Kind.UPDATE, isInput: false }]]);
}

function kindOf(
  name: string,
  before: ReceivedProps,
  wanted: ReceivedProps,
  replaces: boolean,
): Kind {
  const { Kind } = provider.PropertyDiff;
  const had = Object.hasOwn(before.raw, name);
  const has = Object.hasOwn(wanted.raw, name);
  if (!had) return replaces ? Kind.ADD_REPLACE : Kind.ADD;
  if (!has) return replaces ? Kind.DELETE_REPLACE : Kind.DELETE;
  return replaces ? Kind.UPDATE_REPLACE : Kind.UPDATE;
}

function isSame(name: string, before: ReceivedProps, wanted: ReceivedProps): boolean {
  if (wanted.unknown.has(name) || before.unknown.has(name)) return false;
  return JSON.stringify(before.known[name]) === JSON.stringify(wanted.known[name]);
}
