/** The site in a real browser: what axe and Lighthouse find, what is asked of which host. */
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { must } from "../packages/_installed.ts";

/** How a page is looked at. */
export interface Look {
  readonly width: number;
  readonly scheme: "light" | "dark";
}

/** What axe finds, as `PAGE: RULE: ELEMENT`. */
export async function violations(
  browser: Browser,
  url: string,
  { paths, width, scheme }: Look & { readonly paths: readonly string[] },
): Promise<string[]> {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
  const found: string[] = [];
  for (const path of paths) {
    await page.goto(`${url}/${path}`);
    await page.locator("h1").first().waitFor();
    await page.evaluate(axe.source);
    const rules: string[] = await page.evaluate(
      "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)}`))",
    );
    found.push(...rules.map((rule) => `${path} at ${width}, ${scheme}: ${rule}`));
  }
  await page.close();
  return found;
}

/** Follows what a page asks for: addresses outside the site, and answers that are errors. */
export function faultsOf(page: Page, base: string): string[] {
  const faults: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(base) && !/^(data|blob):/.test(request.url())) faults.push(`asks ${request.url()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`);
  });
  page.on("pageerror", (error) => void faults.push(String(error)));
  return faults;
}

/** Lighthouse's scores by category, from 0 to 1. */
export async function lighthouse(url: string, categories: readonly string[]): Promise<Record<string, number>> {
  const { stdout } = await must([
    "npx",
    "--yes",
    "lighthouse@12.8.2",
    url,
    "--quiet",
    "--preset=desktop",
    "--output=json",
    `--only-categories=${categories.join(",")}`,
    "--chrome-flags=--headless=new --no-sandbox --disable-gpu",
  ], { env: { ...Deno.env.toObject(), CHROME_PATH: Deno.env.get("CHROMIUM") ?? "/usr/bin/chromium" } });
  const report: { categories: Record<string, { score: number }> } = JSON.parse(stdout);
  return Object.fromEntries(categories.map((name) => [name, report.categories[name].score]));
}
