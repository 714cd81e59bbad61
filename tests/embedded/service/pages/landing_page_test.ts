import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { createHash } from "node:crypto";
import { parseHTML } from "linkedom";
import { createRegistryService, openStore, serveRegistry } from "../../../../src/embedded/service/mod.ts";
import { namingOf } from "../../../../src/core/contract/naming.ts";
import { fixtureRecords, writeFixture } from "../../../core/contract/_archives.ts";
import { testWithPrograms } from "../../../_needs.ts";
import { writeArchives } from "../_archives.ts";

/** Names and values that would do something if they reached a page or a shell as they are. */
const HOSTILE = [
  "<script>hacked()</script>",
  "</code></pre><img src=x onerror=hacked()>",
  `"><a href="javascript:hacked()">`,
  "it's 'quoted' `touch hacked` $(touch hacked) \\",
  "\u202egpj.exe",
];

interface Elements {
  querySelectorAll(selector: string): Iterable<{ readonly textContent: string }>;
}

interface Landing {
  readonly url: string;
  readonly folder: string;
  readonly response: Response;
  readonly text: string;
  readonly document: Elements;
}

async function withLanding(
  write: (folder: string) => Promise<unknown>,
  work: (landing: Landing) => Promise<void> | void,
  naming = namingOf({}),
): Promise<void> {
  const folder = await Deno.makeTempDir();
  const cacheFolder = await Deno.makeTempDir();
  await write(folder);
  const store = await openStore(folder, { cacheFolder, naming });
  const server = await serveRegistry(createRegistryService(store, { naming }));
  try {
    const response = await fetch(server.url);
    const text = await response.text();
    assertEquals(response.status, 200, text);
    const window: object = parseHTML(text);
    await work({ url: server.url, folder, response, text, document: Reflect.get(window, "document") });
  } finally {
    await server.shutdown();
    await store[Symbol.asyncDispose]();
    await Deno.remove(folder, { recursive: true });
    await Deno.remove(cacheFolder, { recursive: true });
  }
}

const textsOf = (document: Elements, selector: string) =>
  [...document.querySelectorAll(selector)].map(({ textContent }) => textContent);

const hostile = async (folder: string) => {
  const rows = [...HOSTILE, ...HOSTILE].map((value) => HOSTILE.map(() => value));
  await writeArchives(folder, { columns: HOSTILE, rows });
  await Deno.writeTextFile(`${folder}/manifest.json`, JSON.stringify({ synthetic: true, notice: HOSTILE.join("") }));
};

Deno.test("the landing page tells what the registry holds", async () => {
  await withLanding((folder) => writeFixture(folder, fixtureRecords(1200)), async ({ document, folder, text }) => {
    assertEquals(textsOf(document, ".figures strong"), ["1,200", "9", "8"]);
    assertStringIncludes(text, "Neither the manifest nor the definitions mark these data as synthetic");
    assertEquals(textsOf(document, ".path").length, 5);
    for (const line of textsOf(document, "section:not(#try) tbody tr").slice(0, 8)) {
      const [, name, digest] = /^(\S+\.csv\.gz).*?([0-9a-f]{64})/.exec(line.replace(/\s+/g, " ").trim())!;
      assertStringIncludes(await Deno.readTextFile(`${folder}/${name.replace(".csv.gz", ".sha256")}`), digest);
    }
    assertEquals(textsOf(document, "section:not(#try) details tbody tr").length, 9);
  });
});

Deno.test("the landing page states where real data are from", async () => {
  const notice = "34 genomes of Zika virus from INSDC, copied on 2026-11-25";
  const write = async (folder: string) => {
    await writeFixture(folder, fixtureRecords(3));
    await Deno.writeTextFile(`${folder}/manifest.json`, JSON.stringify({ synthetic: false, notice }));
  };
  await withLanding(write, ({ document }) => {
    assertEquals(textsOf(document, ".note")[0], `These data are real. ${notice}`);
    return Promise.resolve();
  });
});

