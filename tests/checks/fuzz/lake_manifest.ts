/** Manifests of lakes: a changed one opens the same table, or is refused in words of ours. */
import { gzipSync } from "node:zlib";
import { ParseError, RegistryError } from "../../../src/core/errors.ts";
import { buildLake, openLake } from "../../../src/core/tables/mod.ts";
import { MANIFEST_NAME } from "../../../src/core/tables/lake/build/lake_manifest.ts";
import { difference, type FuzzRoom, mutate, type Outcome, outcomeOf, pick } from "./_room.ts";

const ROWS = [["vj000000000001", "Kenya"], ["vj000000000002", "Peru"]];
const WORDS = ["null", "-1", "1e999", "{}", "[]", '"../x"', '"/etc/hosts"', "true", ",", '"'];

export default async function open(): Promise<FuzzRoom> {
  const folder = await Deno.makeTempDir();
  const text = `Registry Accession,Country\n${ROWS.map((row) => `${row.join(",")}\n`).join("")}`;
  await Deno.writeFile(`${folder}/a.csv.gz`, gzipSync(text));
  await buildLake(`${folder}/a.csv.gz`, `${folder}/lake`);
  const path = await findManifest(`${folder}/lake`);
  const whole = await Deno.readFile(path);
  const values = [...new TextDecoder().decode(whole).matchAll(/: ?("[^"]*"|[0-9]+|true|false)/g)];
  return {
    make(draw) {
      if (draw(3) === 0) return mutate(draw, whole, WORDS);
      const { index, 0: found } = pick(draw, values);
      const manifest = new TextDecoder().decode(whole);
      const changed = `${manifest.slice(0, index)}: ${pick(draw, WORDS)}${manifest.slice(index + found.length)}`;
      return new TextEncoder().encode(changed);
    },
    run: (input) =>
      outcomeOf(async () => {
        await Deno.writeFile(path, input);
        await using lake = await openLake(`${folder}/lake`);
        const frame = await lake.scan().select("Registry Accession", "Country").collect();
        return frame.rows();
      }),
    judge(_input, result) {
      const ours = result as Outcome<unknown[][]>;
      if ("value" in ours) return Promise.resolve(difference(ours.value, ROWS));
      const { error } = ours;
      const isOurs = error instanceof ParseError || error instanceof RegistryError;
      return Promise.resolve(isOurs ? undefined : `threw ${error.stack ?? error}`);
    },
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

async function findManifest(folder: string): Promise<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (name === MANIFEST_NAME) return `${folder}/${name}`;
    if (isDirectory) {
      const found = await findManifest(`${folder}/${name}`).catch(() => undefined);
      if (found !== undefined) return found;
    }
  }
  throw new Error(`there is no ${MANIFEST_NAME} in ${folder}`);
}
