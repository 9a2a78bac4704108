import { resolve } from "node:path";
import { CliError } from "../failure.ts";
import { EXPECTED, type Preview, readPreviewFile } from "./preview-file.ts";
import { describeStack, isSameStack, type StackName } from "./stack-name.ts";

/** A preview, and the file that it is from. */
export interface GivenPreview extends Preview {
  /** The file as it was named on the command line. */
  file: string;
}

/** A preview, and what the base branch plans for the same stack. */
export interface ComparedPreview extends GivenPreview {
  /** Undefined if no preview of the base branch is of this stack: then the stack is new. */
  base: GivenPreview | undefined;
}

/** Reads one preview a stack, and those of the base branch. Whatever is given twice is an error. */
export async function readPreviews(
  files: readonly string[],
  baseFiles: readonly string[],
): Promise<ComparedPreview[]> {
  if (files.length === 0) throw new CliError(`no preview was given: ${EXPECTED}`);
  assertOnce([...files, ...baseFiles]);
  const previews = await readAll(files);
  assertOneOfEachStack(previews);
  if (baseFiles.length === 0) return previews.map((preview) => ({ ...preview, base: undefined }));
  const bases = await readAll(baseFiles);
  assertOneOfEachStack(bases);
  return matchByStack(previews, bases);
}

async function readAll(files: readonly string[]): Promise<GivenPreview[]> {
  const previews: GivenPreview[] = [];
  // One after the other: the first wrong one is named.
  for (const file of files) previews.push({ file, ...(await readPreviewFile(file)) });
  return previews;
}

function assertOnce(files: readonly string[]): void {
  const paths = files.map((file) => (file === "-" ? file : resolve(file)));
  const twice = files.find((_file, index) => paths.indexOf(paths[index] ?? "") !== index);
  if (twice === undefined) return;
  const name = twice === "-" ? "standard input" : twice;
  throw new CliError(`${name} is given twice: give each preview once`);
}

function assertOneOfEachStack(previews: readonly GivenPreview[]): void {
  for (const [index, { file, stack }] of previews.entries()) {
    if (stack === undefined) continue;
    const earlier = previews.slice(0, index).find((other) => isOf(other, stack));
    if (earlier === undefined) continue;
    throw new CliError(
      `${earlier.file} and ${file} are both previews of the stack ${describeStack(stack)}: give one preview a stack`,
    );
  }
}

function matchByStack(
  previews: readonly GivenPreview[],
  bases: readonly GivenPreview[],
): ComparedPreview[] {
  for (const { file, stack } of [...previews, ...bases]) {
    if (stack !== undefined) continue;
    throw new CliError(
      `${file} lists no step, so it does not name its stack and can't be compared with --base: preview with --show-sames`,
    );
  }
  for (const { file, stack } of bases) {
    if (stack === undefined || previews.some((preview) => isOf(preview, stack))) continue;
    throw new CliError(
      `--base ${file} is of the stack ${describeStack(stack)}, of which no preview is given: give it with --preview, or leave this base out`,
    );
  }
  return previews.map((preview) => ({
    ...preview,
    base: bases.find(({ stack }) => stack !== undefined && isOf(preview, stack)),
  }));
}

function isOf({ stack }: GivenPreview, name: StackName): boolean {
  return stack !== undefined && isSameStack(stack, name);
}
