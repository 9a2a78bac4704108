import { describe, expect, test } from "vitest";
import { callFunction, type FunctionName } from "../../provider/core/functions/functions.ts";
import type { InputFailure } from "../../provider/core/values/inputs.ts";
import type { PropertySpec } from "../../provider/host/plugin/schema/spec.ts";
import { tokenOf } from "../../provider/host/plugin/tokens.ts";
import type { HostedResource } from "../../provider/host/resources/hosted-resource.ts";
import type { ResourceKind } from "../../provider/host/resources/kind.ts";
import { forEachKind, hostResources } from "../../provider/host/resources/resources.ts";
import { startForTest } from "../simulator/start.ts";
import { beginAccountRun } from "../support/account.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
import { choicesOf, publishedSchema } from "./published-package.ts";

// These tests compare the schema's words about arguments with what the provider does with them.

const kinds = Object.values(forEachKind((kind) => kind));

const functionNames = Object.keys(publishedSchema.functions).map(
  (token) => token.slice(tokenOf("").length) as FunctionName,
);

type Known = Record<string, unknown>;

const given = (known: Known) => ({ known, unknown: new Set<string>() });

async function openResources() {
  const clock = createVirtualClock();
  const simulator = await startForTest({ now: clock.now });
  const journalDir = await makeTemporaryFolder();
  const { account } = beginAccountRun({ simulator, journalDir, clock });
  return { account, resources: hostResources(account) };
}

function resourceSpec(kind: ResourceKind) {
  const spec = publishedSchema.resources[tokenOf(kind)];
  if (spec === undefined) throw new Error(`the schema has no ${kind}`);
  return spec;
}

/** The accepted names, as the refusal of an unknown argument lists them. */
function acceptedNames(failures: readonly InputFailure[]): string[] {
  const refusal = failures.find(({ property }) => property === "stranger")?.reason ?? "";
  const [, names = ""] = refusal.split("accepted: ");
  return names === "none" ? [] : names.split(", ");
}

const check = async (resource: HostedResource, known: Known) =>
  resource.check("owner", undefined, given(known));

/** Why the value of this single argument is refused. */
async function refusalOf(resource: HostedResource, property: string, value: unknown) {
  const { failures } = await check(resource, { [property]: value });
  return failures.find((failure) => failure.property === property)?.reason;
}

/** Values that do not fit a property. */
function findWrongValues(property: PropertySpec): unknown[] {
  if (property.$ref !== undefined) return ["NONE_OF_THESE", 5];
  switch (property.type) {
    case "string":
      return [5, true];
    case "integer":
      return [1.5, "many"];
    case "number":
      return ["much", true];
    case "boolean":
      return ["perhaps", 1];
    default:
      return ["one", [5]];
  }
}

describe.each(kinds)("arguments of %s", (kind) => {
  const { inputProperties, requiredInputs } = resourceSpec(kind);

  test("are the arguments that a check accepts", async () => {
    const { resources } = await openResources();
    const { failures } = await check(resources[kind], { stranger: 1 });
    expect(acceptedNames(failures)).toEqual(Object.keys(inputProperties));
  });

  test("are required if a check requires them", async () => {
    const { resources } = await openResources();
    const { failures } = await check(resources[kind], {});
    const missing = failures.filter(({ reason }) => reason.startsWith("is required:"));
    expect(missing.map(({ property }) => property)).toEqual(requiredInputs);
  });

  test("have the types and choices that a check accepts", async () => {
    const { resources } = await openResources();
    for (const [name, property] of Object.entries(inputProperties)) {
      for (const value of findWrongValues(property)) {
        const refusal = await refusalOf(resources[kind], name, value);
        expect(refusal, `${name}: ${value}`).toMatch(/^must be /);
        for (const choice of choicesOf(property)) expect(refusal).toContain(choice);
      }
      for (const choice of choicesOf(property)) {
        const refusal = await refusalOf(resources[kind], name, choice);
        expect(refusal ?? "", `${name}: ${choice}`).not.toMatch(/^must be /);
      }
    }
  });
});

