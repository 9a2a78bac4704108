import struct from "google-protobuf/google/protobuf/struct_pb.js";
import type { Props } from "../resources/hosted-resource.ts";
import { UNKNOWN } from "../unknown-value.ts";

type Struct = InstanceType<typeof struct.Struct>;

/** Properties as the engine sends them, sorted by its marks. */
export interface ReceivedProps {
  /** What is known, with secrets opened. */
  known: Props;
  /** Properties that hold, somewhere inside, a value which is not known yet. */
  unknown: ReadonlySet<string>;
  /** Properties that hold, somewhere inside, a secret. */
  secret: ReadonlySet<string>;
  /** Everything as it came, marks and all. */
  raw: Props;
}

/** In Pulumi's wire format, an object with this key is no plain object. */
const SIGNATURE = "4dabf18193072939515e22adb298388d";

const SECRET = "1b47061264138c4ac30d75fd1eb44270";

const OUTPUT = "d0e6a833031e9bbcd3f4e8bde6ca49a4";

/** How the engine writes a value that it does not know yet, for each type that it may have. */
const unknownValues: ReadonlySet<unknown> = new Set([
  UNKNOWN,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

/** Parses properties off the wire; none if the engine sent none. */
export function parseStruct(received: Struct | undefined): ReceivedProps {
  const raw: Props = received?.toJavaScript() ?? {};
  const known: Props = {};
  const unknown = new Set<string>();
  const secret = new Set<string>();
  for (const [name, value] of Object.entries(raw)) {
    const marks = { unknown: false, secret: false };
    const opened = open(value, marks);
    if (marks.secret) secret.add(name);
    if (marks.unknown) unknown.add(name);
    else known[name] = opened;
  }
  return { known, unknown, secret, raw };
}

/** Writes properties for the wire, those with these names as secrets. */
export function writeStruct(props: object, secret: ReadonlySet<string> = new Set()): Struct {
  // The wire format has no undefined.
  const plain: Props = JSON.parse(JSON.stringify(props));
  for (const name of secret) {
    const value = plain[name];
    if (value === undefined || isSecret(value)) continue;
    plain[name] = { [SIGNATURE]: SECRET, value };
  }
  return struct.Struct.fromJavaScript(plain as Parameters<typeof struct.Struct.fromJavaScript>[0]);
}

function open(value: unknown, marks: { unknown: boolean; secret: boolean }): unknown {
  if (unknownValues.has(value)) {
    marks.unknown = true;
    return undefined;
  }
  if (Array.isArray(value)) return value.map((item) => open(item, marks));
  if (!isObject(value)) return value;
  if (isSecret(value)) {
    marks.secret = true;
    return open(value.value, marks);
  }
  if (isOutput(value)) {
    if (value.secret === true) marks.secret = true;
    // An output without a value is not known yet.
    return open(Object.hasOwn(value, "value") ? value.value : UNKNOWN, marks);
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, open(item, marks)]));
}

function isOutput(value: Props): value is { value?: unknown; secret?: unknown } {
  return value[SIGNATURE] === OUTPUT;
}

function isSecret(value: unknown): value is { value: unknown } {
  return isObject(value) && value[SIGNATURE] === SECRET;
}

function isObject(value: unknown): value is Props {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
