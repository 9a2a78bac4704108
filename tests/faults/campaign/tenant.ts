import type { SimulatedAccount, SimulatedOrder, SimulatedProxy } from "../../../simulator/index.ts";
import {
  type DeclaredDependent,
  type DeclaredOrder,
  namesOf,
  type Program,
  type StackState,
} from "./engine.ts";
import { createShownPlans, type ShownPlans } from "./shown-plans.ts";
import type { Owners } from "./spending-watch.ts";

/** What the program declares for one order. */
export interface ResourceArgs {
  country: string;
  quantity: number;
  allowReplacement?: boolean;
  adoptOrderNumber?: string;
  /** The option `import` of the resource. */
  importId?: string;
  promoCode?: string | undefined;
}

/** What the program declares for an extension. */
export interface ExtensionArgs {
  of: string;
  paidThrough: string;
  rentPeriodDays: number;
}

/** What the program declares for an auto-extension. */
export interface AutoExtensionArgs {
  of: string;
  autoExtend: boolean;
  rentPeriodDays: number;
}

/** The two names of an order. */
export type OrderNames = Pick<SimulatedOrder, "orderNumber" | "orderId">;

/** Whether an order is known by this name. */
export function isCalled({ orderNumber, orderId }: OrderNames, name: string): boolean {
  return orderNumber === name || orderId === name;
}

/** One stack, the account that it buys from, and what the campaign knows about both. */
export interface Tenant {
  /** As this stack sees it: the orders of other stacks are somebody else's, and the goal of its own is their name. */
  readonly account: SimulatedAccount;
  readonly program: Map<string, ResourceArgs>;
  readonly extensions: Map<string, ExtensionArgs>;
  readonly autoExtensions: Map<string, AutoExtensionArgs>;
  /** The present name of each renamed order. Everything else uses the name that the order had at first. */
  readonly callNames: Map<string, string>;
  readonly stack: StackState;
  /** The state before each update. */
  readonly earlier: StackState[];
  /** What tells it apart from stacks of the same name; "" if its name does. */
  readonly scope: string;
  readonly foreignOrders: Set<string>;
  readonly goneOrders: Set<string>;
  /** The goals of those that an order was handed over to, by its number, the last one last. The stacks of an account share them. */
  readonly heirs: Map<string, string[]>;
  /** Orders that a person has taken out of the state, by all names that the state had of them. */
  readonly takenOut: Set<string>;
  /** Purchases whose resource was renamed while nobody could tell what became of them. */
  readonly leftInDoubt: Pick<ResourceArgs, "country" | "quantity">[];
  readonly shown: ShownPlans;
  /** The dependents that a person has asked to replace. */
  readonly tainted: Set<string>;
  /** The addresses whose automatic extension a person has switched in the account. */
  readonly switchedByHand: Set<string>;
  /** Those that may be off unnoticed: a listing was behind and showed them on, or a run that switched them off was cut off. */
  readonly maybeOff: Set<string>;
  readonly owners: Owners;
  /** The order that a goal stands for. The goals of stacks that share an account differ. */
  nameOf(goal: string): string;
  /** The goal of what a resource buys. */
  goalOf(name: string): string;
  declareExtension(name: string, args: ExtensionArgs): void;
  /** The program in the form that the engine takes. */
  declared(): Program;
  /** The proxies of the account that have ended, for all that the service tells. */
  endedProxies(): SimulatedProxy[];
  /** The orders of a resource that are paid, have not ended and were not let go, or are held or awaited again since. */
  livingOrders(name: string): string[];
  /** Whether the program names an order that a resource is to take over. */
  isAwaited(order: OrderNames): boolean;
  /** How many proxies a resource would buy now. */
  missingOf(name: string): number;
  /** Every number and id that the stack knows. */
  known(): Set<string>;
  /** Whether a person has taken an order out of the state. */
  wasTakenOut(order: OrderNames): boolean;
  /** Notes that a person or the program has let an order go. */
  release(orderNumber: string): void;
  /** How many proxies the living orders of each resource have, by resource and country. */
  countLiving(): Map<string, number>;
  /** Whether an owner belongs to this stack, by the journal as its scope sees it. */
  owns(owner: string): boolean;
}

