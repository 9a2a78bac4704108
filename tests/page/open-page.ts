import { tmpdir } from "node:os";
import { join } from "node:path";
import chromium from "@sparticuz/chromium";
import {
  type Browser,
  type BrowserContextOptions,
  type Page,
  chromium as playwright,
} from "playwright-core";
import { lock } from "proper-lockfile";
import { afterAll, expect, onTestFinished } from "vitest";
import type { Simulator } from "../../simulator/index.ts";

/** Starting a browser takes seconds, and more of them on a machine that is busy. */
export const patience = { timeout: 120_000 };
const soon = { timeout: 30_000, interval: 50 };

let browser: Promise<Browser> | undefined;

afterAll(async () => (await browser)?.close());

/** What a page did that nobody should have to find out by looking. */
interface Conduct {
  /** Addresses of all that it asked for. */
  readonly asked: string[];
  /** Errors in its console, violations of its security policy among them, and those that nobody caught. */
  readonly complaints: string[];
}

/** The page of a simulator's control API in a browser of its own, closed with the test. */
export async function openPage(
  { controlUrl = "" }: Pick<Simulator, "controlUrl">,
  options: BrowserContextOptions = {},
): Promise<Page & { conduct: Conduct }> {
  browser ??= startBrowser();
  const context = await (await browser).newContext({ locale: "en-GB", ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const conduct: Conduct = { asked: [], complaints: [] };
  page.on("request", (request) => conduct.asked.push(request.url()));
  page.on("pageerror", (error) => conduct.complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() !== "log") conduct.complaints.push(message.text());
  });
  await page.goto(`${controlUrl}/`);
  return Object.assign(page, { conduct });
}

/** Waits until a part of the page says something; of several, the first that can be seen. */
export async function expectText(page: Page, selector: string, text: string | RegExp) {
  const read = async () => {
    const [first = ""] = await page.locator(selector).filter({ visible: true }).allInnerTexts();
    return first;
  };
  await expect.poll(read, soon).toMatch(text);
}

/** Waits until as many are there to be seen. */
export async function expectCount(page: Page, selector: string, count: number) {
  await expect
    .poll(() => page.locator(selector).filter({ visible: true }).count(), soon)
    .toBe(count);
}

async function startBrowser(): Promise<Browser> {
  return playwright.launch({
    executablePath: await unpackBrowser(),
    // Not the package's own flags: some of them switch off what is tested here, such as the rules about origins.
    args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader"],
  });
}

/** One test file at a time: whoever finds half a browser takes it for a whole one. */
async function unpackBrowser(): Promise<string> {
  const path = join(tmpdir(), "proxyrental-browser");
  const release = await lock(path, { realpath: false, retries: { retries: 60, factor: 1 } });
  try {
    return await chromium.executablePath();
  } finally {
    await release();
  }
}
