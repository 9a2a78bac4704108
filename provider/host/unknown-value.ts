/** How a value is written that nobody can know before `pulumi up`, whatever its type. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
