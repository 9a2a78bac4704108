import fc, { type AsyncCommand } from "fast-check";
import { type Families, whenIn } from "./families.ts";
import {
  findForeign,
  findFormers,
  findHeirs,
  forgoHandOver,
  handOrderOver,
  hasHandedOver,
  takeForeignOver,
} from "./hand-overs.ts";
import { deleteFromState, putStateBack } from "./lost-states.ts";
import { switchByHand } from "./renewals.ts";
import { type LettingGo, shareAndLetGo } from "./shared-orders.ts";
import type { ResourceArgs, Tenant } from "./tenant.ts";
import {
  anyFormerFlags,
  anyQuantity,
  anyTrouble,
  cause,
  countries,
  itemOf,
  type Trouble,
} from "./troubles.ts";
import { LONGEST_LOOK_BACK_MINUTES, type RunPlan, type World } from "./world.ts";
import type { WorldOptions } from "./world-parts.ts";

/** Empty, because the world knows everything. */
export type Model = Record<string, never>;

type Step = AsyncCommand<Model, World>;

const resourceNames = ["a", "b", "c"];

/** A resource that nothing else declares is free more often. */
const heirNames = [...resourceNames, "d"];

const MINUTE_MS = 60_000;

/** A preview runs this long before an order ends, so that its update comes after the end. */
const SHORTLY_MS = 10 * MINUTE_MS;

const HOUR_MS = 60 * MINUTE_MS;

const DAY_MS = 24 * HOUR_MS;

/** Everything that may happen to the stacks. */
export function anyStep(families: Families): fc.Arbitrary<Step>[] {
  const name = fc.constantFrom(...resourceNames);
  const trouble = anyTrouble(families);
  const when = whenIn<fc.Arbitrary<Step>>(families);
  const anyDeclaration = fc
    .tuple(name, anyArgs(families), anyTenant(families))
    .map(([of, given, tenant]) => declare(of, given, tenant));
  return [
    anyDeclaration,
    name.map(withdraw),
    ...Array.from({ length: 3 }, () => anyRun(families).map(run)),
    ...Array.from({ length: 3 }, () => trouble.map(breakService)),
    ...when(
      "neighbours",
      Array.from({ length: 3 }, () => anyCrowd(families).map(runTogether)),
    ),
    fc.constant(mend()),
    fc.constantFrom(1, 29, 31, 31 * 24 * 60).map(pass),
    fc.tuple(fc.constantFrom(...countries), anyQuantity()).map((of) => buyElsewhere(...of)),
    fc.constant(changeMachine()),
    ...when("clocks", [fc.constantFrom(-7, -1, 0, 3, 12).map(setClock)]),
    ...when("checkouts", [fc.constantFrom("new" as const, "former" as const).map(enterCheckout)]),
    ...when("renames", [name.map(rename)]),
    ...when("deletions", [name.map(takeOut)]),
    ...when(
      "handOvers",
      Array.from({ length: 5 }, () => anyHandOver().map((of) => handOver(...of))),
    ),
    ...when(
      "handOvers",
      Array.from({ length: 3 }, () =>
        fc.tuple(anyHandOver(), anyLettingGo()).map((of) => letGoTogether(...of)),
      ),
    ),
    ...when(
      "handOvers",
      (["adopt", "import"] as const).map((how) => anyHandOver().map((of) => takeOver(...of, how))),
    ),
    ...when(
      "putBacks",
      Array.from({ length: 2 }, () =>
        fc.tuple(fc.nat({ max: 9 }), anyTenant(families)).map((of) => putBack(...of)),
      ),
    ),
    ...when("prices", [fc.constantFrom(0.5, 1, 1.5, 2).map(setPrice)]),
    ...anyExtending(name, families),
    ...anyRenewing(name, families),
    ...when(
      "autoExtensions",
      Array.from({ length: 2 }, () => anyRenewals(families)),
    ),
  ];
}

