import { type Command, InvalidArgumentError, Option } from "commander";
import { type ProxyType, proxyTypes } from "./catalogue/catalogue.ts";
import {
  idForms,
  type OpenQuestions,
  type PresetName,
  presetNames,
  presets,
} from "./open-questions.ts";
import type { SimulatorFlags } from "./run.ts";

/** Adds `simulator`. What it needs is loaded when it runs, so that other commands start as fast as before. */
export function addSimulatorCommand(program: Command): void {
  const command = program
    .command("simulator")
    .description("A local proxy rental service: real HTTP, no money, nothing kept")
    .option("--port <number>", "port of the service; 0 is any free one", parsePort, 0)
    .option("--host <address>", "address of the service", "127.0.0.1")
    .option("--control-port <number>", "port of the control API and its page", parsePort, 0)
    .option("--control-host <address>", "address of the control API", "127.0.0.1")
    .option("--seed <number>", "same seed, same ids, addresses, logins and draws", parseWhole, 1)
    .option("--balance <amount>", 'what each account begins with (default: "1000.00")', parseAmount)
    .option("--account <name>", "a further account; can be repeated", collect)
    .option("--latency <ms>", "how long each answer is held back", parseWhole, 0)
    .option("--live", "each proxy is a real one on this machine, for HTTP and SOCKS5")
    .option("--at <time>", "the clock stands still at this time until it is advanced", parseTime)
    .option("--catalogue <file>", "JSON of what differs from --print-catalogue")
    .option(
      "--like <folder>",
      "behave as an account that `doctor --record` has seen; what is named besides wins",
    )
    .option("--load <file>", "begin with a snapshot that the control API gave")
    .option("--print-catalogue", "print the default catalogue and end")
    .option("--print-openapi", "print the OpenAPI document of the endpoints and end");
  addOpenQuestions(command);
  command.action(async (flags: SimulatorFlags) => {
    const { runSimulator } = await import("./run.ts");
    await runSimulator(flags);
  });
}

const heading = "What the service's document leaves open (defaults are the mildest answers):";

function addOpenQuestions(command: Command): void {
  const whole = (flags: string, description: string) =>
    new Option(flags, description).argParser(parseWhole);
  const options = [
    new Option("--preset <name>", "answers to all of these; what is named besides wins").choices(
      presetNames,
    ),
    new Option(
      "--order-number-differs-from-order-id",
      "the listing knows an order by another number than its buyer",
    ),
    whole("--delivery-delay-ms <ms>", "how long an order's proxies take to appear"),
    new Option("--delivery-batch <size/ms>", "then so many at a time, so far apart").argParser(
      parseBatch,
    ),
    whole("--date-end-delay-ms <ms>", "how long after an order its dateEnd is missing"),
    new Option("--ids-change-on-extension", "extended proxies get new ids"),
    new Option("--isp-needs-users-prefix", "ISP countries and rent periods only under /users"),
    new Option("--ipv6-ids-as <form>", "how calculate/extend takes ids of IPv6").choices(idForms),
    new Option("--page-cap <count>", "the largest page of the listing").argParser(parseCount),
    new Option("--minimum-quantity <type=count>", "the smallest order; can be repeated").argParser(
      parseMinimum,
    ),
    new Option("--rate-limited-percent <number>", "calls answered with 429").argParser(
      parsePercent,
    ),
    new Option(
      "--unavailable-percent <number>",
      "calls answered with 503, half of them carried out all the same",
    ).argParser(parsePercent),
  ];
  for (const option of options) command.addOption(option.helpGroup(heading));
  command.addHelpText("after", () => `\nPresets:\n${presetNames.map(describePreset).join("\n")}`);
}

function describePreset(name: PresetName): string {
  const answers = Object.entries(presets[name]).map(
    ([question, answer]) => `${question} ${JSON.stringify(answer)}`,
  );
  return `  ${name}: ${answers.join(", ")}`;
}

function parseWhole(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("A whole number is expected.");
  return Number(text);
}

function parsePort(text: string): number {
  const port = parseWhole(text);
  if (port > 65_535) throw new InvalidArgumentError("A port from 0 to 65535 is expected.");
  return port;
}

function parseCount(text: string): number {
  const count = parseWhole(text);
  if (count === 0) throw new InvalidArgumentError("At least 1 is expected.");
  return count;
}

function parsePercent(text: string): number {
  const percent = /^\d{1,3}(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (percent <= 100) return percent;
  throw new InvalidArgumentError("A number from 0 to 100 is expected.");
}

function parseAmount(text: string): string {
  if (!/^\d{1,12}(\.\d{1,2})?$/.test(text)) {
    throw new InvalidArgumentError("An amount such as 500 or 500.00 is expected.");
  }
  return text;
}

function parseTime(text: string): Date {
  const time = new Date(text);
  if (/^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(time.getTime())) return time;
  throw new InvalidArgumentError("A time such as 2026-03-01T12:00:00Z is expected.");
}

function parseBatch(text: string): OpenQuestions["deliveryBatch"] {
  const [, size = "", everyMs = ""] = /^(\d{1,5})\/(\d{1,9})$/.exec(text) ?? [];
  if (Number(size) > 0) return { size: Number(size), everyMs: Number(everyMs) };
  throw new InvalidArgumentError("Proxies and milliseconds such as 3/500 are expected.");
}

function parseMinimum(
  text: string,
  before: OpenQuestions["minimumQuantity"] = {},
): OpenQuestions["minimumQuantity"] {
  const [, type, count = ""] = /^(\w+)=([1-9]\d{0,4})$/.exec(text) ?? [];
  const proxyType = proxyTypes.find((known): known is ProxyType => known === type);
  if (proxyType !== undefined) return { ...before, [proxyType]: Number(count) };
  throw new InvalidArgumentError(
    `${proxyTypes.join(", ")} and a count such as IPv6=10 are expected.`,
  );
}

function collect(text: string, before: string[] = []): string[] {
  return [...before, text];
}
