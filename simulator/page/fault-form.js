import { send } from "./control-api.js";
import { element, find } from "./elements.js";
import { faultKinds } from "./fault-kinds.js";
import { onSubmit } from "./notice.js";

/** @import { FaultRule } from "./answers.d.ts" */
/** @import { Parameter } from "./fault-kinds.js" */

const form = find("fault-form", HTMLFormElement);
const endpoint = find("fault-endpoint", HTMLSelectElement);
const kind = find("fault-kind", HTMLSelectElement);
const phase = find("fault-phase", HTMLSelectElement);
const calls = find("fault-calls", HTMLInputElement);
const probability = find("fault-probability", HTMLInputElement);
const parameters = find("fault-parameters", HTMLElement);

/** @typedef {{ parameter: Parameter, control: HTMLInputElement | HTMLSelectElement }} Field */
/** @type {Field[]} */
let fields = [];

kind.append(
  ...Object.entries(faultKinds).map(([name, { label }]) =>
    element("option", { value: name }, label),
  ),
);
kind.addEventListener("change", askForParameters);
askForParameters();
onSubmit(form, () => send("POST", "/faults", readRule()));

/** @param {readonly string[]} names */
export function offerEndpoints(names) {
  if (endpoint.options.length > 1) return;
  endpoint.append(...names.map((name) => element("option", { value: name }, name)));
}

function askForParameters() {
  fields = (faultKinds[kind.value]?.parameters ?? []).map((parameter) => ({
    parameter,
    control: makeControl(parameter),
  }));
  parameters.replaceChildren(
    ...fields.map(({ parameter, control }) => element("label", {}, parameter.label, control)),
  );
}

/** @param {Parameter} parameter */
function makeControl({ type, value, choices = {}, isOptional = false }) {
  if (type === "choice") {
    const options = Object.entries(choices).map(([key, label]) =>
      element("option", { value: key }, label),
    );
    const select = element("select", {}, ...options);
    select.value = value;
    return select;
  }
  const input = element("input", { type: type === "whole" ? "number" : "text", value });
  input.required = !isOptional;
  return input;
}

/** @returns {FaultRule} */
function readRule() {
  return {
    endpoint: endpoint.value,
    phase: phase.value,
    ...(calls.value.trim() === "" ? {} : { calls: calls.value.split(",").map(Number) }),
    ...(probability.value === "" ? {} : { probability: probability.valueAsNumber }),
    fault: { kind: kind.value, ...readParameters() },
  };
}

function readParameters() {
  /** @type {Record<string, unknown>} */
  const read = {};
  for (const { parameter, control } of fields) {
    if (control.value === "") continue;
    const [first = "", second] = parameter.name.split(".");
    const value = readValue(parameter, control.value);
    read[first] = second === undefined ? value : { ...Object(read[first]), [second]: value };
  }
  return read;
}

/** @param {Parameter} parameter @param {string} text */
function readValue({ type, name }, text) {
  if (type === "whole" || name === "code") return Number(text);
  return type === "json" ? parsePatch(text) : text;
}

/** A text that is no JSON is sent as it is, so that the control API says what it expects. @param {string} text */
function parsePatch(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