/** What may happen to the extension of an order. */
function anyExtending(name: fc.Arbitrary<string>, families: Families): fc.Arbitrary<Step>[] {
  const when = whenIn<fc.Arbitrary<Step>>(families);
  return when("extensions", [
    fc.tuple(name, fc.constantFrom(10, 25, 45, 75)).map((of) => declareExtension(...of)),
    name.map(withdrawExtension),
    ...when("taints", [name.map((of) => taint("extensions", of))]),
    ...when("renames", [name.map(renameExtension)]),
  ]);
}

/** What may happen to the auto-extension of an order. */
function anyRenewing(name: fc.Arbitrary<string>, families: Families): fc.Arbitrary<Step>[] {
  const when = whenIn<fc.Arbitrary<Step>>(families);
  return when("autoExtensions", [
    fc.tuple(name, fc.boolean(), fc.constantFrom(30, 60)).map((of) => declareRenewal(...of)),
    fc.tuple(name, fc.constant(true), fc.constant(30)).map((of) => declareRenewal(...of)),
    name.map(withdrawRenewal),
    ...when("renames", [name.map(renameRenewal)]),
    ...when("flags", [
      fc.tuple(name, fc.boolean(), anyTenant(families)).map((of) => switchRenewal(...of)),
    ]),
    ...when("taints", [name.map((of) => taint("autoExtensions", of))]),
  ]);
}

/** Several edits of one auto-extension, with a run after each. A flag needs many of them to go astray. */
function anyRenewals(families: Families): fc.Arbitrary<Step> {
  const when = whenIn<fc.Arbitrary<Step>>(families);
  const nothing = fc.constant(inOrder([]));
  const trouble = fc.oneof(
    { weight: 4, arbitrary: nothing },
    ...[
      ...when("flags", [anyFormerFlags().map((one) => breakService([one]))]),
      ...when("listings", [anyTrouble(families).map(breakService)]),
      ...when("checkouts", [fc.constant(enterCheckout("former"))]),
    ].map((arbitrary) => ({ weight: 1, arbitrary })),
  );
  const runs = fc.oneof(
    { weight: 3, arbitrary: anyCalmRun(families).map(run) },
    { weight: 1, arbitrary: anyRun(families).map(run) },
  );
  return fc.constantFrom(...resourceNames).chain((name) => {
    const edit = fc.oneof(nothing, ...anyRenewing(fc.constant(name), families));
    const rounds = fc.array(fc.tuple(trouble, edit, runs), { minLength: 2, maxLength: 5 });
    return rounds.map((all) => inOrder(all.flat()));
  });
}

/** A run of the first stack that nobody cuts off. */
function anyCalmRun(families: Families): fc.Arbitrary<RunPlan> {
  const phases = families.has("phases")
    ? (["preview", "update", "update", "both"] as const)
    : (["update"] as const);
  return fc.record({ refresh: fc.boolean(), phases: fc.constantFrom(...phases) });
}

/** The program at the beginning of a schedule. */
export function anyProgram(families: Families): fc.Arbitrary<[string, ResourceArgs][]> {
  const entry = fc.tuple(fc.constantFrom(...resourceNames), anyArgs(families));
  return fc.uniqueArray(entry, { minLength: 1, selector: ([name]) => name });
}

/** How the world is at the beginning of a schedule. */
export function anyWorld(families: Families): fc.Arbitrary<WorldOptions> {
  const isLimited = families.has("prices") || families.has("promos") || families.has("providers");
  const hours = (family: Parameters<Families["has"]>[0], ...some: number[]) =>
    families.has(family) ? fc.constantFrom(0, 0, ...some) : fc.constant(0);
  return fc.record({
    simulator: fc.record({
      orderNumberDiffersFromOrderId: fc.boolean(),
      deliveryDelayMs: fc.constantFrom(0, 0, 5_000, 200_000),
      pageCap: fc.constantFrom(1, 25),
      idsChangeOnExtension:
        families.has("extensions") || families.has("autoExtensions")
          ? fc.boolean()
          : fc.constant(false),
    }),
    lookBackMinutes: families.has("checkouts")
      ? fc.constantFrom(30, LONGEST_LOOK_BACK_MINUTES)
      : fc.constant(LONGEST_LOOK_BACK_MINUTES),
    maxSpend: isLimited
      ? fc.constantFrom<number | undefined>(undefined, undefined, 0, 3, 6)
      : fc.constant(undefined),
    dateAheadMs: hours("dates", 3, -7).map((one) => one * HOUR_MS),
    clockAheadMs: hours("clocks", 3, -7).map((one) => one * HOUR_MS),
    neighbours: families.has("neighbours") ? fc.constantFrom(0, 1, 1, 2) : fc.constant(0),
    isPlugin: families.has("phases") ? fc.boolean() : fc.constant(false),
    hasBought:
      families.has("handOvers") || families.has("autoExtensions")
        ? fc.boolean()
        : fc.constant(false),
    areNamesakes: families.has("neighbours") ? fc.boolean() : fc.constant(false),
  });
}

