import * as pulumi from "@pulumi/pulumi";

/** A function that could not answer. Pulumi prints it without a stack; `code` is stable. */
export class FunctionError extends pulumi.RunError {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
