import { gzipSync } from "node:zlib";

/** A file of an archive. */
export interface ArchivedFile {
  /** With slashes, on every system. */
  readonly path: string;
  readonly content: Uint8Array | string;
  readonly isProgram?: boolean;
}

const blockBytes = 512;

/** Who packs, and when, would make each archive a different one. This is the first moment that all tools accept. */
const packedAt = 315_532_800;

/** The place of the operating system in gzip's head, and the value for "unknown". */
const gzipSystem = { at: 9, unknown: 255 };

/** A `.tar.gz` of the files: the same bytes for the same files, on every machine. */
export function makeArchive(files: readonly ArchivedFile[]): Buffer {
  const sorted = files.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const blocks = sorted.flatMap(({ path, content, isProgram = false }) => {
    const bytes = Buffer.from(content);
    const filler = Buffer.alloc((blockBytes - (bytes.length % blockBytes)) % blockBytes);
    return [makeHead(path, bytes.length, isProgram ? 0o755 : 0o644), bytes, filler];
  });
  const end = Buffer.alloc(2 * blockBytes);
  const archive = gzipSync(Buffer.concat([...blocks, end]), { level: 9 });
  archive[gzipSystem.at] = gzipSystem.unknown;
  return archive;
}

/** A head in the format ustar. */
function makeHead(path: string, size: number, mode: number): Buffer {
  const head = Buffer.alloc(blockBytes);
  const { prefix, name } = splitPath(path);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, "0")}\0`;
  head.write(name, 0);
  head.write(octal(mode, 7), 100);
  head.write(octal(0, 7), 108);
  head.write(octal(0, 7), 116);
  head.write(octal(size, 11), 124);
  head.write(octal(packedAt, 11), 136);
  head.write("        ", 148);
  head.write("0", 156);
  head.write("ustar\u000000", 257);
  head.write(prefix, 345);
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return head;
}

/** A path of more than 100 bytes is kept in two parts, which meet at a slash. */
function splitPath(path: string): { prefix: string; name: string } {
  if (Buffer.byteLength(path) <= 100) return { prefix: "", name: path };
  const at = path.indexOf("/", Buffer.byteLength(path) - 101);
  const [prefix, name] = [path.slice(0, at), path.slice(at + 1)];
  if (at < 0 || Buffer.byteLength(prefix) > 155) throw new Error(`${path} is too long for a tar`);
  return { prefix, name };
}
