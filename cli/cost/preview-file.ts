import { stripVTControlCharacters } from "node:util";
import { z } from "zod";
import { type ProxyType, proxyTypes } from "../../provider/client/index.ts";
import {
  type AutoExtensionQuote,
  autoExtensionQuoteSchema,
} from "../../provider/core/auto-extension/state.ts";
import { type Quote, quoteSchema } from "../../provider/core/spending/quote.ts";
import { nameOf } from "../../provider/core/values/owner.ts";
import { CliError } from "../failure.ts";
import { readGivenFile } from "../given-file.ts";
import { findKind, type ResourceKind } from "../resource-kind.ts";
import { findStackName, type StackName } from "./stack-name.ts";

/** What a preview says of the resources of this package. */
export interface Preview {
  /** Undefined if the preview lists no step: nothing in it names the stack then. */
  stack: StackName | undefined;
  resources: PlannedResource[];
  /** How many unchanged resources of any kind it does not list. */
  hiddenCount: number;
}

/** What is planned for one resource, in one or more steps of the engine. */
export interface PlannedResource {
  urn: string;
  kind: ResourceKind;
  operation: "create" | "update" | "replace" | "delete" | "same";
  /** Whether it is replaced although no argument asks for it. */
  isUnexplained: boolean;
  /** Undefined for a new resource. */
  before: Inputs | undefined;
  /** Undefined for a deleted one. */
  after: Inputs | undefined;
}

/**
 * The few inputs that may be told. Each is undefined if it is not known yet, is secret, or can't be parsed. All
 * others stay in the file, because some are secret.
 */
export interface Inputs {
  proxyType: ProxyType | undefined;
  country: string | undefined;
  rentPeriodDays: number | undefined;
  /** How many proxies an order holds afterwards, and how many of them something else has bought. */
  holdings: { held: number; adopted?: number | undefined } | undefined;
  /** How many proxies an extension, automatic or not, names. */
  namedCount: number | undefined;
  /** The quote of an order or an extension. */
  quote: Quote | undefined;
  /** Whether an automatic extension is on. */
  autoExtend: boolean | undefined;
  /** The quote of an automatic extension. It may be that of an earlier plan, in which it was on or off. */
  cycle: AutoExtensionQuote | undefined;
}

const known = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);
const amount = z.number().min(0).optional();

const inputsSchema = z.object({
  proxyType: known(z.enum(proxyTypes)),
  country: known(z.string().regex(/^[A-Z]{3}$/)),
  rentPeriodDays: known(z.int().min(1)),
  holdings: known(z.object({ held: z.int().min(0), adopted: z.int().min(0).optional() })),
  ipAddressIds: known(z.array(z.unknown())),
  autoExtend: known(z.boolean()),
  quote: known(z.unknown()),
});

const pricedSchema = quoteSchema.extend({
  price: amount,
  priceAtMost: amount,
  budget: quoteSchema.shape.budget.catch(undefined),
});
const cycleSchema = autoExtensionQuoteSchema.extend({ pricePerCycle: amount });

/** Resources of other kinds are not parsed, whatever they hold. */
const stateSchema = z.object({ type: z.string(), inputs: z.unknown().optional() });

type State = z.infer<typeof stateSchema>;

const stepSchema = z.object({
  op: z.string(),
  urn: z.string(),
  oldState: stateSchema.optional(),
  newState: stateSchema.optional(),
  replaceReasons: z.array(z.string()).nullish(),
});

type Step = z.infer<typeof stepSchema>;

const previewSchema = z.object({
  steps: z.array(stepSchema).nullish(),
  diagnostics: z
    .array(
      z.object({ severity: z.string(), urn: z.string().optional(), message: z.string().catch("") }),
    )
    .nullish(),
  // Only a preview whose refresh has failed has none.
  changeSummary: z.record(z.string(), z.number()).optional(),
});

/** What a preview file should be. */
export const EXPECTED =
  "what `pulumi preview --json` writes is expected (`-` reads it from standard input)";

