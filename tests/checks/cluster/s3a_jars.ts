/**
 * Writes `s3a_jars.json` from `s3a_pom.xml`: `deno run -A tests/checks/cluster/s3a_jars.ts`. Needs Maven.
 *
 * Of what the project depends on at run time, what Spark has itself is left out by its name: other versions of netty,
 * slf4j and of the commons end Spark at its start.
 */
import { join } from "node:path";
import { sha256 } from "../../../src/core/io/digest/sha256.ts";
import { install } from "./_install.ts";
import type { Jar } from "./_packages.ts";

const HERE = new URL("./", import.meta.url).pathname;
/** Group, name and version of each dependency, and where its file lies. */
const DEPENDENCY =
  /^\s+(?<group>[\w.-]+):(?<name>[\w.-]+):jar:(?<version>[\w.-]+):(?:compile|runtime):(?<path>[^ ]+\.jar)/gm;

const list = await Deno.makeTempFile();
const { success } = await new Deno.Command("mvn", {
  args: [
    ...["--batch-mode", "--quiet", "--file", join(HERE, "s3a_pom.xml")],
    ...["dependency:list", "-DincludeScope=runtime", "-DoutputAbsoluteArtifactFilename=true", `-DoutputFile=${list}`],
  ],
}).spawn().status;
if (!success) Deno.exit(1);

const { spark } = await install(console.error);
const present = new Set<string>();
for await (const { name } of Deno.readDir(join(spark, "jars"))) {
  present.add(name.replace(/-\d[^-]*(?:-\w+)?\.jar$/, ""));
}

const jars: Jar[] = [];
for (const { groups } of (await Deno.readTextFile(list)).matchAll(DEPENDENCY)) {
  const { group, name, version, path } = groups!;
  if (present.has(name)) continue;
  const file = `${name}-${version}.jar`;
  jars.push({
    name: file,
    path: `${group.replaceAll(".", "/")}/${name}/${version}/${file}`,
    sha256: await sha256(path),
  });
}
jars.sort((a, b) => a.name < b.name ? -1 : 1);
await Deno.writeTextFile(join(HERE, "s3a_jars.json"), JSON.stringify(jars, null, 2) + "\n");
await Deno.remove(list);
console.log(`${jars.length} jars`);
