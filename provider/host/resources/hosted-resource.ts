import { ProxyRentalError } from "../../core/values/errors.ts";
import type { GivenInputs, InputFailure } from "../../core/values/inputs.ts";

/** Properties as an engine keeps them. */
export type Props = Record<string, unknown>;

/** What a check comes to. */
export interface CheckedInputs {
  inputs: object;
  /** Which inputs nobody can know yet, beside those that were given unknown. */
  unknown: readonly string[];
  failures: InputFailure[];
}

/** What a diff finds. */
export type Change =
  | { kind: "none" }
  | { kind: "update" }
  | { kind: "replace"; properties: readonly string[]; deleteBeforeReplace: boolean };

/**
 * One kind of resource as any engine may use it. Hosts translate between this and their wire; what a resource does is
 * the core's.
 */
export interface HostedResource {
  check(owner: string, oldInputs: Props | undefined, given: GivenInputs): Promise<CheckedInputs>;
  /** Throws for an edit that is refused. */
  diff(oldOutputs: Props, given: GivenInputs): Promise<Change>;
  /** Throws a `SavedFailure` where something was done before it failed. */
  create(inputs: Props): Promise<{ id: string; state: object }>;
  /** Undefined where the resource is gone: then the engine plans another one, so it is never said on doubt. */
  read(outputs: Props): Promise<{ state: object; drift?: object | undefined } | undefined>;
  /**
   * Finds what the account holds already under this id, for a resource that is to own it from now on. Spends
   * nothing; throws where there is no such thing, or where it has no id of its own.
   */
  import(owner: string, id: string): Promise<{ id: string; state: object; inputs: object }>;
  /** As `create`. */
  update(oldOutputs: Props, inputs: Props): Promise<object>;
  delete(outputs: Props): Promise<void>;
}

/** A create or update that failed after something was done: the engine must save what is known, or it is lost. */
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

/** What a resource says that the service gives no id to import it by. */
export function refuseImport(kind: string, instead: string): ProxyRentalError {
  return new ProxyRentalError(
    "INPUT_INVALID",
    `the service knows no ${kind} by an id, so there is nothing to import. Nothing was bought. Declare it instead: ${instead}.`,
  );
}
