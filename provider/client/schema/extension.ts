import { z } from "zod";
import type { ProxyType } from "../records.ts";
import { promoCodeStatus, text } from "./wire.ts";

/** What an extension asks for (source: endpoints 9 and 10). */
export interface ExtensionRequest {
  proxyType: ProxyType;
  ipAddressIds: string[];
  rentPeriodDays: number;
  promoCode?: string | undefined;
}

/** What switching auto-extension asks for (source: endpoint 11). */
export interface AutoExtensionRequest {
  proxyType: ProxyType;
  ipAddressIds: string[];
  /** Length of each automatic extension, in days. */
  rentPeriodDays: number;
  autoExtend: boolean;
}

/**
 * How the ids are sent to `calculate/extend`: by the document as a string for IPv6 and as a list for the other types.
 */
export type IdsForm = "list" | "string";

/** Endpoint 9 spells the field `IpAddressIds`, with a capital I; endpoints 10 and 11 do not. */
export function toCalculateExtensionWire(
  { ipAddressIds, ...rest }: ExtensionRequest,
  idsForm: IdsForm,
): Record<string, unknown> {
  return { ...rest, IpAddressIds: idsForm === "list" ? ipAddressIds : ipAddressIds.join(",") };
}

/**
 * Answer of endpoint 10. Nothing is required that is not needed, so that a paid extension does not become unreadable.
 */
export const acceptedExtensionWire = z
  .object({
    ipAddressIds: z.array(text).catch([]),
    promoCodeStatus: promoCodeStatus.catch(null),
    balance: z.number().optional().catch(undefined),
  })
  .transform(
    (answer): AcceptedExtension => ({
      ipAddressIds: answer.ipAddressIds,
      promoCodeStatus: answer.promoCodeStatus ?? null,
      balance: answer.balance,
    }),
  );

/** Answer of endpoint 11. */
export const autoExtensionWire = z.object({
  rentPeriodDays: z.number(),
  quantity: z.number(),
  ipAddressIds: z.array(text),
});

/** An extension that the service took and charged. */
export interface AcceptedExtension {
  ipAddressIds: string[];
  promoCodeStatus: string | null;
  balance: number | undefined;
}

/** What the service says it switched. */
export type SwitchedAutoExtension = z.infer<typeof autoExtensionWire>;
