/** `deno task reference`: every import line can be pasted, and every link of the start page leads on. */
import { assert, assertEquals } from "@std/assert";
import { inFolder } from "../../_files.ts";

const ROOT = new URL("../../../", import.meta.url);

Deno.test("the reference imports as users do, and starts with questions", async () => {
  await inFolder(async (folder) => {
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["task", "reference", folder],
      cwd: ROOT,
    }).output();
    assert(success, new TextDecoder().decode(stderr));
    const relative: string[] = [];
    for (const page of await pagesBelow(folder)) {
      const html = await Deno.readTextFile(page);
      if (/from &quot;(\.|[a-z]+(?=&quot;;))[^&]*&quot;;/.test(html.replace(/from &quot;seqreg&quot;;/g, ""))) {
        relative.push(page);
      }
    }
    assertEquals(relative, []);

    const start = await Deno.readTextFile(`${folder}/index.html`);
    const links = [...start.matchAll(/<a href="([^"]+)"/g)].map(([, path]) => path);
    assert(links.length > 30 && start.includes("How do I search?"));
    for (const path of links) assert((await Deno.stat(`${folder}/${path}`)).isFile, path);
  });
});

async function pagesBelow(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) found.push(...await pagesBelow(`${folder}/${name}`));
    else if (name.endsWith(".html")) found.push(`${folder}/${name}`);
  }
  return found;
}
