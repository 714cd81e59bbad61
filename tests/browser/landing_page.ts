/**
 * The embedded registry's page at `/` in a real browser, in light and dark. Run by `deno task checks
 * browser-landing-page`. Screenshots go to `.ci/out`.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { makeSample } from "../../src/embedded/sample/mod.ts";
import { createRegistryService, openStore, serveRegistry } from "../../src/embedded/service/mod.ts";
import { writeArchives } from "../embedded/service/_archives.ts";
import { openBrowser, testInBrowser } from "./_lab.ts";
import type { Page } from "playwright-core";

const OUT = new URL("../../.ci/out/", import.meta.url).pathname;

/** Values that would do something if they reached a page unescaped. */
const HOSTILE = [
  "<script>globalThis.hacked = 1</script>",
  "</script><script>globalThis.hacked = 1</script>",
  "</code></pre><img src=x onerror='globalThis.hacked = 1'>",
  "<svg onload='globalThis.hacked = 1'></svg>",
  `"><iframe src="javascript:parent.hacked = 1"></iframe>`,
  "it's 'quoted' `so` $(touch hacked)",
  "\u202egpj.exe",
];

/** Serves a folder and looks at its page; nothing may be refused by its policy, and nothing fetched from elsewhere. */
async function withPage(
  write: (folder: string) => Promise<unknown>,
  look: { readonly width: number; readonly dark: boolean },
  work: (page: Page) => Promise<void>,
): Promise<void> {
  await Deno.mkdir(OUT, { recursive: true });
  const folder = await Deno.makeTempDir();
  const cacheFolder = await Deno.makeTempDir();
  await write(folder);
  const store = await openStore(folder, { cacheFolder });
  const server = await serveRegistry(createRegistryService(store));
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({
      viewport: { width: look.width, height: 900 },
      colorScheme: look.dark ? "dark" : "light",
    });
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("request", (request) => {
      if (!request.url().startsWith(`${server.url}/`) && !request.url().startsWith("data:")) {
        complaints.push(`asked for ${request.url()}`);
      }
    });
    await page.goto(`${server.url}/`);
    await work(page);
    assertEquals(complaints.filter((text) => !text.includes("status of 422")), []);
  } finally {
    await browser.close();
    await server.shutdown();
    await store[Symbol.asyncDispose]();
    await Deno.remove(folder, { recursive: true });
    await Deno.remove(cacheFolder, { recursive: true });
  }
}

async function search(page: Page, query: string): Promise<string> {
  await page.getByRole("searchbox").fill(query);
  await page.getByRole("button", { name: "Search" }).click();
  const said = page.locator("#said");
  // The page's policy lets no text be run as a script: so no function is waited for, but an element.
  await said.filter({ hasText: /./, hasNotText: "Searching" }).waitFor();
  return await said.innerText();
}

for (const [width, dark] of [[1280, false], [800, true], [1280, true], [800, false], [360, false]] as const) {
  testInBrowser(`a person searches at ${width} in ${dark ? "dark" : "light"}`, async () => {
    await withPage((folder) => makeSample(folder, { records: 400 }), { width, dark }, async (page) => {
      assertStringIncludes(await page.locator("header").innerText(), "These data are synthetic.");
      assertEquals(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), true);
      await page.screenshot({ path: `${OUT}landing-${width}-${dark ? "dark" : "light"}-top.png`, fullPage: true });

      assertStringIncludes(await search(page, "genome_completeness:complete"), "records in");
      assertEquals(await page.locator("#found tbody tr").count(), 10);
      assert((await page.locator("#found details").innerText()).includes("Facets"));
      await page.locator("#found summary").click();
      assertEquals(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), true);
      await page.screenshot({ path: `${OUT}landing-${width}-${dark ? "dark" : "light"}-found.png` });
      assertStringIncludes(await search(page, "nosuchfield:1"), "no field is called");
      assertEquals(await page.locator("#found > *").count(), 0);
      assertEquals(await page.locator("#said.fault").count(), 1);
      assertStringIncludes(await search(page, "-registry_accession:*"), "0 records");
    });
  });
}

testInBrowser("hostile names, values and definitions create no element", async () => {
  const columns = [...HOSTILE, "Country"];
  const rows = HOSTILE.map((value) => [...columns.map(() => value).slice(1), value]);
  const write = async (folder: string) => {
    await writeArchives(folder, { columns, rows: [...rows, ...rows] });
    await Deno.writeTextFile(
      `${folder}/manifest.json`,
      JSON.stringify({ synthetic: true, notice: HOSTILE.join(" ") }),
    );
  };
  await withPage(write, { width: 1280, dark: false }, async (page) => {
    assertStringIncludes(await search(page, ""), `${2 * HOSTILE.length} records`);
    await page.locator("summary").first().click();
    await page.locator("summary").last().click();
    const elements = "img, svg, iframe, object, [onload], [onerror], [style]";
    assertEquals(await page.locator(elements).count(), 0);
    assertEquals(await page.locator("script").count(), 1);
    assertEquals(await page.locator("style").count(), 1);
    assertEquals(await page.evaluate("globalThis.hacked"), undefined);
    assertStringIncludes(await page.locator("#found").innerText(), HOSTILE[0]);
    await page.screenshot({ path: `${OUT}landing-hostile.png`, fullPage: true });
  });
});
