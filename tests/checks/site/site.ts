/**
 * The documentation's site as a browser, a screen reader and Lighthouse read it, and below a prefix.
 *
 * `deno test --allow-all tests/checks/site/site.ts`; it needs Chromium and npm's packages, and builds the site
 * unless it is up to date.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { renderPages } from "../../../tools/site/build_site.ts";
import { createSiteService } from "../../../src/cli/documentation/site_service.ts";
import { serveRegistry } from "../../../src/embedded/service/mod.ts";
import { NEEDS_BROWSER, openBrowser } from "../../browser/_lab.ts";
import { needsPrograms, testNeeding } from "../../_needs.ts";
import { folderBytes, must, ROOT } from "../packages/_installed.ts";
import { faultsOf, lighthouse, type Look, violations } from "./_browser.ts";
import { brokenLinks, lacks, readPages } from "./_pages.ts";

const SITE = `${ROOT}site`;
const MOST_BYTES = 25e6;
/** One page of each kind. */
const KINDS = [
  "index.html",
  "start/notebooks.html",
  "ledger.html",
  "lessons/01_first_contact.html",
  "gallery.html",
  "cookbook/find.html",
  "reference/alike.html",
  "other_tools.html",
  "instructor/exercises.html",
];
const LOOKS: readonly (Look & { readonly paths: readonly string[] })[] = [
  { paths: KINDS, width: 1280, scheme: "light" },
  { paths: ["index.html", "ledger.html", "gallery.html", "cookbook/find.html"], width: 1280, scheme: "dark" },
  { paths: ["index.html", "ledger.html"], width: 390, scheme: "light" },
];
/** What Lighthouse looks at, and the least score of each of its categories. */
const MEASURED = ["index.html", "lessons/01_first_contact.html", "cookbook/find.html", "reference/alike.html"];
const CATEGORIES = ["performance", "accessibility", "best-practices"];
const LEAST_SCORE = 0.95;
/** Another program's work slows a page down, and nothing speeds it up: the best of so many scores counts. */
const TRIES = 5;
/** Where a static host may put the site, and the pages that are rendered for it. */
const PREFIX = "/docs/seqreg/";
const PREFIXED = ["index", "gallery", "lessons/01_first_contact"];