/** A YAML program that is wrong says so on its host's standard error only, and the plan just ends there. */
function isError({ severity, message }: { severity: string; message: string }): boolean {
  if (severity === "error") return true;
  return severity === "info#err" && stripVTControlCharacters(message).startsWith("Error: ");
}

/** Reads a preview. If it is wrong, or has failed, the error tells nothing of its content, which may be secret. */
export async function readPreviewFile(file: string): Promise<Preview> {
  const { name, json } = await readGivenFile(file, EXPECTED);
  const { steps, diagnostics, changeSummary } = previewSchema.safeParse(json).data ?? {};
  const errors = (diagnostics ?? []).filter(isError);
  if (errors.length > 0) {
    const names = [...new Set(errors.flatMap(({ urn }) => (urn === undefined ? [] : nameOf(urn))))];
    const where = names.length === 0 ? "" : ` at ${names.join(", ")}`;
    throw new CliError(
      `the preview in ${name} has failed${where}, so what it would spend is not known; run \`pulumi preview\` without --json to read why`,
    );
  }
  if (changeSummary === undefined) throw new CliError(`${name} is no preview: ${EXPECTED}`);
  return parsePreview(steps ?? [], changeSummary.same ?? 0);
}

function parsePreview(steps: readonly Step[], sameCount: number): Preview {
  // The steps of a refresh come first. They repeat old quotes, and are no plan yet.
  const planned = steps.filter(({ op }) => op !== "refresh");
  const shownCount = planned.filter(({ op }) => op === "same").length;
  const resources = [...Map.groupBy(planned, ({ urn }) => urn).values()].flatMap(parseResource);
  return {
    stack: findStackName(steps.map(({ urn }) => urn)),
    // The engine's own order differs from run to run. A comment should change only with the plan.
    resources: resources.sort((a, b) => (a.urn < b.urn ? -1 : 1)),
    hiddenCount: Math.max(0, sameCount - shownCount),
  };
}

/** A replacement may be one step, or several that repeat each other. It counts once. */
function parseResource(steps: readonly Step[]): PlannedResource[] {
  const [first] = steps;
  const after = steps.findLast(({ op, newState }) => newState && !isRemoval(op))?.newState;
  const before = steps.find(({ oldState }) => oldState)?.oldState;
  const kind = findKind(after?.type ?? before?.type ?? "");
  if (first === undefined || kind === undefined) return [];
  const operation = parseOperation(steps, before !== undefined);
  const reasons = steps.flatMap(({ replaceReasons }) => replaceReasons ?? []);
  return [
    {
      ...{ urn: first.urn, kind, operation },
      // If the engine was told to replace, it names the id. Otherwise it names the arguments that differ.
      isUnexplained: operation === "replace" && reasons.every((reason) => reason === "id"),
      before: before && parseInputs(kind, before),
      after: after && parseInputs(kind, after),
    },
  ];
}

function parseInputs(kind: ResourceKind, { inputs }: State): Inputs {
  const read = inputsSchema.safeParse(inputs).data;
  const isCycle = kind === "IpAutoExtend";
  return {
    proxyType: read?.proxyType,
    country: read?.country,
    rentPeriodDays: read?.rentPeriodDays,
    holdings: read?.holdings,
    namedCount: read?.ipAddressIds?.length,
    autoExtend: read?.autoExtend,
    quote: isCycle ? undefined : pricedSchema.safeParse(read?.quote).data,
    cycle: isCycle ? cycleSchema.safeParse(read?.quote).data : undefined,
  };
}

function isRemoval(op: string): boolean {
  return op.startsWith("delete") || op.startsWith("discard") || op.startsWith("remove");
}

/** Unknown operations count like a purchase: their quote says what they cost. */
function parseOperation(steps: readonly Step[], isThere: boolean): PlannedResource["operation"] {
  const ops = steps.map(({ op }) => op).filter((op) => !isRemoval(op));
  if (ops.some((op) => op.includes("replace"))) return "replace";
  if (ops.length === 0) return "delete";
  if (ops.every((op) => op === "same")) return "same";
  return isThere ? "update" : "create";
}
