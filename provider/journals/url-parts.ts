import { JournalError } from "../core/ports.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** A journal's URL in its parts, as far as every kind reads it alike. */
export interface UrlParts {
  user: string;
  /** As it is written, with its port. */
  host: string;
  /** Without its first slash. */
  path: string;
  parameters: ReadonlyMap<string, string>;
}

/** How the URL of one kind of store is written. */
export interface UrlGrammar {
  example: string;
  /** What may be said behind its `?`, as an address for `pulumi login` may have it. */
  parameters: readonly string[];
  /** What is said to somebody who has written a password or a key into it. */
  noPassword: string;
}

/** Why a URL names no place. No part of it that may be a secret stands in the reason. */
export function refuse(reason: string): JournalError {
  return new JournalError("unavailable", `the journal's URL: ${reason}`);
}

/** Why a variable of the environment names no place. Its value may be a secret, and is not repeated. */
export function refuseVariable(name: string, reason: string): JournalError {
  return new JournalError("unavailable", `the variable ${name}: ${reason}`);
}

/** The reason without what it is about, to say it of a parameter or of a variable. */
export type Refuse = (reason: string) => JournalError;

/** @returns whose fault a value is: that of a parameter of the URL. */
export function ofParameter(name: string): Refuse {
  return (reason) => refuse(`its ${name} ${reason}`);
}

/** @returns the same of a variable. */
export function ofVariable(name: string): Refuse {
  return (reason) => refuseVariable(name, `it ${reason}`);
}

/** A variable, as `read` takes it; undefined if it is empty or not there. */
export function readVariable<Value>(
  environment: Environment,
  name: string,
  read: (given: string, refuseIt: Refuse) => Value,
): Value | undefined {
  const given = environment[name];
  return given ? read(given, ofVariable(name)) : undefined;
}

/** The same of one that must not be empty, as it would then be read in a way that nobody wants. */
export function readNotEmpty<Value>(
  environment: Environment,
  name: string,
  read: (given: string, refuseIt: Refuse) => Value,
  instead = "say one",
): Value | undefined {
  if (environment[name] === "") throw ofVariable(name)(`is empty: take it away, or ${instead}`);
  return readVariable(environment, name, read);
}

/** One that says yes or no, in whatever letters. */
export function readSwitch(environment: Environment, name: string): boolean | undefined {
  return readVariable(
    environment,
    name,
    (given, refuseIt) => readWord(given.toLowerCase(), ["true", "false"], refuseIt) === "true",
  );
}

/** Whatever stands between a product's name and its parameters. */
export function readBucket(
  kind: string,
  { host, path }: UrlParts,
  { example }: UrlGrammar,
): { bucket: string; prefix: string; place: string } {
  if (host === "") throw refuse(`it names no bucket; write it like ${example}`);
  if (!/^[a-z0-9][a-z0-9._-]*$/i.test(host))
    throw refuse(`its bucket's name is not one; write it like ${example}`);
  const prefix = path.replace(/\/+$/, "");
  if (prefix !== "" && !/^[\w!.*'() -]+(\/[\w!.*'() -]+)*$/.test(prefix)) {
    throw refuse(
      "its prefix has other characters than letters, digits, single slashes, spaces and !-_.*'()",
    );
  }
  return {
    bucket: host,
    prefix: prefix === "" ? "" : `${prefix}/`,
    place: nameBucket(kind, host, prefix),
  };
}

/** @param prefix with or without a slash at its end */
export function nameBucket(kind: string, bucket: string, prefix: string): string {
  return `${kind}://${bucket}${prefix && `/${prefix.replace(/\/$/, "")}`}`;
}

/** @param names all that say the same. An address for several tools may have more than one. */
export function readFlag(
  parameters: UrlParts["parameters"],
  ...names: string[]
): boolean | undefined {
  const [first, ...rest] = names.flatMap((name) => {
    const given = parameters.get(name);
    return given === undefined ? [] : [{ name, isOn: readTruth(name, given) }];
  });
  if (first === undefined) return undefined;
  const other = rest.find(({ isOn }) => isOn !== first.isOn);
  if (other) throw refuse(`its ${first.name} and its ${other.name} contradict each other`);
  return first.isOn;
}

/** As Go reads it, in which `pulumi login` is written. */
function readTruth(name: string, given: string): boolean {
  if (/^(1|t|T|true|True|TRUE)$/.test(given)) return true;
  if (/^(0|f|F|false|False|FALSE)$/.test(given)) return false;
  throw refuse(`its ${name} is neither true nor false`);
}

/** A host, perhaps with its port and a path. What is left of a misspelled scheme is none. */
const BARE_ADDRESS = /^(\[[^\]]*\]|[^/:]+)(:\d+)?(\/(?!\/)|$)/;

const WHOLE_ADDRESS = /^https?:\/\/[^/\\\p{Cc}][^\\\p{Cc}]*$/iu;

/** The address of a server, with or without its scheme, without a slash at its end. A key may not stand in it. */
export function readAddress(given: string, scheme: "http" | "https", refuseIt: Refuse): string {
  const written = BARE_ADDRESS.test(given) ? `${scheme}://${given}` : given;
  // `URL` leaves some characters out that are not to be seen, and adds what a scheme lacks.
  const url = WHOLE_ADDRESS.test(written) ? URL.parse(written) : null;
  const isWhole = url !== null && url.href === `${url.origin}${url.pathname}`;
  if (!isWhole) throw refuseIt("is not a host, or an http(s) URL of one");
  return url.href.replace(/\/+$/, "");
}

/** One of the words that are known. */
export function readWord<Word extends string>(
  given: string,
  words: readonly Word[],
  refuseIt: Refuse,
): Word {
  const known = words.find((word) => word === given);
  if (known !== undefined) return known;
  throw refuseIt(`is none of ${words.join(", ")}`);
}

export function decode(text: string, example: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refuse(`it is not written like ${example}`);
  }
}