testNeeding({ ...NEEDS_BROWSER, ...needsPrograms("npx") }, "the site can be read by everyone, anywhere", async (t) => {
  const { ms } = await must([Deno.execPath(), "task", "--quiet", "site", "--if-needed"], { cwd: ROOT });
  console.log(`the site was there after ${Math.round(ms / 1000)} s`);
  const pages = await readPages(SITE);
  const own = pages.filter(({ path, html }) => path !== "404.html" && !html.includes('http-equiv="refresh"'));
  await t.step("it has at most 25 MB", async () => {
    const bytes = await folderBytes(SITE);
    console.log(`${own.length} pages, ${(bytes / 1e6).toFixed(1)} MB`);
    assert(own.length > 60 && bytes <= MOST_BYTES, `${own.length} pages, ${bytes} bytes`);
  });
  await t.step("no link and no anchor is broken", async () => assertEquals(await brokenLinks(SITE, pages), []));
  await t.step("each page has one title, its language, its parts, and a way past the navigation", () => {
    assertEquals(own.flatMap((page) => lacks(page).map((part) => `${page.path} lacks ${part}`)), []);
  });
  await t.step("no page names a folder of the machine that built it, or loads from another host", () => {
    const foreign = /<(?:script|img|link|iframe)\b[^>]*(?:src|href)="(?:https?:)?\/\//;
    const faulty = pages.filter(({ html }) => html.includes(ROOT) || foreign.test(html));
    assertEquals(faulty.map(({ path }) => path), []);
  });

  await using server = await serve(SITE, "/");
  await using browser = await openBrowser();
  await t.step("axe finds nothing on a page of each kind, light, dark and narrow", async () => {
    for (const look of LOOKS) assertEquals(await violations(browser, server.url, look), []);
  });
  await t.step("a page of each kind is read without JavaScript", async () => {
    const page = await browser.newPage({ javaScriptEnabled: false });
    for (const path of KINDS) {
      await page.goto(`${server.url}/${path}`);
      assert(await page.locator("main h1").isVisible(), path);
      const text = await page.locator("main").innerText();
      assert(text.length > 500, `${path}: ${text}`);
    }
    await page.close();
  });
  await t.step("search finds a page, and nothing is asked of another host", async () => {
    const page = await browser.newPage();
    const faults = faultsOf(page, server.url);
    await page.goto(`${server.url}/index.html`);
    await page.getByRole("button", { name: "Search" }).first().click();
    await page.getByRole("searchbox").fill("missing words");
    await page.locator(".results .result").first().click();
    await page.locator("main h1").waitFor();
    assert(!page.url().endsWith("/index.html"), page.url());
    assertEquals(faults, []);
    await page.close();
  });
  await t.step("a click on a picture of the gallery copies its code", async () => {
    const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
    const page = await context.newPage();
    await page.goto(`${server.url}/gallery.html`);
    await page.locator("button.copy").first().waitFor({ state: "attached" });
    await page.locator(".figure img").first().click();
    await page.locator("button.copy.copied").first().waitFor({ state: "attached" });
    assertStringIncludes(await page.evaluate("navigator.clipboard.readText()"), "fieldCompleteness(lake)");
    await context.close();
  });
  await t.step("it works below a prefix, on a host that serves files alone", async () => {
    await renderPages(`${ROOT}.site`, { base: PREFIX, to: "prefixed", only: PREFIXED });
    await using below = await serve(`${ROOT}.site/prefixed`, PREFIX);
    const page = await browser.newPage();
    const faults = faultsOf(page, `${below.url}${PREFIX}`);
    await page.goto(`${below.url}${PREFIX}index.html`);
    await page.getByRole("navigation", { name: "Main Navigation" }).getByRole("link", { name: "Gallery" }).click();
    await page.getByRole("heading", { level: 1, name: "Gallery" }).waitFor();
    await page.locator(".figure img").first().scrollIntoViewIfNeeded();
    await page.waitForFunction("document.querySelector('.figure img').naturalWidth > 0");
    await page.goto(`${below.url}${PREFIX}lessons/01_first_contact.html`);
    const download = page.getByRole("link", { name: "Download this lesson" });
    const notebook = new URL(await download.getAttribute("href") ?? "", page.url()).href;
    assertEquals(notebook, `${below.url}${PREFIX}lessons/01_first_contact.ipynb`);
    assertEquals((await page.request.get(notebook)).status(), 200);
    assertEquals(faults, []);
    await page.close();
  });
  await t.step("Lighthouse gives at least 95", async () => {
    for (const path of MEASURED) {
      const best = Object.fromEntries(CATEGORIES.map((name) => [name, 0]));
      for (let turn = 0; turn < TRIES && Math.min(...Object.values(best)) < LEAST_SCORE; turn++) {
        const scores = await lighthouse(`${server.url}/${path}`, CATEGORIES);
        for (const name of CATEGORIES) best[name] = Math.max(best[name], scores[name]);
        console.log(`${path}: ${Object.entries(scores).map(([name, score]) => `${name} ${score}`).join(", ")}`);
      }
      for (const name of CATEGORIES) assert(best[name] >= LEAST_SCORE, `${path}: ${name} ${best[name]}`);
    }
  });
});

/** Serves a folder's files below a prefix; anything outside of it is absent. */
async function serve(folder: string, prefix: string): Promise<AsyncDisposable & { readonly url: string }> {
  const service = createSiteService(folder);
  const server = await serveRegistry(async (request) => {
    const url = new URL(request.url);
    if (!url.pathname.startsWith(prefix)) return new Response(null, { status: 404 });
    url.pathname = url.pathname.slice(prefix.length - 1);
    return await service(new Request(url, { headers: request.headers, signal: request.signal }));
  });
  return { url: server.url, [Symbol.asyncDispose]: async () => void await server.shutdown() };
}
