import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type PromoCode, type ProxyRecord, redactKey } from "../../provider/client/index.ts";
import { CliError } from "../failure.ts";
import { createDisguise, type Disguise } from "./disguise.ts";
import type { Exchange } from "./raw-calls.ts";
import {
  ANSWERS_FILE,
  RECORDING_FILE,
  RECORDING_VERSION,
  type Recording,
  recordingSchema,
  type SeenPrice,
} from "./recording.ts";
import type { Habits } from "./service-habits.ts";

/** What a recording is made of. */
export interface Recorded {
  habits: Habits;
  prices: readonly SeenPrice[];
  money: Recording["money"];
  exchanges: readonly Exchange[];
}

/** Throws if a recording can't be begun in a folder: a recording is never written over. */
export async function requireNewFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    if ((await readdir(folder)).length === 0) return;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : String(error);
    throw new CliError(`${folder} can't be made (${code}); give --record a new folder`);
  }
  throw new CliError(
    `${folder} holds something already, which was left as it is; give --record a new folder`,
  );
}

/** Writes a recording. What is the account's own is replaced; the file that makes it a recording comes last. */
export async function keepRecord(
  folder: string,
  apiKey: string,
  recorded: Recorded,
): Promise<void> {
  const { exchanges } = recorded;
  const listed = recorded.habits.readings.flatMap(({ first }) => first?.raw ?? []);
  const disguise = createDisguise(apiKey, [
    ...exchanges.flatMap(({ body, query }) => [body, query.body]),
    listed,
  ]);
  const answers = exchanges.map(({ endpoint, query, statuses, body }) => ({
    endpoint,
    ...(query.proxyType !== undefined && { proxyType: query.proxyType }),
    ...(query.prefix !== undefined && { prefix: query.prefix }),
    ...(query.body !== undefined && { sent: disguise.document(query.body) }),
    statuses,
    answered: disguise.document(body) ?? "<no JSON>",
  }));
  const recording = recordingSchema.parse(describeAccount(recorded, disguise));
  for (const [name, content] of [
    [ANSWERS_FILE, answers],
    [RECORDING_FILE, recording],
  ] as const) {
    const json = redactKey(`${JSON.stringify(content, undefined, 2)}\n`, apiKey);
    await writeFile(join(folder, name), json, { flag: "wx" });
  }
}

function describeAccount({ habits, prices, money }: Recorded, disguise: Disguise): Recording {
  const { catalogue, readings, answers, now } = habits;
  // The catalogue is the account's own only in its promo codes, but what a service writes into a name is nobody's promise.
  const plain = disguise.document({
    proxyTypes: catalogue.types,
    mobileOperators: catalogue.mobileOperators,
  }) as { proxyTypes: string[]; mobileOperators: Recording["mobileOperators"] };
  const countries = Object.fromEntries(
    Object.entries(catalogue.countries).map(([type, list]) => [
      type,
      disguise.document(list.map(({ name, alpha3code }) => ({ name, alpha3code }))),
    ]),
  ) as Recording["countries"];
  return {
    form: "pulumi-proxyrental recording",
    version: RECORDING_VERSION,
    recordedAt: now.toISOString(),
    answers,
    types: plain.proxyTypes,
    countries,
    rentPeriodDays: catalogue.rentPeriodDays,
    mobileOperators: plain.mobileOperators,
    promoCodes: catalogue.promoCodes.map((promo) => describePromo(promo, disguise)),
    prices: [...prices],
    money,
    orders: readings.flatMap(({ proxyType, first }) =>
      [...Map.groupBy(first?.records ?? [], ({ orderId }) => orderId)].map(
        ([orderId, records]) => ({
          orderId: disguise.replace("order", orderId),
          proxyType,
          country: disguise.text("country", records[0]?.country ?? ""),
          proxies: records.map((record) => describeProxy(record, disguise)),
        }),
      ),
    ),
  };
}

function describePromo(
  { code, discount, countUses, startDate, endDate, endless }: PromoCode,
  disguise: Disguise,
): Recording["promoCodes"][number] {
  return {
    code: disguise.replace("promo", code),
    discount,
    countUses: countUses ?? undefined,
    startDate: startDate ? disguise.text("startDate", startDate) : undefined,
    endDate: endDate ? disguise.text("endDate", endDate) : undefined,
    endless: endless ?? undefined,
  };
}

function describeProxy(
  record: ProxyRecord,
  { replace, text }: Disguise,
): Recording["orders"][number]["proxies"][number] {
  const { httpsPort, socks5Port, dateStart, dateEnd, credential, extendInfo } = record;
  return {
    ipAddressId: replace("id", record.ipAddressId),
    ip: replace("address", record.ipAddressIp),
    httpsPort: httpsPort && text("httpsPort", httpsPort),
    socks5Port: socks5Port && text("socks5Port", socks5Port),
    login: replace("login", credential?.login ?? ""),
    password: replace("password", credential?.password ?? ""),
    dateStart,
    dateEnd,
    ...extendInfo,
  };
}
