/** `deno task bench NAME`: runs one of the measurements beside this file, or all of them. */

const FOLDER = new URL("./", import.meta.url);

async function names(): Promise<string[]> {
  const found: string[] = [];
  for await (const { name } of Deno.readDir(FOLDER)) {
    if (name.endsWith(".ts") && !name.startsWith("_") && name !== "main.ts") found.push(name.slice(0, -3));
  }
  return found.sort();
}

const all = await names();
const [name, ...args] = Deno.args;
if (name === undefined || (name !== "all" && !all.includes(name))) {
  console.error(`expected deno task bench NAME, one of: all, ${all.join(", ")}`);
  Deno.exit(2);
}
let worst = 0;
for (const bench of name === "all" ? all : [name]) {
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", new URL(`./${bench}.ts`, FOLDER).pathname, ...args],
  }).spawn().status;
  worst = Math.max(worst, code);
}
Deno.exit(worst);
