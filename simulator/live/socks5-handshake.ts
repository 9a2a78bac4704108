import type { ExactReader } from "./exact-reader.ts";
import { isWelcomeByPieces, type Login } from "./login.ts";
import type { Target } from "./tunnel.ts";

/** RFC 1928; the login has a version of its own, by RFC 1929. */
const version = 5;
const loginVersion = 1;
const methods = { noLogin: 0, login: 2, none: 0xff };
const connectCommand = 1;

/** Answers to a request. */
export const replies = {
  succeeded: formReply(0),
  hostUnreachable: formReply(4),
  connectionRefused: formReply(5),
  commandNotSupported: formReply(7),
  addressTypeNotSupported: formReply(8),
};

/** Where a client wants to go, or the answer that refuses it. */
export type Outcome = { target: Target } | { lastWords: Buffer };

/** The talk of client and proxy up to the request, which is not answered yet. Rejects if it is no SOCKS5. */
export async function shakeHands(
  reader: ExactReader,
  answer: (message: Buffer) => void,
  wanted: Login | undefined,
): Promise<Outcome> {
  const method = chooseMethod(await reader.take(await readHead(reader, version)), wanted);
  const choice = Buffer.from([version, method]);
  if (method === methods.none) return { lastWords: choice };
  answer(choice);
  if (method === methods.login) {
    const login = await reader.take(await readHead(reader, loginVersion));
    const isWelcome = isWelcomeByPieces(wanted, login, await readSized(reader));
    if (!isWelcome) return { lastWords: Buffer.from([loginVersion, 1]) };
    answer(Buffer.from([loginVersion, 0]));
  }
  return readRequest(reader);
}

function chooseMethod(offered: Buffer, wanted: Login | undefined): number {
  if (wanted === undefined && offered.includes(methods.noLogin)) return methods.noLogin;
  return offered.includes(methods.login) ? methods.login : methods.none;
}

async function readRequest(reader: ExactReader): Promise<Outcome> {
  const command = await readHead(reader, version);
  const [, addressType] = await reader.take(2);
  const host = await readHost(reader, addressType);
  if (host === undefined) return { lastWords: replies.addressTypeNotSupported };
  const port = (await reader.take(2)).readUInt16BE();
  if (command !== connectCommand) return { lastWords: replies.commandNotSupported };
  return { target: { host, port } };
}

async function readHost(
  reader: ExactReader,
  addressType: number | undefined,
): Promise<string | undefined> {
  switch (addressType) {
    case 1:
      return (await reader.take(4)).join(".");
    case 3:
      return (await readSized(reader)).toString();
    case 4:
      return (await reader.take(16)).toString("hex").match(/.{4}/g)?.join(":");
    default:
      return undefined;
  }
}

/** Each message begins with its version. Gives the byte after that. */
async function readHead(reader: ExactReader, expected: number): Promise<number> {
  const head = await reader.take(2);
  if (head.readUInt8(0) !== expected) throw new Error("This is not SOCKS5");
  return head.readUInt8(1);
}

/** Reads bytes that follow their own number. */
async function readSized(reader: ExactReader): Promise<Buffer> {
  return reader.take((await reader.take(1)).readUInt8());
}

/** Its address, which would tell the client where it comes out, is left empty. */
function formReply(reply: number): Buffer {
  return Buffer.from([version, reply, 0, 1, 0, 0, 0, 0, 0, 0]);
}
