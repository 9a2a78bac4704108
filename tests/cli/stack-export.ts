import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { OrderState } from "../../provider/core/order/model/state.ts";
import type { SimulatedOrder } from "../../simulator/index.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const DYNAMIC = "pulumi-nodejs:dynamic/proxyrental:ProxyOrder";

/** A resource as the engine exports it. */
export interface ExportedResource {
  urn: string;
  custom: boolean;
  id: string;
  type: string;
  outputs: Record<string, unknown>;
}

type ExportedState = Pick<OrderState, "proxyType" | "orderNumber" | "orderIds" | "status">;

/** An order as it stands in the state of a stack. */
export function exportedOrder(
  { proxyType, orderNumber, orderIds, status }: ExportedState,
  { name = "fleet", type = DYNAMIC } = {},
): ExportedResource {
  return {
    urn: `urn:pulumi:dev::fleet::${type}::${name}`,
    custom: true,
    id: orderNumber,
    type,
    outputs: { proxyType, orderNumber, orderIds, status, __provider: "(() => {})" },
  };
}

/** The state of a stack that has an order of the simulator, delivered. */
export function deliveredOrder(
  {
    proxyType,
    orderNumber,
    orderId,
  }: Pick<SimulatedOrder, "proxyType" | "orderNumber" | "orderId">,
  named?: { name?: string; type?: string },
): ExportedResource {
  return exportedOrder({ proxyType, orderNumber, orderIds: [orderId], status: "active" }, named);
}

/** The text that `pulumi stack export` prints for these resources and some others. */
export function exportText(
  resources: readonly ExportedResource[],
  pending: readonly ExportedResource[] = [],
): string {
  return JSON.stringify({
    version: 3,
    deployment: {
      manifest: { time: "2026-03-01T12:00:00Z", magic: "", version: "v3.270.0" },
      secrets_providers: { type: "passphrase", state: { salt: "v1:x:v1:y:z" } },
      resources: [
        {
          urn: "urn:pulumi:dev::fleet::pulumi:pulumi:Stack::fleet-dev",
          type: "pulumi:pulumi:Stack",
        },
        ...resources,
      ],
      pending_operations: pending.map((resource) => ({ resource, type: "creating" })),
      metadata: {},
    },
  });
}

/** Writes the export to a file that is removed with the test. */
export async function exportFile(...resources: readonly ExportedResource[]): Promise<string> {
  return writeState(exportText(resources));
}

/** Writes any text to a file, in place of a state. */
export async function writeState(text: string): Promise<string> {
  const path = join(await makeTemporaryFolder(), "state.json");
  await writeFile(path, text);
  return path;
}
