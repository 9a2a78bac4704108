import { z } from "zod";
import { type ProxyType, proxyTypes } from "../provider/client/index.ts";
import type { TypeListing } from "../provider/core/account/type-listing.ts";
import { nameOf, stackOf } from "../provider/core/values/owner.ts";
import { CliError } from "./failure.ts";
import { parseJson, readGivenFile } from "./given-file.ts";
import { keyOf, keysOfListed, type ListedOrder } from "./listed-order.ts";
import { findKind } from "./resource-kind.ts";

/** An order that a stack's state has. */
export interface KnownOrder {
  proxyType: ProxyType;
  /** Its number, and the ids under which it is listed. */
  names: string[];
  /** The name of its file. */
  file: string;
  urn: string;
  /** Whether some of its proxies had not arrived yet. */
  isWaiting: boolean;
}

/** `--show-secrets` exports what a program has made secret as JSON in a wrapper. */
function maybeSecret<Schema extends z.ZodType>(schema: Schema) {
  const opened = z
    .object({ plaintext: z.string() })
    .transform(({ plaintext }) => parseJson(plaintext))
    .pipe(schema);
  return z.union([schema, opened]);
}

const orderSchema = z.object({
  urn: z.string(),
  outputs: z.object({
    proxyType: maybeSecret(z.enum(proxyTypes)),
    orderNumber: maybeSecret(z.string()),
    orderIds: maybeSecret(z.array(z.string())),
    status: maybeSecret(z.string()),
  }),
});

const exportSchema = z.object({
  version: z.number(),
  // A stack without resources has no list of them. Pending operations may never have been carried out.
  deployment: z.object({
    resources: z.array(z.looseObject({ type: z.string(), urn: z.string() })).nullish(),
  }),
});

/** What a state file should be. */
export const EXPECTED =
  "what `pulumi stack export --file FILE` writes is expected (`-` reads it from standard input)";

/**
 * Reads the orders in these exported states. If one is wrong, the error tells nothing of its content, which may be
 * secret.
 */
export async function readAllKnownOrders(files: readonly string[]): Promise<KnownOrder[]> {
  const known: KnownOrder[] = [];
  // One after the other: standard input may be among them, and the first wrong one is named.
  for (const file of files) known.push(...(await readKnownOrders(file)));
  return known;
}

/** Says whether an order is in one of these states, or is declared somebody else's. */
export function findAccounted(
  known: readonly KnownOrder[],
  foreignOrders: ReadonlySet<string>,
): (order: ListedOrder) => boolean {
  const keys = new Set(known.flatMap(keysOf));
  return (order) => keys.has(keyOf(order)) || foreignOrders.has(order.orderId);
}

/** Names the resource that has an order; with its stack if these states are of several. */
export function nameResources(
  known: readonly KnownOrder[],
): (order: ListedOrder) => string | undefined {
  const isOneStack = new Set(known.map(({ urn }) => stackOf(urn))).size <= 1;
  const nameOne = ({ urn }: KnownOrder) => {
    const [, stack = ""] = /urn:pulumi:(.+?)::/.exec(urn) ?? [];
    return isOneStack ? nameOf(urn) : `${stack}/${nameOf(urn)}`;
  };
  const names = new Map(
    known.flatMap((order) => keysOf(order).map((key) => [key, nameOne(order)] as const)),
  );
  return (order) => names.get(keyOf(order));
}

function keysOf({ proxyType, names }: KnownOrder): string[] {
  return names.map((orderId) => keyOf({ proxyType, orderId }));
}

/** Tells which orders a state waits for under a number that is not listed. They may be listed under another one. */
export function describeWaiting(
  known: readonly KnownOrder[],
  listings: readonly Pick<TypeListing, "proxyType" | "records">[],
): string {
  const listed = keysOfListed(listings);
  return known
    .filter((order) => order.isWaiting && !keysOf(order).some((key) => listed.has(key)))
    .map(
      ({ names, urn, file }) =>
        `${nameOf(urn)} in ${file} still waits for order ${names[0]}, which is not listed under that number: run \`pulumi up\` there first, since one of these orders may be it.`,
    )
    .join("\n");
}

async function readKnownOrders(file: string): Promise<KnownOrder[]> {
  const { name, json } = await readGivenFile(file, EXPECTED);
  const exported = exportSchema.safeParse(json);
  if (!exported.success) throw new CliError(`${name} is no exported state: ${EXPECTED}`);
  const resources = exported.data.deployment.resources ?? [];
  const orders = resources.filter(({ type }) => findKind(type) === "ProxyOrder");
  return orders.map((resource) => {
    const order = orderSchema.safeParse(resource);
    if (!order.success) {
      throw new CliError(
        `${name} does not say which order ${resource.urn} is; where its outputs are encrypted, export it with --show-secrets`,
      );
    }
    const { proxyType, orderNumber, orderIds, status } = order.data.outputs;
    return {
      proxyType,
      names: [...new Set([orderNumber, ...orderIds])],
      file: name,
      urn: resource.urn,
      isWaiting: status === "pendingDelivery",
    };
  });
}
