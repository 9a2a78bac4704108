import * as pulumi from "@pulumi/pulumi";

/**
 * What stops a program: a function that could not answer, or a setting that is not safe. Pulumi prints it
 * without a stack; `code` is stable. */
export class ProgramError extends pulumi.RunError {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
