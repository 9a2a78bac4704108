import type { CostReport, StackCost } from "./report.ts";

/**
 * What plans cost, as JSON: of one preview its cost; of several `stacks`, each with its cost, and `total`. Balance and
 * budget are the account's, which stacks may share, so that of several only the total has them.
 */
export function describeCostInJson(report: CostReport): string {
  return JSON.stringify(toDocument(report), undefined, 2);
}

function toDocument({ stacks, total }: CostReport): unknown {
  const [first, ...others] = stacks;
  if (first !== undefined && others.length === 0) {
    return { ...first.cost, ...nameBase(first) };
  }
  const { againstBase, ...sums } = total;
  return { stacks: stacks.map(toStackDocument), total: { ...sums, ...nameBase({ againstBase }) } };
}

function toStackDocument(planned: StackCost) {
  const { balance: _balance, budget: _budget, ...cost } = planned.cost;
  const { label, file, stack } = planned;
  return {
    label,
    file,
    project: stack?.project,
    stack: stack?.stack,
    ...cost,
    ...nameBase(planned),
  };
}

function nameBase({ againstBase }: Pick<StackCost, "againstBase">) {
  return againstBase === undefined ? {} : { heldAgainstBase: againstBase };
}
