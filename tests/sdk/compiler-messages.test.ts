import { beforeAll, describe, expect, test } from "vitest";
import { readPage } from "../support/docs.ts";
import { compile } from "./compiler.ts";

// What the compiler says is what a user reads first. So these tests ask the compiler itself.

const common = `country: "USA", quantity: 5, rentPeriodDays: 30, goal: "price monitoring"`;
const fleet = `countries: { USA: 5 }, rentPeriodDays: 30, goal: "price monitoring"`;

const head = `
import * as pulumi from "@pulumi/pulumi";
import { getOrderQuote, getOrderQuoteOutput, type GetOrderQuoteArgs, ProxyFleet, type ProxyFleetArgs, ProxyOrder, type ProxyOrderArgs, type ProxyType } from "./index.ts";
declare const configured: ProxyType;
declare const sometimes: "IPv4" | "IPv6";
declare const input: pulumi.Input<ProxyType>;
declare const text: pulumi.Output<string>;
declare const authentication: pulumi.Input<"LOGIN" | "IP">;
`;

/** Programs that must not compile, with what the first line of the compiler's message must name. */
const refused: Record<string, { program: string; named: RegExp }> = {
  "IPv6 without protocol": {
    program: `new ProxyOrder("a", { proxyType: "IPv6", ${common} });`,
    named: /Property 'protocol' is missing in type/,
  },
  "MOBILE without operator": {
    program: `new ProxyOrder("a", { proxyType: "MOBILE", rotationTime: 300, ${common} });`,
    named: /Property 'mobileOperator' is missing in type/,
  },
  "MOBILE without rotation": {
    program: `new ProxyOrder("a", { proxyType: "MOBILE", mobileOperator: text, ${common} });`,
    named: /Property 'rotationTime' is missing in type/,
  },
  "MOBILE without both": {
    program: `new ProxyOrder("a", { proxyType: "MOBILE", ${common} });`,
    named: /is missing the following properties from type .*: mobileOperator, rotationTime/,
  },
  "authType IP without authIp": {
    program: `new ProxyOrder("a", { proxyType: "IPv4", authType: "IP", ${common} });`,
    named: /Property 'authIp' is missing in type/,
  },
  "IPv6 and authType IP without protocol": {
    program: `new ProxyOrder("a", { proxyType: "IPv6", authType: "IP", authIp: "192.0.2.1", ${common} });`,
    named: /Property 'protocol' is missing in type/,
  },
  "without country": {
    program: `new ProxyOrder("a", { proxyType: "MOBILE", mobileOperator: text, rotationTime: 300, quantity: 5, rentPeriodDays: 30, goal: "a" });`,
    named: /Property 'country' is missing in type/,
  },
  "without proxyType": {
    program: `new ProxyOrder("a", { ${common} });`,
    named: /Property 'proxyType' is missing in type/,
  },
  "arguments without goal": {
    program: `export const args: ProxyOrderArgs = { proxyType: configured, country: "USA", quantity: 5, rentPeriodDays: 30 };`,
    named: /Property 'goal' is missing in type/,
  },
  "a helper for one type without its argument": {
    program: `
      const order = (name: string, args: Omit<ProxyOrderArgs<"IPv6">, "proxyType">) => new ProxyOrder(name, { ...args, proxyType: "IPv6" });
      order("a", { ${common} });`,
    named: /Property 'protocol' is missing in type/,
  },
  "arguments of one type": {
    program: `export const args: ProxyOrderArgs<"IPv6"> = { proxyType: "IPv6", ${common} };`,
    named: /Property 'protocol' is missing in type/,
  },
  "no such type": {
    program: `new ProxyOrder("a", { proxyType: "IPv5", ${common} });`,
    named: /Type '"IPv5"' is not assignable to type 'Input<"IPv4" \| "IPv6"/,
  },
  "no such argument": {
    program: `new ProxyOrder("a", { proxyType: "IPv4", quantitty: 5, ${common} });`,
    named: /'quantitty' does not exist in type/,
  },
  "a quantity as text": {
    program: `new ProxyOrder("a", { proxyType: "IPv4", country: "USA", quantity: "5", rentPeriodDays: 30, goal: "a" });`,
    named: /Type 'string' is not assignable to type 'Input<number>'/,
  },
  "a fleet of IPv6 without protocol": {
    program: `new ProxyFleet("a", { proxyType: "IPv6", ${fleet} });`,
    named: /Property 'protocol' is missing in type/,
  },
  "a fleet of MOBILE without operator": {
    program: `new ProxyFleet("a", { proxyType: "MOBILE", rotationTime: 300, ${fleet} });`,
    named: /Property 'mobileOperator' is missing in type/,
  },
  "a fleet without countries": {
    program: `new ProxyFleet("a", { proxyType: "IPv4", rentPeriodDays: 30, goal: "a" });`,
    named: /Property 'countries' is missing in type/,
  },
  "the quote of IPv6 without protocol": {
    program: `getOrderQuoteOutput({ proxyType: "IPv6", ${common} });`,
    named: /Property 'protocol' is missing in type/,
  },
  "the quote of known arguments without operator": {
    program: `void getOrderQuote({ proxyType: "MOBILE", rotationTime: 300, ${common} });`,
    named: /Property 'mobileOperator' is missing in type/,
  },
  "the quote of arguments that are not known": {
    program: `void getOrderQuote({ proxyType: "IPv4", country: text, quantity: 5, rentPeriodDays: 30, goal: "a" });`,
    named: /Type 'Output(Instance)?<string>.*' is not assignable to type 'string'/,
  },
};