testWithPrograms(["curl", "sh"], "each curl line of the landing page works when it is pasted", async (t) => {
  const folders: Record<string, (folder: string) => Promise<unknown>> = {
    "a plain registry": (folder) => writeFixture(folder, fixtureRecords(60)),
    "a hostile one": hostile,
  };
  for (const [name, write] of Object.entries(folders)) {
    await withLanding(write, async ({ document, url, folder }) => {
      const lines = textsOf(document, "pre code");
      assertEquals(lines.length, 5);
      const { paths } = await (await fetch(`${url}/openapi.json`)).json();
      const shown = JSON.stringify(paths);
      for (const line of lines) {
        await t.step(`${name}: ${line.replace(url, "")}`, async () => {
          assertMatch(line, /^curl [^\n]+$/);
          const { code, stdout, stderr } = await new Deno.Command("sh", {
            args: ["-c", `${line} --fail`],
            cwd: folder,
          }).output();
          const answer = new TextDecoder().decode(stdout);
          assertEquals(code, 0, new TextDecoder().decode(stderr));
          const text = answer.startsWith("{") ? JSON.stringify(JSON.parse(answer)) : JSON.stringify(answer);
          assertStringIncludes(shown, text);
        });
      }
      for await (const entry of Deno.readDir(folder)) assert(entry.name !== "hacked");
    });
  }
});

Deno.test("the landing page needs nothing from elsewhere, and its policy allows nothing else", async () => {
  await withLanding((folder) => writeFixture(folder, fixtureRecords(20)), ({ response, text }) => {
    const policy = response.headers.get("content-security-policy") ?? "";
    const digests = ["style", "script"].map((name) => {
      const parts = [...text.matchAll(new RegExp(`<${name}[^>]*>([^]*?)</${name}>`, "g"))];
      assertEquals(parts.length, 1, name);
      return `${name}-src 'sha256-${createHash("sha256").update(parts[0][1]).digest("base64")}'`;
    });
    for (const part of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", ...digests]) {
      assert(policy.split("; ").includes(part), `${part} is not in ${policy}`);
    }
    assert(!policy.includes("unsafe"));
    assertEquals(text.match(/\b(?:src|href|action)="(?!#|openapi\.json"|v2\/|data:,")[^"]*"/g), null);
    assertEquals(text.match(/\son[a-z]+=|\sstyle=/g), null);
    assertEquals(response.headers.get("content-type"), "text/html; charset=utf-8");
    assertEquals(response.headers.get("x-content-type-options"), "nosniff");
  });
});

Deno.test("hostile names, values and notices create no element of the landing page", async () => {
  await withLanding(hostile, ({ document, text }) => {
    assertEquals(textsOf(document, "img, svg, iframe, [onerror], [href^=javascript]"), []);
    assertEquals(textsOf(document, "script").length, 1);
    assertEquals(textsOf(document, "section:not(#try) details tbody tr").length, HOSTILE.length + 1);
    assertStringIncludes(textsOf(document, ".note").join(), HOSTILE[0]);
    assert(!text.includes("\u202e"));
    assertStringIncludes(text, "\\u{202e}gpj.exe");
  });
});

Deno.test("the landing page speaks a deployment's own names, by the name it was called by", async () => {
  const naming = namingOf({ registry: "genomebank" });
  await withLanding((folder) => writeFixture(folder, fixtureRecords(20), naming), async ({ url, text }) => {
    assertStringIncludes(text, "genomebankv1_full_dataset_metadata.sha256");
    assertStringIncludes(text, "genomebank_accessions");
    assert(!/registryv1|registry_accession|Registry Accession/.test(text));
    const local = url.replace("127.0.0.1", "localhost");
    assertStringIncludes(await (await fetch(local)).text(), `${local.slice(7)}</span>/v2/search`);
  }, naming);
});

Deno.test("a registry without records has a landing page", async () => {
  await withLanding((folder) => writeFixture(folder, []), ({ document }) => {
    assertEquals(textsOf(document, ".figures strong"), ["0", "9", "8"]);
  });
});