/** Which stack. What is beyond the last one begins at the first one again. */
function anyTenant(families: Families): fc.Arbitrary<number> {
  if (families.has("neighbours")) return fc.constantFrom(0, 0, 1, 2, 3);
  return families.has("accounts") ? fc.constantFrom(0, 0, 1) : fc.constant(0);
}

/** Which of the orders that may be handed over, and to which of those that may take it over. */
function anyHandOver(): fc.Arbitrary<[number, number]> {
  return fc.tuple(fc.nat({ max: 4 }), fc.nat({ max: 7 }));
}

function anyLettingGo(): fc.Arbitrary<LettingGo> {
  return fc.record({
    isSeen: fc.boolean(),
    refresh: fc.boolean(),
    smaller: fc.constantFrom("nobody", "nobody", "former", "heir", "both"),
  });
}

/** Several runs at once. Two of one stack come one after the other: the first may have been cancelled. */
function anyCrowd(families: Families): fc.Arbitrary<RunPlan[]> {
  const plans = fc.array(anyRun(families), { minLength: 2, maxLength: 4 });
  return plans.map((all) =>
    all.map(({ meanwhile: _alone, ...plan }, index) => ({ ...plan, tenant: index % 3 })),
  );
}

/** Where a run stands still: shorter than a call may take, longer, and longer than anybody waits for it. */
function anyPause(families: Families): fc.Arbitrary<RunPlan["pause"]> {
  if (!families.has("pauses")) return fc.constant(undefined);
  const at = fc.constantFrom(
    ...["before createOrder", "before createOrder", "after createOrder", "before extend"],
    ...["before replace", "after replace", "before getBalance"],
  );
  const ms = fc.constantFrom(10_000, 50_000, 100_000, 200_000, 20 * MINUTE_MS);
  const pause = fc.record({ at, ms, isAsleep: fc.boolean() });
  return fc.option(pause, { nil: undefined, freq: 1 });
}

function anyArgs(families: Families): fc.Arbitrary<ResourceArgs> {
  return fc
    .record({
      country: fc.constantFrom(...countries),
      quantity: anyQuantity(),
      allowReplacement: fc.boolean(),
      promoCode: families.has("promos")
        ? fc.constantFrom(undefined, "GRATIS", "GRATIS", "TENTH")
        : fc.constant(undefined),
    })
    .map(({ promoCode, ...args }) => (promoCode === undefined ? args : { ...args, promoCode }));
}

/** The label of a step at which money has moved, and the journal or the state does not know it yet. */
function anyDeath(families: Families): fc.Arbitrary<string> {
  return fc.constantFrom(
    ...["after createOrder", "after createOrder", "before replace", "state saved"],
    ...(families.has("extensions") ? ["after extend", "after extend"] : []),
    ...(families.has("autoExtensions") ? ["after setAutoExtension"] : []),
  );
}

/** What happens between a preview and its update. */
type Between =
  | { kind: "nothing" }
  | { kind: "trouble"; troubles: Trouble[] }
  | { kind: "ends"; name: string }
  | { kind: "price"; factor: number }
  | { kind: "minutes"; minutes: number };

