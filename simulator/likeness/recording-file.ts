import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { proxyTypes } from "../catalogue/catalogue.ts";
import { idForms } from "../open-questions.ts";

const FILE = "recording.json";

const ProxyTypeName = z.enum(proxyTypes);
const Percent = z.number().min(0).max(100);
const WholeMs = z.number().int().min(0);

/** What was seen of an open question: an answer, or bounds, or nothing. */
function seen<Schema extends z.ZodType>(answer: Schema) {
  return z.strictObject({
    answer: answer.nullable(),
    atLeast: z.number().optional(),
    atMost: z.number().optional(),
    how: z.string(),
  });
}

const Answers = z.strictObject({
  orderNumberDiffersFromOrderId: seen(z.boolean()),
  deliveryDelayMs: seen(WholeMs),
  deliveryBatch: seen(z.strictObject({ size: z.number().int().min(1), everyMs: WholeMs })),
  dateEndDelayMs: seen(WholeMs),
  idsChangeOnExtension: seen(z.boolean()),
  ispNeedsUsersPrefix: seen(z.boolean()),
  ipv6IdsAs: seen(z.enum(idForms)),
  pageCap: seen(z.number().int().min(1)),
  minimumQuantity: seen(z.partialRecord(ProxyTypeName, z.number().int().min(1))),
  rateLimitedPercent: seen(Percent),
  unavailablePercent: seen(Percent),
});

const SeenProxy = z.strictObject({
  ipAddressId: z.string(),
  ip: z.string(),
  httpsPort: z.string().optional(),
  socks5Port: z.string().optional(),
  login: z.string(),
  password: z.string(),
  dateStart: z.string().optional(),
  dateEnd: z.string().optional(),
  autoExtend: z.boolean(),
  extendDays: z.number(),
});

/** How an account of the service was seen to behave, as the command line tool has written it down. */
export const RecordingFile = z.strictObject({
  form: z.literal("pulumi-proxyrental recording"),
  version: z.literal(1),
  recordedAt: z.iso.datetime(),
  answers: Answers,
  types: z.array(z.string()),
  countries: z.record(
    ProxyTypeName,
    z.array(z.strictObject({ name: z.string(), alpha3code: z.string() })),
  ),
  rentPeriodDays: z.record(ProxyTypeName, z.array(z.number())),
  mobileOperators: z.record(
    z.string(),
    z.array(z.strictObject({ mobileOperator: z.string(), rotationTimes: z.array(z.number()) })),
  ),
  promoCodes: z.array(
    z.strictObject({
      code: z.string(),
      discount: z.number(),
      countUses: z.number().optional(),
      startDate: z.string().optional(),
      endDate: z.string().optional(),
      endless: z.boolean().optional(),
    }),
  ),
  prices: z.array(
    z.strictObject({
      proxyType: ProxyTypeName,
      country: z.string(),
      rentPeriodDays: z.number(),
      quantity: z.number(),
      price: z.number(),
    }),
  ),
  money: z.strictObject({ balance: z.number(), currency: z.string() }),
  orders: z.array(
    z.strictObject({
      orderId: z.string(),
      proxyType: ProxyTypeName,
      country: z.string(),
      proxies: z.array(SeenProxy),
    }),
  ),
});

/** A recording as it was read. */
export type Recording = z.infer<typeof RecordingFile>;

/** Only what says which form the rest has. */
const Head = z.object({ form: z.literal("pulumi-proxyrental recording"), version: z.number() });

/** Reads the recording in a folder. Throws a TypeError that names the file and what is wrong with it. */
export function readRecording(folder: string): Recording {
  const file = join(folder, FILE);
  const json = readJson(file);
  const { data: head } = Head.safeParse(json);
  if (head === undefined) {
    throw new TypeError(`"${file}" is no recording: what \`doctor --record\` writes is expected`);
  }
  if (head.version !== 1) {
    throw new TypeError(
      `The recording "${file}" has version ${head.version}, and only version 1 can be read`,
    );
  }
  const { data, error } = RecordingFile.safeParse(json);
  if (data !== undefined) return data;
  const [issue] = error.issues;
  throw new TypeError(
    `The recording "${file}" is wrong at ${issue?.path.join(".")}: ${issue?.message}`,
  );
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new TypeError(`The recording "${file}" can't be read: ${reason.replaceAll(/\s+/g, " ")}`);
  }
}
