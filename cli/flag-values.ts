import { InvalidArgumentError } from "commander";
import { type ProxyType, proxyTypes } from "../provider/client/index.ts";

/** Makes the parser of a flag that takes several values, each of them a list with commas. */
export function collect<Value>(read: (text: string) => Value) {
  return (text: string, before: Value[] | undefined): Value[] => {
    const parts = text.split(",").map((part) => part.trim());
    const given = parts.filter((part) => part !== "");
    // An empty variable of a script must not mean "all".
    if (given.length === 0) throw new InvalidArgumentError("It is empty.");
    return [...(before ?? []), ...given.map(read)];
  };
}

/** Reads a proxy type, in capitals or not. */
export function parseType(text: string): ProxyType {
  const type = proxyTypes.find((known) => known.toLowerCase() === text.toLowerCase());
  if (type === undefined) {
    throw new InvalidArgumentError(`Give one or more of ${proxyTypes.join(", ")}.`);
  }
  return type;
}

/** Reads an alpha-3 code, in capitals or not. */
export function parseCountry(text: string): string {
  if (!/^[a-z]{3}$/i.test(text)) {
    throw new InvalidArgumentError("Give alpha-3 codes, for instance USA,DEU.");
  }
  return text.toUpperCase();
}

/** Makes the parser of a flag that takes a count. */
export function parseWhole(most: number) {
  return (text: string): number => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : 0;
    if (number >= 1 && number <= most) return number;
    throw new InvalidArgumentError(`Give a whole number from 1 to ${most}.`);
  };
}

/** Makes the parser of a text that may be anything but empty: an empty variable of a script names nothing. */
export function parseGiven(expected: string) {
  return (text: string): string => {
    if (text.trim() === "") throw new InvalidArgumentError(`Give ${expected}.`);
    return text;
  };
}

/** Reads the name of a file that is to be written. */
export const parseFileName = parseGiven("the name of a file");

/** Reads the id of a purchase, or how it begins. */
export const parsePurchaseId = parseGiven("its id, or how it begins, as `journal list` prints it");