function anyRun(families: Families): fc.Arbitrary<RunPlan & { meanwhile?: Between }> {
  const killedAfter = fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined, freq: 2 });
  const previewOnly = fc.integer({ min: 0, max: 4 }).map((one) => one === 0);
  const killedAt = fc.option(anyDeath(families), { nil: undefined, freq: 1 });
  const pause = anyPause(families);
  const usual = fc
    .record({
      ...{ refresh: fc.boolean(), previewOnly, killedAfter, killedAt, pause },
      tenant: anyTenant(families),
    })
    .map(({ previewOnly, ...rest }): RunPlan & { meanwhile?: Between } => ({
      ...rest,
      phases: previewOnly ? "preview" : "update",
    }));
  const twoPhases = fc.record({
    refresh: fc.boolean(),
    phases: fc.constant("both" as const),
    ...{ killedAt, pause },
    tenant: anyTenant(families),
    meanwhile: anyBetween(families),
  });
  const overlapping = fc.record({
    refresh: fc.boolean(),
    phases: fc.constant("update" as const),
    cancelledAfter: fc.integer({ min: 1, max: 60 }),
    pause,
    tenant: anyTenant(families),
  });
  return fc.oneof<fc.Arbitrary<RunPlan & { meanwhile?: Between }>[]>(
    ...[usual, usual],
    ...(families.has("phases") ? [twoPhases, twoPhases] : []),
    ...(families.has("overlaps") ? [overlapping] : []),
  );
}

function anyBetween(families: Families): fc.Arbitrary<Between> {
  const prices: fc.Arbitrary<Between>[] = families.has("prices")
    ? [fc.constantFrom(0.5, 2).map((factor) => ({ kind: "price", factor }))]
    : [];
  return fc.oneof(
    fc.constant<Between>({ kind: "nothing" }),
    anyTrouble(families).map((troubles): Between => ({ kind: "trouble", troubles })),
    fc.constantFrom(...resourceNames).map((name): Between => ({ kind: "ends", name })),
    fc.constantFrom(5, 24 * 60, 31 * 24 * 60).map(
      (minutes): Between => ({
        kind: "minutes",
        minutes,
      }),
    ),
    ...prices,
  );
}

/** Time passes until shortly before an order ends. */
function approachEnd({ clock }: World, { account }: Tenant, name: string): void {
  const numbers = account.orders().flatMap((one) => (one.goal === name ? one.orderNumber : []));
  const ends = account
    .proxies()
    .filter(({ orderNumber, state }) => numbers.includes(orderNumber) && state === "listed")
    .map(({ dateEnd }) => Date.parse(dateEnd));
  const leftMs = Math.min(...ends) - clock.now().getTime() - SHORTLY_MS;
  if (Number.isFinite(leftMs) && leftMs > 0) clock.advance(leftMs);
}

function happen(world: World, between: Between): void {
  switch (between.kind) {
    case "nothing":
      return;
    case "trouble":
      for (const trouble of between.troubles) cause(world, trouble);
      return;
    case "ends":
      world.clock.advance(2 * SHORTLY_MS);
      return;
    case "price":
      world.setPrices(between.factor);
      return;
    case "minutes":
      world.clock.advance(between.minutes * MINUTE_MS);
  }
}

function step(text: string, act: (world: World) => unknown): Step {
  return {
    check: () => true,
    run: async (_model, world) => {
      await act(world);
    },
    toString: () => text,
  };
}

function inOrder(steps: readonly Step[]): Step {
  return step(steps.filter((one) => `${one}` !== "").join(", then "), async (world) => {
    for (const one of steps) await one.run({}, world);
  });
}

function tenantOf({ tenants }: World, index = 0): Tenant {
  const tenant = tenants[index % tenants.length];
  if (tenant === undefined) throw new Error("a world has at least one stack");
  return tenant;
}

function declare(name: string, args: ResourceArgs, tenant: number): Step {
  return step(
    `declare ${name} ${JSON.stringify(args)}${tenant > 0 ? " elsewhere" : ""}`,
    (world) => {
      const of = tenantOf(world, tenant);
      // An engine that still has its former state would give it back what was handed over.
      if (hasHandedOver(of, name, of.stack)) return;
      forgoHandOver(of, name);
      of.program.set(name, args);
    },
  );
}