const order = {
  ...{ proxyType: "IPv4", country: "USA", quantity: 2, rentPeriodDays: 30, goal: "testing" },
};

/** Declares each resource with as few arguments as possible, all for one order. Returns checked inputs and states. */
async function declareAll() {
  const { resources } = await openResources();
  const declare = async (kind: ResourceKind, args: Known) => {
    const { inputs, failures } = await check(resources[kind], args);
    expect(failures).toEqual([]);
    const { state } = await resources[kind].create({ ...inputs });
    return { args, inputs: { ...inputs } as Known, state: { ...state } as Known };
  };
  const ProxyOrder = await declare("ProxyOrder", order);
  const { ipAddressIds } = ProxyOrder.state;
  const held = { proxyType: "IPv4", ipAddressIds, rentPeriodDays: 30 };
  const IpAutoExtend = await declare("IpAutoExtend", held);
  // The proxies are paid until then already.
  const paidThrough = String(ProxyOrder.state.expiresAt);
  const IpExtension = await declare("IpExtension", { ...held, paidThrough });
  return { resources, declared: { ProxyOrder, IpAutoExtend, IpExtension } };
}

test("an omitted argument has the schema's default, or is absent", async () => {
  const { declared } = await declareAll();
  for (const kind of kinds) {
    const { args, inputs } = declared[kind];
    const { inputProperties } = resourceSpec(kind);
    const filledIn = Object.keys(inputProperties).filter((name) => !Object.hasOwn(args, name));
    for (const name of filledIn)
      expect([name, inputs[name]]).toEqual([name, inputProperties[name]?.default]);
    for (const name of Object.keys(args))
      expect(inputProperties[name]).not.toHaveProperty("default");
  }
});

/** For each argument a value that no resource here has yet. */
const otherValues: Known = {
  ...{ proxyType: "ISP", country: "DEU", quantity: 3, rentPeriodDays: 60, goal: "another" },
  ...{ promoCode: "SPRING10", authType: "IP", authIp: "192.0.2.1", protocol: "HTTP" },
  ...{ mobileOperator: "ee", rotationTime: 600, maxPrice: 1, allowReplacement: true },
  ...{ adoptOrderNumber: "9999", deliveryTimeoutSeconds: 60, ipAddressIds: ["1"] },
  ...{ autoExtend: false, paidThrough: "2030-01-01" },
};

test("an argument says that it replaces the resource if and only if it does", async () => {
  const { resources, declared } = await declareAll();
  for (const kind of kinds) {
    const { inputs, state } = declared[kind];
    const { inputProperties } = resourceSpec(kind);
    const replacing: string[] = [];
    for (const name of Object.keys(inputProperties)) {
      expect(otherValues).toHaveProperty(name);
      const wanted = { ...inputs, allowReplacement: true, [name]: otherValues[name] };
      // A change that is refused replaces nothing.
      const change = await resources[kind].diff(state, given(wanted)).catch(() => undefined);
      if (change?.kind === "replace") replacing.push(...change.properties);
    }
    const saying = Object.entries(inputProperties)
      .filter(([, property]) => property.willReplaceOnChanges)
      .map(([name]) => name);
    expect(saying).toEqual(replacing);
    expect(replacing.length).toBeGreaterThan(0);
  }
});

test.each(functionNames)("the accepted arguments of %s are those of the schema", async (name) => {
  const { account } = await openResources();
  const { inputs } = publishedSchema.functions[tokenOf(name)] ?? {};
  const reply = await callFunction(account, name, { stranger: 1 });
  const failures = "failures" in reply ? reply.failures : [];
  expect(acceptedNames(failures)).toEqual(Object.keys(inputs?.properties ?? {}));
  const missing = failures.filter(({ reason }) => reason.startsWith("is required:"));
  expect(missing.map(({ property }) => property)).toEqual(inputs?.required ?? []);
});
