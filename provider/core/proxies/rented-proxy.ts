import { z } from "zod";
import type { RentedProxy } from "../../client/index.ts";

const autoExtensionSchema = z
  .object({
    autoExtend: z
      .boolean()
      .describe("Whether the proxy is extended automatically, and charged for, before it ends."),
    extendDays: z.number().describe("Length of each automatic extension, in days."),
  })
  .meta({ id: "AutoExtension", description: "Whether a proxy is extended automatically." });

/** The order of a proxy in a state that did not always have it. */
export const knownOrderSchema = z
  .string()
  .optional()
  .describe(
    "The order it belongs to, as the listing names it; absent where release 0.1.0 has recorded the proxy.",
  );

/** The service's record of one proxy, without its login: as states keep it and functions give it. */
export const rentedProxySchema = z
  .object({
    ipAddressId: z.string().describe("Names the proxy in extensions and auto-extensions."),
    ipAddressIp: z.string().describe("The proxy's IP address."),
    orderId: z.string().describe("The order it belongs to, as the listing names it."),
    country: z.string().describe("ISO 3166-1 alpha-3 code."),
    dateStart: z
      .string()
      .optional()
      .describe(
        "Since when it is rented, ISO 8601 with offset; absent while the service does not say.",
      ),
    dateEnd: z
      .string()
      .optional()
      .describe(
        "Until when it is paid, ISO 8601 with offset; absent while the service does not say.",
      ),
    httpsPort: z.string().optional().describe("Port for HTTP and HTTPS."),
    socks5Port: z.string().optional().describe("Port for SOCKS5."),
    comment: z.string().optional().describe("Free text that the service's record carries."),
    extendInfo: autoExtensionSchema.describe(
      "Whether it is extended automatically, and by how many days each time.",
    ),
  })
  .meta({
    id: "RentedProxy",
    description: "A proxy that the account rents, without its login.",
  }) satisfies z.ZodType<RentedProxy>;