function withdraw(name: string): Step {
  return step(`withdraw ${name}`, (world) => {
    forgoHandOver(tenantOf(world), name);
    tenantOf(world).program.delete(name);
  });
}

function handOver(which: number, whither: number): Step {
  return step(`hand over order ${which} to heir ${whither}`, async (world) => {
    const formers = await findFormers(world);
    const former = formers[which % formers.length];
    if (former === undefined) return;
    const heirs = findHeirs(world, former.tenant.account.apiKey, former.order, heirNames);
    const heir = heirs[whither % heirs.length];
    if (heir) handOrderOver(former, heir);
  });
}

function letGoTogether([which, whither]: [number, number], how: LettingGo): Step {
  return step(
    `let order ${which} go together with heir ${whither}, ${JSON.stringify(how)}`,
    (world) => shareAndLetGo(world, [which, whither], heirNames, how),
  );
}

function takeOver(which: number, whither: number, how: "adopt" | "import"): Step {
  return step(`${how} what somebody else has bought, ${which}, as ${whither}`, async (world) => {
    const foreign = await findForeign(world);
    const order = foreign[which % foreign.length];
    if (order === undefined) return;
    const heirs = findHeirs(world, world.simulator.apiKey, order, heirNames);
    const heir = heirs[whither % heirs.length];
    if (heir) takeForeignOver(order, heir, how);
  });
}

function run({ meanwhile, ...plan }: RunPlan & { meanwhile?: Between }): Step {
  const between = meanwhile && ((world: World) => happen(world, meanwhile));
  return step(`run ${JSON.stringify({ ...plan, meanwhile })}`, (world) => {
    if (meanwhile?.kind === "ends") {
      approachEnd(world, tenantOf(world, plan.tenant), meanwhile.name);
    }
    return world.run({ ...plan, between });
  });
}

function runTogether(plans: readonly RunPlan[]): Step {
  return step(`run together ${plans.map((plan) => JSON.stringify(plan)).join(" and ")}`, (world) =>
    world.runTogether(plans),
  );
}

function breakService(troubles: readonly Trouble[]): Step {
  return step(`faults ${JSON.stringify(troubles)}`, (world) => {
    for (const trouble of troubles) cause(world, trouble);
  });
}

function mend(): Step {
  return step("mend", (world) => world.clearFaults());
}

function pass(minutes: number): Step {
  return step(`${minutes} minutes pass`, ({ clock }) => clock.advance(minutes * MINUTE_MS));
}

function buyElsewhere(country: string, quantity: number): Step {
  return step(`somebody else buys ${quantity} in ${country}`, ({ simulator, clock }) => {
    simulator.placeForeignOrder(itemOf(country, quantity));
    // Time passes, so that this purchase does not coincide with one of ours. The fault `foreignOrder` plays that case.
    clock.advance(MINUTE_MS);
  });
}

function changeMachine(): Step {
  return step("another machine", (world) => world.loseJournal());
}

function setClock(hours: number): Step {
  return step(`our clock is ${hours} hours ahead`, (world) => world.setClock(hours * HOUR_MS));
}

function enterCheckout(which: "new" | "former"): Step {
  return step(`a ${which} checkout`, (world) => world.enterCheckout(which));
}

/** A person switches automatic extension in the account. */
function switchRenewal(name: string, autoExtend: boolean, tenant: number): Step {
  return step(`${name} is switched ${autoExtend ? "on" : "off"} by hand`, (world) => {
    const of = tenantOf(world, tenant);
    const { account, stack, livingOrders } = of;
    const living = livingOrders(name);
    // Nobody switches what no run has recognised as delivered yet.
    const held = new Set(
      stack.resources.get(name)?.outputs.proxies.map(({ ipAddressIp }) => ipAddressIp),
    );
    const proxies = account
      .proxies()
      .filter(({ orderNumber }) => living.includes(orderNumber))
      .filter(({ ip, state }) => held.has(ip) && state === "listed");
    switchByHand(world, of, proxies, autoExtend);
  });
}

