import type { Fault } from "./fault.ts";

/** When a fault can strike. */
interface FaultConditions {
  /** "after": it needs the real answer, so it can't come before it. "either": both phases mean the same. */
  readonly phase: "both" | "after" | "either";
  /** Whether it happens to an account, and so not with an unknown key. All others happen to a connection. */
  readonly needsAccount: boolean;
}

const toConnection = { phase: "both", needsAccount: false } as const;
const toAccount = { phase: "both", needsAccount: true } as const;

/** Of each kind of fault. */
export const faultConditions: Readonly<Record<Fault["kind"], FaultConditions>> = {
  reset: toConnection,
  hang: toConnection,
  truncate: toConnection,
  garbage: toConnection,
  status: toConnection,
  redirect: toConnection,
  refuse: toAccount,
  drip: { ...toConnection, phase: "after" },
  delay: toConnection,
  act: toConnection,
  foreignOrder: toAccount,
  answer: { ...toAccount, phase: "after" },
  closeConnectionAfter: { ...toConnection, phase: "after" },
  date: { ...toConnection, phase: "after" },
  lateCommit: { ...toAccount, phase: "either" },
};
