/** Stands for a value of any type that nobody can know before `pulumi up`. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
