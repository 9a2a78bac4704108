import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { openApiDocument, type Simulator } from "../../simulator/index.ts";

const ajv = new Ajv2020({ strict: false });
ajv.addSchema(openApiDocument(), "document");
const validators = new Map<string, ValidateFunction>();

/**
 * What the simulator has answered and does not stand in its OpenAPI document so, as sentences. Looks at what the journal
 * still holds: the latest 200 requests. An answer that a test had changed is the test's own.
 */
export function findUndocumentedAnswers(simulator: Simulator): string[] {
  return simulator
    .requests()
    .filter(({ answer, faults }) => answer !== undefined && !faults.includes("answer"))
    .flatMap(({ method, path, answer }) => {
      const validate = validatorOf(method, path);
      // As it went over the wire: without what JSON leaves out.
      if (validate(JSON.parse(JSON.stringify(answer)))) return [];
      return [`${method} ${path}: ${ajv.errorsText(validate.errors)}`];
    });
}

function validatorOf(method: string, path: string): ValidateFunction {
  // HEAD is answered as GET is, as far as the journal goes.
  const verb = method === "HEAD" ? "get" : method.toLowerCase();
  const operation = `/paths/${path.replaceAll("/", "~1")}/${verb}`;
  const pointer = encodeURI(`${operation}/responses/200/content/application~1json/schema`);
  const known = validators.get(pointer);
  if (known) return known;
  const validate = ajv.compile({ $ref: `document#${pointer}` });
  validators.set(pointer, validate);
  return validate;
}
