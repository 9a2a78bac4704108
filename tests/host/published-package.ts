import { makePackageSpec } from "../../provider/host/plugin/schema/package-spec.ts";
import type { PackageSpec, PropertySpec } from "../../provider/host/plugin/schema/spec.ts";

/** The package description that is published for every language. */
export const publishedSchema: PackageSpec = makePackageSpec("1.0.0");

/** The values that a property accepts, if it is a choice. */
export function choicesOf({ $ref = "" }: PropertySpec): string[] {
  const type = publishedSchema.types[$ref.replace("#/types/", "")];
  return type && "enum" in type ? type.enum.map(({ value }) => value) : [];
}