/** `pulumi state taint` of what is declared for an order. */
function taint(kind: "extensions" | "autoExtensions", of: string): Step {
  return step(`replace what ${of} has among ${kind}`, (world) => {
    const tenant = tenantOf(world);
    tenant.tainted.add(nameOf(tenant[kind], of));
  });
}

/** Renames an order with an alias, so that the state keeps it. */
function rename(name: string): Step {
  return step(`rename ${name}`, async (world) => {
    const tenant = tenantOf(world);
    const { account, callNames, wasTakenOut, livingOrders, owners, leftInDoubt } = tenant;
    // If the order was taken out of the state and is then renamed, nobody can tell that it is the same resource.
    const living = livingOrders(name);
    const own = account.orders().filter(({ orderNumber }) => living.includes(orderNumber));
    if (own.some(wasTakenOut)) return;
    for (const { owner, orderNumber, purchase } of await world.journal(tenant).readOpen()) {
      const isInDoubt = owner === owners.ofOrder(name) && orderNumber === undefined;
      if (isInDoubt && purchase.kind === "order") leftInDoubt.push(purchase.request);
    }
    callNames.set(name, `${callNames.get(name) ?? name}x`);
  });
}

function takeOut(name: string): Step {
  return step(`pulumi state delete ${name}`, (world) =>
    deleteFromState(world, tenantOf(world), name),
  );
}

function putBack(which: number, tenant: number): Step {
  return step(`put state ${which} of stack ${tenant} back`, (world) =>
    putStateBack(world, tenantOf(world, tenant), which),
  );
}

function setPrice(factor: number): Step {
  return step(`prices are ${factor} times the list`, (world) => world.setPrices(factor));
}

/** Declares that an order is paid for this many days from now. An extension that exists already keeps its name. */
function declareExtension(of: string, days: number): Step {
  return step(`extend ${of} for ${days} days from now`, (world) => {
    const tenant = tenantOf(world);
    const name = nameOf(tenant.extensions, of);
    const paidThrough = new Date(world.clock.now().getTime() + days * DAY_MS).toISOString();
    tenant.declareExtension(name, { of, paidThrough, rentPeriodDays: 30 });
  });
}

function withdrawExtension(of: string): Step {
  return step(`extend ${of} no longer`, (world) => {
    const { extensions } = tenantOf(world);
    extensions.delete(nameOf(extensions, of));
  });
}

function renameExtension(of: string): Step {
  return step(`rename the extension of ${of}`, (world) =>
    renameWithin(tenantOf(world).extensions, of),
  );
}

function declareRenewal(of: string, autoExtend: boolean, rentPeriodDays: number): Step {
  return step(`renew ${of}: ${autoExtend}, by ${rentPeriodDays} days`, (world) => {
    const { autoExtensions } = tenantOf(world);
    autoExtensions.set(nameOf(autoExtensions, of), { of, autoExtend, rentPeriodDays });
  });
}

function withdrawRenewal(of: string): Step {
  return step(`renew ${of} no longer`, (world) => {
    const { autoExtensions } = tenantOf(world);
    autoExtensions.delete(nameOf(autoExtensions, of));
  });
}

function renameRenewal(of: string): Step {
  return step(`rename the renewal of ${of}`, (world) =>
    renameWithin(tenantOf(world).autoExtensions, of),
  );
}

/** Renames without an alias: the engine makes a new resource and deletes the one with the old name. */
function renameWithin<Args extends { of: string }>(declared: Map<string, Args>, of: string): void {
  const name = nameOf(declared, of);
  const args = declared.get(name);
  if (args === undefined) return;
  declared.delete(name);
  declared.set(`${name}x`, args);
}

/** The name of what is declared for an order. If nothing is declared yet, this is the name that it will get. */
function nameOf(declared: ReadonlyMap<string, { of: string }>, of: string): string {
  const [name] = [...declared].find(([, args]) => args.of === of) ?? [];
  return name ?? `${of}-more`;
}
