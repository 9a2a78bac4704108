import { createHash } from "node:crypto";
import { appendFile, mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { proxyTypes } from "../../client/index.ts";
import type { Clock } from "../../core/ports.ts";
import { readLines } from "./lines.ts";

/** Something that one provider process of a run tells the others. */
const factSchema = z.discriminatedUnion("kind", [
  /** The state holds a paid order for this owner. */
  z.object({
    kind: z.literal("holds"),
    owner: z.string(),
    requestId: z.string(),
    /** Its orders: of each the number, and then the listed ids. */
    orders: z.array(z.array(z.string())),
  }),
  /** A refresh has found that all that the owner held has ended. */
  z.object({ kind: z.literal("ended"), owner: z.string() }),
  /** The owner's plan would spend this; the latest one counts. */
  z.object({ kind: z.literal("plans"), owner: z.string(), account: z.string(), price: z.number() }),
  /** A purchase is about to be sent, or was sent, for this; the latest of a request counts. */
  z.object({
    kind: z.literal("spends"),
    owner: z.string(),
    requestId: z.string(),
    account: z.string(),
    price: z.number(),
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
  /** How often the owner's plan uses a promo code, if it uses one; the latest counts. */
  z.object({
    kind: z.literal("uses"),
    owner: z.string(),
    account: z.string(),
    promoCode: z.string().optional(),
    uses: z.number(),
  }),
  /** What the owner declares of the automatic extension of proxies; the latest counts. */
  z.object({
    kind: z.literal("renews"),
    owner: z.string(),
    account: z.string(),
    proxyType: z.enum(proxyTypes),
    ipAddressIds: z.array(z.string()),
    rentPeriodDays: z.number(),
    autoExtend: z.boolean(),
  }),
  /** Until when proxies are paid at the least, by their ids and addresses, as a state records it. */
  z.object({
    kind: z.literal("ends"),
    account: z.string(),
    ends: z.record(z.string(), z.string()),
  }),
]);

/** See `factSchema`. */
export type RunFact = z.infer<typeof factSchema>;

/** What concerns one account, as those say it who know of one account only. */
export type AccountFact = WithoutAccount<Extract<RunFact, { account: string }>>;

type WithoutAccount<Fact> = Fact extends unknown ? Omit<Fact, "account"> : never;

/**
 * What the provider processes of one run know together: several providers of one program, the process that refreshed
 * and the one that updates, and one that the engine has started anew.
 */
export interface RunMemory {
  /** Whether there may be other processes at all. */
  readonly isShared: boolean;
  /** Tells the others. Throws where it can't be written: what they do not know may be spent twice. */
  tell(fact: RunFact): Promise<void>;
  /** What the others have told since this was asked last. */
  hear(): Promise<RunFact[]>;
}

/** For a process that serves no engine, or does not know which: it has no others. */
export const lonely: RunMemory = {
  isShared: false,
  tell: async () => undefined,
  hear: async () => [],
};

/** Longer than any run takes. */
const KEPT_MS = 12 * 60 * 60 * 1000;

/**
 * One file a process; each only appends to its own, so nothing is locked.
 * @param run its name, which no other run has.
 */
export function createRunMemory(
  folder: string,
  run: string,
  processId: string,
  clock: Clock,
): RunMemory {
  const runsDir = join(folder, "shared-runs");
  const dir = join(runsDir, createHash("sha256").update(run).digest("hex").slice(0, 16));
  const ownFile = `${processId}.jsonl`;
  const readTo = new Map<string, number>();
  let begun: Promise<void> | undefined;
  let written: Promise<unknown> = Promise.resolve();

  async function begin(): Promise<void> {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    await sweep(runsDir, clock).catch(() => undefined);
  }

  return {
    isShared: true,

    async tell(fact) {
      begun ??= begin();
      const told = Promise.all([begun, written.catch(() => undefined)]).then(() =>
        appendFile(join(dir, ownFile), `${JSON.stringify(fact)}\n`, { mode: 0o600 }),
      );
      written = told;
      await told;
    },

    async hear() {
      const names = await readdir(dir).catch((): string[] => []);
      const facts: RunFact[] = [];
      for (const name of names) {
        if (name === ownFile || !name.endsWith(".jsonl")) continue;
        const { text, end } = await readFrom(join(dir, name), readTo.get(name) ?? 0);
        readTo.set(name, end);
        facts.push(...readLines(text, factSchema));
      }
      return facts;
    },
  };
}

/** The whole lines of a file from a byte on; a line that is being written is read the next time. */
async function readFrom(path: string, begin: number): Promise<{ text: string; end: number }> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    if (size <= begin) return { text: "", end: begin };
    const { buffer, bytesRead } = await file.read({
      buffer: Buffer.alloc(size - begin),
      position: begin,
    });
    const whole = buffer.subarray(0, bytesRead).lastIndexOf("\n") + 1;
    return { text: buffer.subarray(0, whole).toString("utf8"), end: begin + whole };
  } finally {
    await file.close();
  }
}

/** What runs that have ended long ago have left. */
async function sweep(runsDir: string, clock: Clock): Promise<void> {
  const oldest = clock.now().getTime() - KEPT_MS;
  for (const name of await readdir(runsDir)) {
    const path = join(runsDir, name);
    if ((await stat(path)).mtimeMs < oldest) await rm(path, { recursive: true, force: true });
  }
}
