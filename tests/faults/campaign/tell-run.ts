import type { Phase } from "./begin-phase.ts";
import { namesOf, type RunReport } from "./engine.ts";
import type { EarlyEnd } from "./mortality.ts";
import type { Tenant } from "./tenant.ts";

/** How a phase of a run went. */
interface Told extends Phase {
  report: RunReport | EarlyEnd;
  said: string;
  at: Date;
}

/** Tells a phase of a run to a person who looks for the cause of a failure. */
export function tellRun(
  { stack, account }: Tenant,
  { command, phase, report, said, at }: Told,
): string {
  const failures = typeof report === "string" ? [] : [...report.failures];
  const resources = [...stack.resources].map(
    ([name, { outputs }]) => `${name}: ${outputs.status}, ${namesOf(outputs).join()}`,
  );
  return [
    `--- ${command.command ?? ""} (${phase}), which ${typeof report === "string" ? `was ${report}` : "ended"}, at ${at.toISOString()}`,
    ...new Set(said.split("\n")),
    ...failures.map(([name, reason]) => `${name} failed: ${reason}`),
    `state: ${resources.join("; ")}`,
    `charged: ${account.ledger().map(({ orderNumber, price, origin }) => `${orderNumber} ${price} ${origin}`)}`,
  ].join("\n");
}
