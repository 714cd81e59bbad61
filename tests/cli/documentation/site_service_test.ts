/** What `seqreg docs` serves: the files of a folder, and nothing else. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { gunzipSync } from "node:zlib";
import { createSiteService } from "../../../src/cli/documentation/site_service.ts";
import { inFolder } from "../../_files.ts";

async function withSite(work: (ask: (path: string, method?: string) => Promise<Response>) => Promise<void>) {
  await inFolder(async (folder) => {
    await Deno.mkdir(`${folder}/site/cookbook`, { recursive: true });
    await Deno.writeTextFile(`${folder}/secret.html`, "secret");
    await Deno.writeTextFile(`${folder}/site/.built_from`, "digest");
    await Deno.writeTextFile(`${folder}/site/index.html`, "start");
    await Deno.writeTextFile(`${folder}/site/404.html`, "absent");
    await Deno.writeTextFile(`${folder}/site/cookbook/index.html`, "recipes");
    await Deno.writeTextFile(`${folder}/site/map.svg`, "<svg/>");
    const service = createSiteService(`${folder}/site`);
    await work((path, method = "GET") => service(new Request(`http://127.0.0.1${path}`, { method })));
  });
}

Deno.test("docs serves pages by their names, with and without .html, and folders by their index", async () => {
  await withSite(async (ask) => {
    const pages = {
      "/": "start",
      "/index.html": "start",
      "/index": "start",
      "/cookbook/": "recipes",
      "/map.svg": "<svg/>",
    };
    for (const [path, text] of Object.entries(pages)) {
      const response = await ask(path);
      assertEquals([response.status, await response.text()], [200, text], path);
    }
    assertEquals((await ask("/map.svg")).headers.get("content-type"), "image/svg+xml");
    assertStringIncludes((await ask("/")).headers.get("content-security-policy") ?? "", "default-src 'self'");
    assertEquals(await (await ask("/", "HEAD")).text(), "");
  });
});

Deno.test("docs serves nothing outside its folder, nothing hidden, and reads alone", async () => {
  await withSite(async (ask) => {
    for (
      const path of [
        "/%2e%2e/secret.html",
        "/..%2fsecret.html",
        "/..%5csecret.html",
        "/.built_from",
        "/%00",
        "/%",
        "/cookbook",
      ]
    ) {
      const response = await ask(path);
      assertEquals([response.status, await response.text()], [404, "absent"], path);
    }
    assertEquals((await ask("/", "POST")).status, 405);
  });
});

Deno.test("docs compresses texts for browsers that read gzip", async () => {
  await inFolder(async (folder) => {
    const page = "a page of many equal words ".repeat(200);
    await Deno.writeTextFile(`${folder}/index.html`, page);
    await Deno.writeTextFile(`${folder}/map.png`, page);
    const service = createSiteService(folder);
    const ask = (path: string, encoding: string) =>
      service(new Request(`http://127.0.0.1${path}`, { headers: { "accept-encoding": encoding } }));
    const zipped = await ask("/", "br, gzip");
    assertEquals(zipped.headers.get("content-encoding"), "gzip");
    const { length } = await zipped.clone().bytes();
    assertEquals([zipped.headers.get("content-length"), length < 300], [String(length), true]);
    assertEquals(new TextDecoder().decode(gunzipSync(await zipped.bytes())), page);
    for (const [path, encoding] of [["/", "br"], ["/", "gzip;q=0"], ["/map.png", "gzip"]]) {
      const answer = await ask(path, encoding);
      assertEquals([answer.headers.get("content-encoding"), await answer.text()], [null, page]);
    }
  });
});
