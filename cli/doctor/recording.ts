import { z } from "zod";
import { proxyTypes } from "../../provider/client/index.ts";
import { openAnswersSchema } from "./open-answers.ts";

/*
 * The form of a recording. The simulator reads it with a schema of its own, because it shares none with the client;
 * a test compares the two. A change of the form is a new version.
 */

/** The file of a recording that the simulator reads. */
export const RECORDING_FILE = "recording.json";

/** The file with every answer, for people. */
export const ANSWERS_FILE = "answers.json";

export const RECORDING_VERSION = 1;

const proxyType = z.enum(proxyTypes);
const country = z.strictObject({ name: z.string(), alpha3code: z.string() });

/** What an order was seen to cost. */
const price = z.strictObject({
  proxyType,
  country: z.string(),
  rentPeriodDays: z.number(),
  quantity: z.number(),
  price: z.number(),
});

/** A listed proxy. Ids, address, login and password are not the real ones. */
const proxy = z.strictObject({
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

/** How an account was seen to behave. */
export const recordingSchema = z.strictObject({
  form: z.literal("pulumi-proxyrental recording"),
  version: z.literal(RECORDING_VERSION),
  /** By the service's clock. */
  recordedAt: z.iso.datetime(),
  /** The open questions, as far as their answers were seen. */
  answers: openAnswersSchema,
  types: z.array(z.string()),
  countries: z.record(proxyType, z.array(country)),
  rentPeriodDays: z.record(proxyType, z.array(z.number())),
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
  /** The first of a type is its reference: each other one has another country, period or quantity, and the rest is equal. */
  prices: z.array(price),
  money: z.strictObject({ balance: z.number(), currency: z.string() }),
  orders: z.array(
    z.strictObject({
      orderId: z.string(),
      proxyType,
      country: z.string(),
      proxies: z.array(proxy),
    }),
  ),
});

/** See `recordingSchema`. */
export type Recording = z.infer<typeof recordingSchema>;

/** A price that was seen. */
export type SeenPrice = z.infer<typeof price>;
