import { compareHeld, type HeldAgainstBase, type HeldFigures } from "./held.ts";
import { type Balance, joinBalances, joinBudgets, type PlannedBudget } from "./planned-account.ts";
import { type Cost, calculateCost, findCurrency } from "./planned-cost.ts";
import type { PlannedResource } from "./preview-file.ts";
import type { ComparedPreview } from "./previews.ts";
import { findHeldOpenness, type HeldOpenness, type MonthlyRates, rateMonthly } from "./run-rate.ts";
import type { StackName } from "./stack-name.ts";
import { addSums, type Sum } from "./sums.ts";

/** What one stack's plan costs. */
export interface StackCost {
  file: string;
  /** Undefined if the preview does not name it. */
  stack: StackName | undefined;
  /** What the stack is called beside the others; empty if it is the only one. */
  label: string;
  resources: readonly PlannedResource[];
  cost: Cost;
  /** What is held on the base branch, and here; undefined if no base was given. */
  againstBase: HeldAgainstBase[] | undefined;
  /** Whether no preview of the base branch is of this stack, although some were given. */
  isNew: boolean;
}

/** What all plans together cost. */
export interface TotalCost {
  sums: Sum[];
  /** Labels of what may be bought at a price that nobody knows and nothing caps. */
  unpriced: NamedResource[];
  /** One for each currency that a plan shows. Stacks of one currency are taken to share an account. */
  balances: Balance[];
  /** The same of budgets. */
  budgets: PlannedBudget[];
  monthly: Pick<MonthlyRates, "held" | "renewing">;
  hiddenCount: number;
  /** What is held on the base branch, and here; undefined if no base was given. */
  againstBase: HeldAgainstBase[] | undefined;
}

/** A resource, and the label of its stack. */
export interface NamedResource {
  stack: string;
  name: string;
}

/** What some previews cost, each and together. */
export interface CostReport {
  stacks: StackCost[];
  total: TotalCost;
  openness: HeldOpenness;
  /** Whether no plan changes anything of this package, and as much is held as on the base branch. */
  isUnchanged: boolean;
}

/** Adds up what previews say, one a stack. */
export function createReport(previews: readonly ComparedPreview[]): CostReport {
  const resources = previews.flatMap((preview) => preview.resources);
  const currency = findCurrency(resources);
  const isCompared = previews.some(({ base }) => base !== undefined);
  const labels = labelStacks(previews);
  const stacks = previews.map((preview, index) => ({
    ...{ file: preview.file, stack: preview.stack, label: labels[index] ?? "" },
    resources: preview.resources,
    cost: calculateCost(preview, currency),
    againstBase: isCompared
      ? compareHeld(figuresOf([preview.base ?? nothing]), figuresOf([preview]))
      : undefined,
    isNew: isCompared && preview.base === undefined,
  }));
  const bases = previews.map(({ base }) => base ?? nothing);
  const againstBase = isCompared ? compareHeld(figuresOf(bases), figuresOf(previews)) : undefined;
  return {
    stacks,
    total: { ...addCosts(stacks), againstBase },
    openness: findHeldOpenness(resources),
    isUnchanged:
      resources.every(({ operation }) => operation === "same") &&
      stacks.every(({ againstBase = [] }) =>
        againstBase.every(({ base, proposed }) => base === proposed),
      ),
  };
}

type Planned = Pick<ComparedPreview, "resources" | "hiddenCount">;

/** A stack that the base branch does not have. */
const nothing: Planned = { resources: [], hiddenCount: 0 };

/** What is held after these plans. */
function figuresOf(plans: readonly Planned[]): HeldFigures {
  const resources = plans.flatMap((plan) => plan.resources);
  return {
    rates: rateMonthly([resources]).held.map(({ currency, after }) => ({
      ...{ currency, amount: after },
    })),
    isOpen: findHeldOpenness(resources).after || plans.some(({ hiddenCount }) => hiddenCount > 0),
  };
}

function addCosts(stacks: readonly StackCost[]): Omit<TotalCost, "againstBase"> {
  const costs = stacks.map(({ cost }) => cost);
  const sums = addSums(costs.flatMap((cost) => cost.sums));
  const unpriced = stacks.flatMap(({ label, cost }) =>
    cost.unpriced.map((name) => ({ stack: label, name })),
  );
  const hasOpen = unpriced.length > 0;
  const { held, renewing } = rateMonthly(stacks.map(({ resources }) => resources));
  return {
    ...{ sums, unpriced },
    balances: joinBalances(
      costs.flatMap(({ balance }) => balance ?? []),
      ...([sums, hasOpen] as const),
    ),
    budgets: joinBudgets(
      costs.flatMap(({ budget }) => budget ?? []),
      ...([sums, hasOpen] as const),
    ),
    monthly: { held, renewing },
    hiddenCount: costs.reduce((count, { hiddenCount }) => count + hiddenCount, 0),
  };
}

/** The shortest names that tell the stacks apart. A preview that names no stack has the name of its file. */
function labelStacks(previews: readonly ComparedPreview[]): string[] {
  if (previews.length === 1) return [""];
  const projects = new Set(previews.flatMap(({ stack }) => stack?.project ?? []));
  return previews.map(({ stack, file }) => {
    if (stack === undefined) return file;
    return projects.size > 1 ? `${stack.project}/${stack.stack}` : stack.stack;
  });
}
