import { type ProxyType, proxyTypes } from "./catalogue/catalogue.ts";

export const idForms = ["list", "string", "either"] as const;

/** What the service's document leaves open, with one option for each question. Each default is the mildest answer. */
export interface OpenQuestions {
  /** Whether the number told to the buyer differs from the `orderId` of the listing. @default false */
  orderNumberDiffersFromOrderId: boolean;
  /** How long after the order its proxies are listed, by the service's clock. @default 0 */
  deliveryDelayMs: number;
  /** After the delay, proxies appear `size` at a time, every `everyMs`. @default all at once */
  deliveryBatch: { size: number; everyMs: number } | undefined;
  /** How long after the order `dateEnd` is missing from the listing, by the service's clock. @default 0 */
  dateEndDelayMs: number;
  /** Whether each extension, automatic ones too, gives the proxies new ids; addresses, ports and logins stay. @default false */
  idsChangeOnExtension: boolean;
  /**
   * Whether countries and rent periods of ISP are refused (code 4) without `/users`. If not, both forms work.
   * @default false
   */
  ispNeedsUsersPrefix: boolean;
  /** In which form calculate/extend accepts the ids of IPv6. The string is separated by commas. @default "either" */
  ipv6IdsAs: (typeof idForms)[number];
  /** A larger page size is silently reduced to this. It is small, so that every client must page. @default 25 */
  pageCap: number;
  /** The smallest quantity of an order, by type. @default 1 each */
  minimumQuantity: Partial<Record<ProxyType, number>>;
  /** How many of a hundred calls are answered with 429 and not carried out, drawn from the seed. @default 0 */
  rateLimitedPercent: number;
  /** How many of a hundred calls are answered with 503, half of them carried out all the same. @default 0 */
  unavailablePercent: number;
}

const mildest: OpenQuestions = {
  orderNumberDiffersFromOrderId: false,
  deliveryDelayMs: 0,
  deliveryBatch: undefined,
  dateEndDelayMs: 0,
  idsChangeOnExtension: false,
  ispNeedsUsersPrefix: false,
  ipv6IdsAs: "either",
  pageCap: 25,
  minimumQuantity: {},
  rateLimitedPercent: 0,
  unavailablePercent: 0,
};

/** Follows the document to the letter, and refuses what it does not show. */
const strict: Partial<OpenQuestions> = {
  ispNeedsUsersPrefix: true,
  ipv6IdsAs: "string",
  pageCap: 10,
  minimumQuantity: { IPv6: 10 },
};

/** All answers that are hard for a client, at once. */
const hostile: Partial<OpenQuestions> = {
  ...strict,
  orderNumberDiffersFromOrderId: true,
  deliveryDelayMs: 1500,
  deliveryBatch: { size: 3, everyMs: 500 },
  dateEndDelayMs: 5000,
  idsChangeOnExtension: true,
  pageCap: 3,
  rateLimitedPercent: 5,
  unavailablePercent: 2,
};

export const presets = { strict, hostile };

export type PresetName = keyof typeof presets;
export const presetNames = Object.keys(presets) as PresetName[];

/** A question without an answer gets that of the preset, or the mildest. */
export type OpenAnswers = { [Name in keyof OpenQuestions]?: OpenQuestions[Name] | undefined } & {
  /** Answers all questions at once. Options that are named beside it win. */
  preset?: PresetName | undefined;
};

/** Throws a TypeError that names the first wrong answer. */
export function resolveOpenQuestions({ preset, ...options }: OpenAnswers): OpenQuestions {
  if (preset !== undefined) requireOneOf("preset", preset, presetNames);
  const given = Object.entries(options).filter(
    ([name, value]) => Object.hasOwn(mildest, name) && value !== undefined,
  );
  const answers: OpenQuestions = {
    ...mildest,
    ...(preset && presets[preset]),
    ...Object.fromEntries(given),
  };
  requireInteger("deliveryDelayMs", answers.deliveryDelayMs, 0);
  if (answers.deliveryBatch) {
    requireInteger("deliveryBatch.size", answers.deliveryBatch.size, 1);
    requireInteger("deliveryBatch.everyMs", answers.deliveryBatch.everyMs, 0);
  }
  requireInteger("dateEndDelayMs", answers.dateEndDelayMs, 0);
  requireOneOf("ipv6IdsAs", answers.ipv6IdsAs, idForms);
  requireInteger("pageCap", answers.pageCap, 1);
  for (const proxyType of proxyTypes) {
    requireInteger(`minimumQuantity.${proxyType}`, answers.minimumQuantity[proxyType] ?? 1, 1);
  }
  requirePercent("rateLimitedPercent", answers.rateLimitedPercent);
  requirePercent("unavailablePercent", answers.unavailablePercent);
  return answers;
}

export function requireInteger(name: string, value: number, least: number): number {
  if (!Number.isSafeInteger(value) || value < least) {
    throw new TypeError(`${name} must be a whole number of at least ${least}, not ${value}`);
  }
  return value;
}

function requireOneOf(name: string, value: string, accepted: readonly string[]): void {
  if (accepted.includes(value)) return;
  throw new TypeError(`${name} must be one of ${accepted.join(", ")}, not "${value}"`);
}

function requirePercent(name: string, value: number): void {
  if (value >= 0 && value <= 100) return;
  throw new TypeError(`${name} must be a number from 0 to 100, not ${value}`);
}
