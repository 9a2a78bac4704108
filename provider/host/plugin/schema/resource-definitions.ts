import type { z } from "zod";
import { autoExtensionArgsSchema } from "../../../core/auto-extension/args.ts";
import { autoExtensionOutputsSchema } from "../../../core/auto-extension/state.ts";
import { extensionArgsSchema } from "../../../core/extension/model/args.ts";
import { extensionOutputsSchema } from "../../../core/extension/model/state.ts";
import { orderFilterSchema } from "../../../core/order/adopt/list.ts";
import { identifying, orderArgsSchema } from "../../../core/order/model/args.ts";
import { orderOutputsSchema, secretOrderOutputs } from "../../../core/order/model/state.ts";
import type { ResourceKind } from "../../resources/kind.ts";

/** What a program may say of a resource, and what it gets. */
export interface ResourceDefinition {
  description: string;
  /** How to take over what the account already holds. */
  importing: string;
  /** The arguments. */
  inputs: z.ZodObject;
  /** How a list of those that the account holds may be narrowed, if they can be listed. */
  query?: z.ZodObject;
  /** What a program gets beside the arguments. */
  outputs: z.ZodObject;
  /** Which outputs are secret. */
  secrets: readonly string[];
  /** The arguments whose change replaces the resource. */
  replacing: readonly string[];
  /** Which outputs no update changes. */
  stable: readonly string[];
}

/** Every resource, by the schemas of its arguments and its state. */
export const resourceDefinitions: Readonly<Record<ResourceKind, ResourceDefinition>> = {
  ProxyOrder: {
    description:
      "An order of proxies. The preview shows its price; `pulumi up` buys it once, which **spends money**; `pulumi destroy` can't cancel it, but ends its auto-extension and says until when it is paid.",
    importing:
      "An order that the account already holds is imported by its number, free of charge:\n\n```sh\n$ pulumi import proxyrental:index:ProxyOrder crawlers 123456\n```\n\nThe service does not tell what an order was for. Say any `goal`: only the next purchase uses it.",
    inputs: orderArgsSchema,
    query: orderFilterSchema,
    outputs: orderOutputsSchema,
    secrets: secretOrderOutputs,
    replacing: [...identifying, "adoptOrderNumber"],
    stable: ["orderNumber"],
  },
  IpAutoExtend: {
    description:
      "Automatic extension of proxies. Switching it on spends nothing now; from then on the service charges the balance each time the proxies are about to end. Destroying it switches it off.",
    importing:
      "There is nothing to import. Declare the resource: what is switched on already stays on, and costs nothing now.",
    inputs: autoExtensionArgsSchema,
    outputs: autoExtensionOutputsSchema,
    secrets: [],
    replacing: ["proxyType"],
    stable: [],
  },
  IpExtension: {
    description:
      "Says that proxies are paid at least through a date. Each run looks at their ends first, so running it again pays nothing, and what an automatic extension has paid meanwhile is not paid again. The preview shows the price of all that is missing; `pulumi up` pays it, one rent period a call, and stops if more is needed than was shown (`NOT_PLANNED`, `PRICE_ROSE`). If it stops half way (`EXTENSION_INCOMPLETE`), what is paid is saved, and the next `up` pays for the rest. An earlier date, or a later one that is met already, costs nothing. Destroying it undoes nothing and refunds nothing.",
    importing:
      "There is nothing to import. Declare the resource: what is paid already is not paid again.",
    inputs: extensionArgsSchema,
    outputs: extensionOutputsSchema,
    secrets: [],
    replacing: ["proxyType"],
    stable: [],
  },
};