/** A stack that is made. */
interface TenantParts {
  account: SimulatedAccount;
  stackName: string;
  /** See `Tenant`. @default "" */
  scope?: string;
  /** With what the goals of its orders begin, and no other goals of the account. @default nothing */
  prefix?: string;
  /** See `Tenant`. */
  heirs: Map<string, string[]>;
  /** The time that the answers of the service tell. */
  serviceTime: () => Date;
  /** Whether machines share the journal. */
  isShared: boolean;
}

/** Makes a tenant with an empty stack. */
export function createTenant({
  account: whole,
  stackName,
  scope = "",
  prefix: goalPrefix = "",
  heirs,
  serviceTime,
  isShared,
}: TenantParts): Tenant {
  const account = viewOwn(whole, goalPrefix, heirs);
  const program = new Map<string, ResourceArgs>();
  const extensions = new Map<string, ExtensionArgs>();
  const autoExtensions = new Map<string, AutoExtensionArgs>();
  const callNames = new Map<string, string>();
  const released = new Set<string>();
  const everThroughMs = new Map<string, number>();
  const stack: StackState = {
    resources: new Map(),
    replaced: [],
    extensions: new Map(),
    replacedExtensions: [],
    autoExtensions: new Map(),
    replacedAutoExtensions: [],
  };
  const prefix = `org/urn:pulumi:${stackName}::fleet::proxyrental:`;
  const ownerOf = (type: string, name: string) => `${prefix}${type}::${name}`;
  const ofOrder = (name: string) => ownerOf("ProxyOrder", callNames.get(name) ?? name);

  function dependents<Args extends { of: string }>(
    type: string,
    declared: ReadonlyMap<string, Args>,
  ): Map<string, DeclaredDependent> {
    const present = [...declared].filter(([, { of }]) => program.has(of));
    return new Map(
      present.map(([name, { of, ...args }]) => [
        name,
        {
          ...{ owner: ownerOf(type, name), of, isTainted: tenant.tainted.has(name) },
          args: { proxyType: "IPv4", ...args },
        },
      ]),
    );
  }

  /** If a resource is renamed and edited, nobody can tell that an order left in doubt was its own. Plans name the order. */
  function isAnother(name: string, order: Pick<ResourceArgs, "country" | "quantity">): boolean {
    const wanted = program.get(name);
    const isSame = (one: Pick<ResourceArgs, "country" | "quantity"> | undefined) =>
      one?.country === order.country && one.quantity === order.quantity;
    return callNames.has(name) && !isSame(wanted) && tenant.leftInDoubt.some(isSame);
  }

  function isWantedAgain(order: OrderNames): boolean {
    const inState = tenant.known();
    return tenant.isAwaited(order) || inState.has(order.orderNumber) || inState.has(order.orderId);
  }

  const tenant: Tenant = {
    account,
    program,
    extensions,
    autoExtensions,
    callNames,
    stack,
    earlier: [],
    scope,
    foreignOrders: new Set(),
    goneOrders: new Set(),
    heirs,
    takenOut: new Set(),
    leftInDoubt: [],
    shown: createShownPlans(!isShared),
    tainted: new Set(),
    switchedByHand: new Set(),
    maybeOff: new Set(),

    owners: {
      ofOrder,
      ofExtension: (goal) => ownerOf("IpExtension", nameFor(extensions, goal)),
      ofAutoExtension: (goal) => ownerOf("IpAutoExtend", nameFor(autoExtensions, goal)),
      paidThroughMs: (goal) => everThroughMs.get(goal) ?? 0,
    },

    nameOf: (goal) => goal.slice(goalPrefix.length),

    goalOf: (name) => `${goalPrefix}${name}`,

    declareExtension(name, args) {
      extensions.set(name, args);
      const throughMs = Date.parse(args.paidThrough);
      everThroughMs.set(args.of, Math.max(throughMs, everThroughMs.get(args.of) ?? 0));
    },

    declared: () => ({
      orders: new Map(
        [...program].map(([name, { importId, ...given }]): [string, DeclaredOrder] => [
          name,
          {
            owner: ofOrder(name),
            importId,
            args: { proxyType: "IPv4", rentPeriodDays: 30, goal: tenant.goalOf(name), ...given },
          },
        ]),
      ),
      extensions: dependents("IpExtension", extensions),
      autoExtensions: dependents("IpAutoExtend", autoExtensions),
    }),

    endedProxies() {
      // If all answers of the service are hours ahead of its own dates, an order seems to end hours earlier. Nobody
      // who asks the service can tell, which docs/limits.md says.
      const now = serviceTime();
      return account
        .proxies()
        .filter(({ state, dateEnd }) => state === "expired" || new Date(dateEnd) <= now);
    },

    livingOrders(name) {
      const ended = new Set(tenant.endedProxies().map(({ orderNumber }) => orderNumber));
      return account
        .orders()
        .filter(({ goal, origin }) => origin === "api" && goal === name)
        .filter(({ orderNumber }) => !ended.has(orderNumber))
        .filter((order) => !released.has(order.orderNumber) || isWantedAgain(order))
        .map(({ orderNumber }) => orderNumber);
    },

    isAwaited({ orderNumber, orderId }) {
      const awaited = [...program.values()].flatMap(({ adoptOrderNumber, importId }) => [
        adoptOrderNumber,
        importId,
      ]);
      return awaited.includes(orderNumber) || awaited.includes(orderId);
    },

    missingOf(name) {
      const held = stack.resources.get(name)?.inputs.holdings.held ?? 0;
      return (program.get(name)?.quantity ?? 0) - held;
    },

    known() {
      const states = [...stack.resources.values(), ...stack.replaced].map(({ outputs }) => outputs);
      return new Set(states.flatMap(namesOf));
    },

    wasTakenOut: ({ orderNumber, orderId }) =>
      tenant.takenOut.has(orderNumber) || tenant.takenOut.has(orderId),

    release: (orderNumber) => void released.add(orderNumber),

    countLiving() {
      const counts = new Map<string, number>();
      const inState = tenant.known();
      for (const { goal, country, quantity, orderNumber, orderId } of account.orders()) {
        if (!tenant.livingOrders(goal).includes(orderNumber)) continue;
        const isKnown = inState.has(orderNumber) || inState.has(orderId);
        if (!isKnown && isAnother(goal, { country, quantity })) continue;
        const kind = `${goal} in ${country}`;
        counts.set(kind, (counts.get(kind) ?? 0) + quantity);
      }
      return counts;
    },

    owns: (owner) => owner.startsWith(prefix),
  };
  return tenant;
}

