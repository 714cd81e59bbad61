import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { RegistryError } from "../../../src/core/errors.ts";
import { replay } from "../../../src/again/replay/replay.ts";
import { inFolder } from "../../_files.ts";
import { testAlone } from "../../_test_alone.ts";

const NOTEBOOK = {
  cells: [{ cell_type: "code", id: "a", metadata: {}, execution_count: null, outputs: [], source: "1 + 1" }],
  metadata: {},
  nbformat: 4,
  nbformat_minor: 5,
};

/** A folder with a notebook, a script and an empty lock. */
async function withPrograms(script: string, work: (folder: string) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/a.ipynb`, JSON.stringify(NOTEBOOK));
    await Deno.writeTextFile(`${folder}/a.ts`, script);
    await Deno.writeTextFile(`${folder}/seqreg.lock`, '{ "seqreg-lock": 1, "calls": {} }');
    await work(folder);
  });
}

Deno.test("replay() starts no kernel for a notebook when its signal was aborted before", async () => {
  await withPrograms("", async (folder) => {
    const code = `Deno.writeTextFileSync(${JSON.stringify(`${folder}/started`)}, "")`;
    const kernel = [Deno.execPath(), "eval", code, "{connection_file}"];
    const reason = new Error("stop");
    const error = await assertRejects(() =>
      replay(`${folder}/a.ipynb`, { kernel, cacheFolder: folder, signal: AbortSignal.abort(reason) })
    );
    assertEquals(error, reason);
    await assertRejects(() => Deno.stat(`${folder}/started`), Deno.errors.NotFound);
  });
});

testAlone(
  import.meta.url,
  "replay() names a kernel that cannot be started, and leaves no file with its key",
  async () => {
    await withPrograms("", async (folder) => {
      const before = Deno.env.get("TMPDIR");
      await Deno.mkdir(`${folder}/temporary`);
      Deno.env.set("TMPDIR", `${folder}/temporary`);
      try {
        const kernel = [`${folder}/no-such-program`, "{connection_file}"];
        await assertRejects(
          () => replay(`${folder}/a.ipynb`, { kernel, cacheFolder: folder }),
          RegistryError,
          "Cannot start a kernel for the notebook",
        );
        const left = (await Array.fromAsync(Deno.readDir(`${folder}/temporary`))).map(({ name }) => name);
        assertEquals(left.filter((name) => name.endsWith(".json")), []);
      } finally {
        if (before === undefined) Deno.env.delete("TMPDIR");
        else Deno.env.set("TMPDIR", before);
      }
    });
  },
);

Deno.test("replay() ends a script whose output cannot be passed on", async () => {
  await withPrograms("console.log(Deno.pid); setTimeout(() => {}, 60_000);", async (folder) => {
    let pid = 0;
    const onOutput = (chunk: Uint8Array) => {
      pid = Number(new TextDecoder().decode(chunk));
      throw new Error("closed");
    };
    await assertRejects(() => replay(`${folder}/a.ts`, { onOutput, cacheFolder: folder }), Error, "closed");
    assertThrows(() => Deno.kill(pid, "SIGKILL"), Deno.errors.NotFound);
  });
});

Deno.test("replay() explains the answer that differs of a call that was made twice", async () => {
  const key = "0".repeat(64);
  const call = {
    ...{ accept: "", bytes: 0, mediaType: "text/csv", naming: "specification", operation: "search", records: null },
    ...{ registry: "r", request: {}, set: null, sha256: "1".repeat(64), status: 404, versions: {} },
  };
  const other = { ...call, sha256: "2".repeat(64), status: 400 };
  for (const answers of [[call, other], [other, call]]) {
    const lines = answers.map((call) => `${JSON.stringify({ key, call })}\n`).join("");
    const script = 'const { journal } = JSON.parse(Deno.env.get("SEQREG_REPLAY")!);' +
      `Deno.writeTextFileSync(journal, ${JSON.stringify(lines)});`;
    await withPrograms(script, async (folder) => {
      await Deno.writeTextFile(`${folder}/seqreg.lock`, JSON.stringify({ "seqreg-lock": 1, calls: { [key]: call } }));
      const { isSame, calls } = await replay(`${folder}/a.ts`, { live: true, cacheFolder: folder });
      assertEquals([isSame, calls.map(({ outcome, status }) => [outcome, status])], [false, [["differs", [404, 400]]]]);
    });
  }
});