/** Programs that must compile. */
const accepted: Record<string, string> = {
  "a type from the configuration": `
    new ProxyOrder("a", { proxyType: configured, ${common} });
    new ProxyOrder("b", { proxyType: new pulumi.Config().require<ProxyType>("type"), protocol: "HTTP", ${common} });
    new ProxyFleet("c", { proxyType: configured, ${fleet} });
    void getOrderQuote({ proxyType: configured, ${common} });
    export const asked: GetOrderQuoteArgs = { proxyType: configured, ${common} };
    void getOrderQuote({ ...asked, maxPrice: 5 });
    getOrderQuoteOutput({ proxyType: configured, ${common} });`,
  "a type that is one of two": `
    new ProxyOrder("a", { proxyType: sometimes, protocol: "HTTP", ${common} });
    new ProxyOrder("b", { proxyType: sometimes, ${common} });`,
  "an input type": `
    new ProxyOrder("a", { proxyType: input, authType: authentication, authIp: text, ${common} });
    new ProxyOrder("b", { proxyType: Promise.resolve(configured), ${common} });
    new ProxyOrder("c", { proxyType: pulumi.output(configured), mobileOperator: text, rotationTime: 300, ${common} });
    new ProxyFleet("d", { proxyType: input, ${fleet} });`,
  "an input of one type": `
    new ProxyOrder("a", { proxyType: pulumi.output("IPv6" as const), protocol: "SOCKS", ${common} });`,
  "a helper with a part of the arguments": `
    const order = (name: string, args: Omit<ProxyOrderArgs, "goal">) =>
      new ProxyOrder(name, { ...args, goal: "price monitoring" });
    order("a", { proxyType: "IPv4", country: "USA", quantity: 5, rentPeriodDays: 30 });
    order("b", { proxyType: configured, country: text, quantity: 5, rentPeriodDays: 30, authType: "IP", authIp: text });`,
  "a helper with defaults": `
    const defaults: Pick<ProxyOrderArgs, "rentPeriodDays" | "goal"> = { rentPeriodDays: 30, goal: "price monitoring" };
    const order = (name: string, args: Partial<ProxyOrderArgs> & Pick<ProxyOrderArgs, "proxyType" | "country" | "quantity">) =>
      new ProxyOrder(name, { ...defaults, ...args });
    order("a", { proxyType: "IPv4", country: "USA", quantity: 5, maxPrice: 10 });`,
  "a helper for one type": `
    const order = (name: string, args: Omit<ProxyOrderArgs<"IPv6">, "proxyType">) =>
      new ProxyOrder(name, { ...args, proxyType: "IPv6" });
    order("a", { protocol: "SOCKS", ${common} });`,
  "an interface of one's own": `
    interface OurArgs extends Omit<ProxyOrderArgs, "goal"> { team: string }
    const order = (name: string, { team, ...args }: OurArgs) => new ProxyOrder(name, { ...args, goal: team });
    order("a", { proxyType: "ISP", country: "USA", quantity: 5, rentPeriodDays: 30, team: "prices" });`,
  "a helper for a fleet": `
    const fleet = (name: string, args: Omit<ProxyFleetArgs, "goal">) => new ProxyFleet(name, { ...args, goal: "prices" });
    fleet("a", { proxyType: configured, countries: { USA: 5 }, rentPeriodDays: 30 });`,
  "a class of one's own": `
    class Prices extends ProxyOrder {
      constructor(name: string, country: string) {
        super(name, { proxyType: "IPv4", country, quantity: 5, rentPeriodDays: 30, goal: "prices" });
      }
    }
    export const prices: ProxyOrder = new Prices("a", "USA");`,
  "an order of one type among others": `
    const orders: ProxyOrder[] = [new ProxyOrder("a", { proxyType: "IPv6", protocol: "SOCKS", authType: "LOGIN", ${common} })];
    orders.push(new ProxyOrder("b", { proxyType: configured, ${common} }));
    export const type: pulumi.Output<ProxyType> = orders[0]!.proxyType;`,
};

let said: Record<string, string[]>;

beforeAll(() => {
  const programs = Object.entries(refused).map(([name, { program }]) => [name, program]);
  const all = [...programs, ...Object.entries(accepted)];
  const withHead = all.map(([name, program]) => [name, `${head}${program}`]);
  said = compile(Object.fromEntries(withHead));
}, 300_000);

describe("the compiler refuses, and names the argument:", () => {
  test.each(Object.entries(refused))("%s", (name, { named }) => {
    expect(said[name]).toEqual([expect.stringMatching(named)]);
    expect(said[name]?.join()).not.toContain("'authType' is missing");
  });
});

describe("the compiler accepts", () => {
  test.each(Object.keys(accepted))("%s", (name) => {
    expect(said[name]).toEqual([]);
  });
});

test("a function around the arguments of an order is shown to users", () => {
  const [shown] = readPage("docs/resources.md")
    .blocks("ts")
    .filter((block) => block.includes("Omit<ProxyOrderArgs"));
  expect(shown?.trim().split("\n\n")[1]?.split("\n")).toHaveLength(2);
});