/** What the dependent of an order is called; "" if nothing is declared for it. */
function nameFor(declared: ReadonlyMap<string, { of: string }>, order: string): string {
  const [name = ""] = [...declared].find(([, { of }]) => of === order) ?? [];
  return name;
}

/** Between the prefix of a stack's goals and the name. */
const PREFIX_END = "-";

/** The stacks of one account. */
export function ofAccount(
  tenants: readonly Tenant[],
  { apiKey }: Pick<SimulatedAccount, "apiKey">,
): Tenant[] {
  return tenants.filter(({ account }) => account.apiKey === apiKey);
}

/** The goals of a stack that shares its account. */
export function goalPrefixOf(stackName: string): string {
  return `${stackName}${PREFIX_END}`;
}

function viewOwn(
  account: SimulatedAccount,
  prefix: string,
  heirs: ReadonlyMap<string, readonly string[]>,
): SimulatedAccount {
  const goalNow = ({ orderNumber, goal }: Pick<SimulatedOrder, "orderNumber" | "goal">) =>
    heirs.get(orderNumber)?.at(-1) ?? goal;
  const isOwn = (order: Pick<SimulatedOrder, "orderNumber" | "goal">) =>
    prefix === "" ? !goalNow(order).includes(PREFIX_END) : goalNow(order).startsWith(prefix);
  return {
    ...account,
    orders: () =>
      account
        .orders()
        .map((order) =>
          isOwn(order)
            ? { ...order, goal: goalNow(order).slice(prefix.length) }
            : { ...order, origin: "foreign" },
        ),
    ledger() {
      const own = new Set(
        account.orders().flatMap((order) => (isOwn(order) ? order.orderNumber : [])),
      );
      return account
        .ledger()
        .map((entry) => (own.has(entry.orderNumber) ? entry : { ...entry, origin: "foreign" }));
    },
  };
}
