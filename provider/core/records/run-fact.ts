import { z } from "zod";
import { proxyTypes } from "../../client/index.ts";

/** Every number and listed id of one order, its number first. */
const orderNamesSchema = z.tuple([z.string()], z.string()).readonly();

/** See `orderNamesSchema`. */
export type OrderNames = z.infer<typeof orderNamesSchema>;

/** An order as `NamesOfType` names it, its number first. */
const knownOrderSchema = z.object({ proxyType: z.enum(proxyTypes), names: orderNamesSchema });

/** See `knownOrderSchema`. */
export type KnownOrder = z.infer<typeof knownOrderSchema>;

/** An order that a resource holds. */
const heldOrderSchema = knownOrderSchema.extend({
  /** The purchase by which the resource has bought it; absent if it has not. A service may tell two purchases one number. */
  requestId: z.string().optional(),
  /** See `HandedOver`. */
  handOver: z.string().or(z.undefined()).optional(),
});

/** See `heldOrderSchema`. */
export type HeldOrder = z.infer<typeof heldOrderSchema>;

/** What a resource costs per 30 days. Without an amount, nobody can tell yet. */
const monthlySchema = z.object({
  proxyType: z.enum(proxyTypes),
  amount: z.number().optional(),
});

/** What people are told of the plan of one resource. */
const shownPlanSchema = z.object({
  /** Each is a sentence without the name of the resource. */
  lines: z.array(z.string()),
  /** What it may spend. If the price is not known, there may be a cap. */
  spend: z.object({ price: z.number().optional(), atMost: z.number().optional() }).optional(),
  /** An order that changes: what it costs afterwards, so also what it costs to keep it. */
  keeping: monthlySchema.optional(),
  /** What renews by itself. Without an amount, its proxies are not known yet. */
  renewing: monthlySchema.optional(),
  currency: z.string().optional(),
  /** The balance before the run. */
  balance: z.number().optional(),
  /** Whether the plan was refused. Then no sum of the run is true. */
  isRefused: z.boolean().optional(),
});

/** See `shownPlanSchema`. */
export type ShownPlan = z.infer<typeof shownPlanSchema>;

/** Something that was done for a resource, as people are told of it. */
const deedSchema = z.object({
  /** The same for all that is told of one deed. */
  id: z.string(),
  line: z.string(),
  /** When, by the clock of this machine. */
  atMs: z.number(),
  paid: z
    .object({ price: z.number(), currency: z.string(), balance: z.number().optional() })
    .optional(),
  /** A purchase of which nobody knows whether it was placed. */
  doubt: z.object({ price: z.number(), currency: z.string() }).optional(),
});

/** See `deedSchema`. */
export type Deed = z.infer<typeof deedSchema>;

/** Something that one provider process of a run tells the others. */
export const factSchema = z.discriminatedUnion("kind", [
  /** The process has begun: the next purchase would have had this sequence. */
  z.object({ kind: z.literal("began"), sequence: z.number() }),
  /** The same for flags: the next note of one would have had this turn. */
  z.object({ kind: z.literal("beganSwitching"), turn: z.number() }),
  /** The state holds a paid order for this owner. */
  z.object({
    kind: z.literal("holds"),
    owner: z.string(),
    requestId: z.string(),
    orders: z.array(heldOrderSchema).readonly(),
  }),
  /** The program names an order for the owner to take over. */
  z.object({ kind: z.literal("adopts"), owner: z.string(), order: knownOrderSchema }),
  /** The owner takes over what an earlier run has bought for it: this purchase, or any while its arguments are not known. */
  z.object({ kind: z.literal("takesOver"), owner: z.string(), requestId: z.string().optional() }),
  /** A state of the owner, which has these orders, is deleted, or goes on by another name, or all of it has ended. */
  z.object({
    kind: z.literal("ended"),
    owner: z.string(),
    orders: z.array(heldOrderSchema).readonly(),
    /** The numbers of the orders, if a refresh has found that they have ended. */
    numbers: z.array(z.string()).readonly().optional(),
  }),
  /** The owner's plan would spend this, or at most this if its price is not known yet. The latest one counts. */
  z.object({
    kind: z.literal("plans"),
    owner: z.string(),
    account: z.string(),
    price: z.number(),
    currency: z.string().optional(),
    isCap: z.boolean().optional(),
    /** The owner of the fleet that it is a part of. */
    fleet: z.string().or(z.undefined()).optional(),
  }),
  /** A purchase is about to be sent, or was sent, for this price. The latest of a request counts. */
  z.object({
    kind: z.literal("spends"),
    owner: z.string(),
    requestId: z.string(),
    account: z.string(),
    price: z.number(),
    currency: z.string().optional(),
    /** The owner of the fleet that it is for. */
    fleet: z.string().or(z.undefined()).optional(),
    /** Whether it is not known yet what became of it. */
    isInFlight: z.boolean().optional(),
  }),
  /** Nothing more may be bought in this run, for this reason. */
  z.object({ kind: z.literal("stops"), account: z.string(), reason: z.string() }),
  /** How often a promo code could be used when its list was read. */
  z.object({
    kind: z.literal("offers"),
    account: z.string(),
    promoCode: z.string(),
    countUses: z.number(),
  }),
  /** How often the owner's plan uses a promo code, if it uses one. The latest counts. */
  z.object({
    kind: z.literal("uses"),
    owner: z.string(),
    account: z.string(),
    promoCode: z.string().optional(),
    uses: z.number(),
  }),
  /** How the owner declares the automatic extension of proxies. The latest of a stage counts. */
  z.object({
    kind: z.literal("renews"),
    owner: z.string(),
    account: z.string(),
    /**
     * - absent: the program declares it, and it may still be refused;
     * - `kept`: a state has it, or gets it by this run;
     * - `withdrawn`: it was refused, and no state gets it.
     */
    stage: z.enum(["kept", "withdrawn"]).optional(),
    proxyType: z.enum(proxyTypes),
    ipAddressIds: z.array(z.string()),
    rentPeriodDays: z.number(),
    autoExtend: z.boolean(),
  }),
  /** What people are told of the owner's plan. The latest counts. */
  z.object({
    kind: z.literal("shows"),
    owner: z.string(),
    account: z.string(),
    plan: shownPlanSchema,
  }),
  /** What was done for the owner. */
  z.object({ kind: z.literal("did"), owner: z.string(), account: z.string(), deed: deedSchema }),
  /** The process has said the last words of the run, and they were about these owners. */
  z.object({
    kind: z.literal("concluded"),
    account: z.string(),
    owners: z.array(z.string()).readonly(),
  }),
  /** A refresh has put this payment into a state. */
  z.object({ kind: z.literal("refreshed"), account: z.string(), requestId: z.string() }),
  /** Until when proxies are paid at least, by their ids and addresses, as a state records it. */
  z.object({
    kind: z.literal("ends"),
    account: z.string(),
    proxyType: z.enum(proxyTypes),
    ends: z.record(z.string(), z.string()),
  }),
]);

/** See `factSchema`. */
export type RunFact = z.infer<typeof factSchema>;

/** A fact about one account, without its name: the parts of an account know no other account. */
export type AccountFact = WithoutAccount<Extract<RunFact, { account: string }>>;

type WithoutAccount<Fact> = Fact extends unknown ? Omit<Fact, "account"> : never;
