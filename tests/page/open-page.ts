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

/** A browser needs seconds to start, and more on a busy machine. */
export const patience = { timeout: 120_000 };
const soon = { timeout: 30_000, interval: 50 };

let browser: Promise<Browser> | undefined;

afterAll(async () => (await browser)?.close());

/** What a page did and a person would not see. */
interface Conduct {
  /** The addresses of all its requests. */
  readonly asked: string[];
  /** The errors in its console. They include uncaught errors and violations of its security policy. */
  readonly complaints: string[];
}

/** A page in a browser of its own, which is closed with the test. */
export type OpenedPage = Page & { conduct: Conduct };

/** Opens the page of a simulator's control API. */
export function openPage(
  { controlUrl = "" }: Pick<Simulator, "controlUrl">,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  return openUrl(`${controlUrl}/`, options);
}

/** Opens any page. */
export async function openUrl(
  url: string,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
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
  await page.goto(url);
  return Object.assign(page, { conduct });
}

/** Waits until a part of the page has this text. If there are several parts, the first visible one counts. */
export async function expectText(page: Page, selector: string, text: string | RegExp) {
  const read = async () => {
    const [first = ""] = await page.locator(selector).filter({ visible: true }).allInnerTexts();
    return first;
  };
  await expect.poll(read, soon).toMatch(text);
}

/** Waits until so many parts are visible. */
export async function expectCount(page: Page, selector: string, count: number) {
  await expect
    .poll(() => page.locator(selector).filter({ visible: true }).count(), soon)
    .toBe(count);
}

async function startBrowser(): Promise<Browser> {
  return playwright.launch({
    executablePath: await unpackBrowser(),
    // The package's own flags are not used. Some of them switch off what is tested here, as the rules about origins.
    args: ["--no-sandbox", "--disable-gpu"],
  });
}

/** Lets one test file unpack at a time. Another one would take a half unpacked browser for a complete one. */
async function unpackBrowser(): Promise<string> {
  const path = join(tmpdir(), "proxyrental-browser");
  const release = await lock(path, { realpath: false, retries: { retries: 60, factor: 1 } });
  try {
    return await chromium.executablePath();
  } finally {
    await release();
  }
}
