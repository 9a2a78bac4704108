import { readdir, readFile, stat } from "node:fs/promises";
import { join, posix } from "node:path";

/** A package as npm has installed it: its place, and the places of what it depends on. */
interface Placed {
  readonly bytes: number;
  readonly needs: readonly string[];
}

/** What a dependency weighs as it is installed. */
export interface Weight {
  readonly name: string;
  /** With all that it depends on. */
  readonly bytes: number;
  /** Of that, what nothing else brings: so much less is installed without it. */
  readonly alone: number;
}

/** Weighs each dependency of a package that npm has installed in this folder, the heaviest first. */
export async function weighDependencies(
  folder: string,
  name: string,
): Promise<{ total: number; own: number; weights: Weight[] }> {
  const placed = await readPlaced(folder);
  const root = `node_modules/${name}`;
  const needs = placed.get(root)?.needs ?? [];
  const all = reach(placed, needs);
  const weights = needs.map((place): Weight => {
    const others = reach(
      placed,
      needs.filter((other) => other !== place),
    );
    const bytes = sum(placed, reach(placed, [place]));
    return {
      name: place.replace(/^.*node_modules\//, ""),
      bytes,
      alone: sum(placed, all) - sum(placed, others),
    };
  });
  const own = sum(placed, new Set([root]));
  return {
    total: sum(placed, new Set([root, ...all])),
    own,
    weights: weights.toSorted((one, other) => other.bytes - one.bytes),
  };
}

/** Reads npm's own note of what is where. */
async function readPlaced(folder: string): Promise<Map<string, Placed>> {
  const { packages } = JSON.parse(
    await readFile(join(folder, "node_modules", ".package-lock.json"), "utf8"),
  ) as { packages: Record<string, { dependencies?: Record<string, string> }> };
  const places = new Set(Object.keys(packages));
  const entries = Object.entries(packages).map(async ([place, { dependencies = {} }]) => {
    const needs = Object.keys(dependencies).map((name) => resolve(places, place, name));
    return [place, { bytes: await sizeOf(join(folder, place)), needs }] as const;
  });
  return new Map(await Promise.all(entries));
}

/** As Node.js does: the nearest `node_modules`, from the inside out. */
function resolve(places: ReadonlySet<string>, from: string, name: string): string {
  for (let base = from; ; base = base.slice(0, base.lastIndexOf("node_modules/"))) {
    const place = posix.join(base, "node_modules", name);
    if (places.has(place)) return place;
    if (base === "") throw new Error(`${from} needs ${name}, which is not installed`);
  }
}

function reach(placed: ReadonlyMap<string, Placed>, from: readonly string[]): Set<string> {
  const met = new Set(from);
  // A set that grows while it is walked through is walked to its end.
  for (const place of met) for (const need of placed.get(place)?.needs ?? []) met.add(need);
  return met;
}

function sum(placed: ReadonlyMap<string, Placed>, places: ReadonlySet<string>): number {
  return [...places].reduce((bytes, place) => bytes + (placed.get(place)?.bytes ?? 0), 0);
}

/** The bytes of a package's files, without those of packages inside it. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true });
  const sizes = entries
    .filter((entry) => entry.name !== "node_modules")
    .map(async (entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? sizeOf(path) : (await stat(path)).size;
    });
  return (await Promise.all(sizes)).reduce((bytes, size) => bytes + size, 0);
}
