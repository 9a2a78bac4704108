import { ProxyRentalError } from "../../core/values/errors.ts";
import type { GivenInputs, InputFailure } from "../../core/values/inputs.ts";

/** Properties as an engine keeps them. */
export type Props = Record<string, unknown>;

/** The result of a check. */
export interface CheckedInputs {
  inputs: object;
  /** Which inputs are not known yet, beside those that were given as unknown. */
  unknown: readonly string[];
  failures: InputFailure[];
}

/** What a diff finds. */
export type Change =
  | { kind: "none" }
  | { kind: "update" }
  | { kind: "replace"; properties: readonly string[]; deleteBeforeReplace: boolean };

/**
 * One kind of resource for any engine. Hosts translate between this and their wire. The core decides what a resource
 * does.
 */
export interface HostedResource {
  check(owner: string, oldInputs: Props | undefined, given: GivenInputs): Promise<CheckedInputs>;
  /** Throws for an edit that is refused. */
  diff(oldOutputs: Props, given: GivenInputs): Promise<Change>;
  /** Throws a `SavedFailure` if something was done before it failed. */
  create(inputs: Props): Promise<{ id: string; state: object }>;
  /**
   * Undefined if the resource is gone. The engine then plans another one, so it is never given in doubt.
   * @param owner what the engine calls its state, which may be a former name; undefined where it does not say.
   */
  read(
    outputs: Props,
    owner?: string,
  ): Promise<{ state: object; drift?: object | undefined } | undefined>;
  /**
   * Finds what the account already holds under this id, for a resource that is to own it from now on. Spends nothing.
   * Throws if there is no such thing, or if it has no id.
   */
  import(owner: string, id: string): Promise<{ id: string; state: object; inputs: object }>;
  /**
   * What the account holds of this kind: each by the id that `import` takes, with a name for its resource. It is all
   * that fits the query, or this throws. Spends nothing.
   */
  list(query: Props): Promise<readonly { id: string; name: string }[]>;
  /** As `create`. */
  update(oldOutputs: Props, inputs: Props): Promise<object>;
  /** @param owner see `read`. */
  delete(outputs: Props, owner?: string): Promise<void>;
}

/** A create or update that failed after something was done. The engine must save what is known, or it is lost. */
export class SavedFailure extends Error {
  override readonly name = "SavedFailure";
  readonly id: string;
  readonly state: object;

  constructor(cause: Error, id: string, state: object) {
    super(cause.message, { cause });
    this.id = id;
    this.state = state;
  }
}

/** What a resource answers for which the service has no id. */
export function withoutId(kind: string, instead: string): Pick<HostedResource, "import" | "list"> {
  const refuse = async (what: string): Promise<never> => {
    throw new ProxyRentalError(
      "INPUT_INVALID",
      `the service knows no ${kind} by an id, so there is nothing to ${what}. Nothing was bought. Declare it instead: ${instead}.`,
    );
  };
  return { import: () => refuse("import"), list: () => refuse("list") };
}
