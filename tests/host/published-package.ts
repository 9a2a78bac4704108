import { makePackageSpec } from "../../provider/host/plugin/schema/package-spec.ts";
import type { PackageSpec, PropertySpec } from "../../provider/host/plugin/schema/spec.ts";

/** The package as every language is told of it. */
export const publishedSchema: PackageSpec = makePackageSpec("1.0.0");

/** The values that a property accepts, where it is a choice. */
export function choicesOf({ $ref = "" }: PropertySpec): string[] {
  const type = publishedSchema.types[$ref.replace("#/types/", "")];
  return type && "enum" in type ? type.enum.map(({ value }) => value) : [];
}
