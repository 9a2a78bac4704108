import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { openApiDocument, type Simulator } from "../../simulator/index.ts";

const ajv = new Ajv2020({ strict: false });
ajv.addSchema(openApiDocument(), "document");
const validators = new Map<string, ValidateFunction>();

/**
 * Finds answers of the simulator that differ from its OpenAPI document, and describes each in a sentence. Only the
 * latest 200 requests are compared, because the journal keeps no more. An answer that a test has changed is left out.
 */
export function findUndocumentedAnswers(simulator: Simulator): string[] {
  return simulator
    .requests()
    .filter(({ answer, faults }) => answer !== undefined && !faults.includes("answer"))
    .flatMap(({ method, path, answer }) => {
      const validate = validatorOf(method, path);
      // Compares the answer as it was sent: JSON leaves undefined fields out.
      if (validate(JSON.parse(JSON.stringify(answer)))) return [];
      return [`${method} ${path}: ${ajv.errorsText(validate.errors)}`];
    });
}

function validatorOf(method: string, path: string): ValidateFunction {
  // In the document HEAD has the same answers as GET.
  const verb = method === "HEAD" ? "get" : method.toLowerCase();
  const operation = `/paths/${path.replaceAll("/", "~1")}/${verb}`;
  const pointer = encodeURI(`${operation}/responses/200/content/application~1json/schema`);
  const known = validators.get(pointer);
  if (known) return known;
  const validate = ajv.compile({ $ref: `document#${pointer}` });
  validators.set(pointer, validate);
  return validate;
}
