/**
 * Runs the cookbook's recipes in one process, in the folder and with the cache that its caller chose, and prints what
 * each printed as JSON: a program of its own, because recipes name files in the working directory.
 */
import { runProgram } from "../../src/cli/main.ts";
import { toolkitImports } from "../../src/cli/support/toolkit_imports.ts";
import { commandsOf, readRecipes, type Recipe } from "./_recipes.ts";

const decoder = new TextDecoder();
const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
const imports = await toolkitImports();
const printed: Record<number, string> = {};
for (const [index, recipe] of (await readRecipes()).entries()) {
  if (recipe.language === "ts") printed[index] = await runScript(recipe);
  else if (recipe.language === "sh") printed[index] = await runCommands(recipe);
}
console.log(JSON.stringify(printed));

async function runScript({ code }: Recipe): Promise<string> {
  let text = "";
  const log = (...values: unknown[]) =>
    text += `${values.map((value) => typeof value === "string" ? value : Deno.inspect(value)).join(" ")}\n`;
  const names: string[] = [];
  const values: unknown[] = [];
  const body = code.replaceAll(/^import (?:(\w+)|\{([^}]*)\}) from "([^"]*)";$/gm, (_, whole, some, from) => {
    const variable = `module_${names.length}`;
    names.push(variable);
    values.push(import(imports[from] ?? from));
    return whole === undefined
      ? `const {${some.replaceAll(" as ", ": ")}} = ${variable};`
      : `const ${whole} = ${variable}.default;`;
  });
  const run = new AsyncFunction("console", ...names, body);
  try {
    await run({ log }, ...await Promise.all(values));
  } catch (cause) {
    text += `${cause}\n`;
  }
  return text;
}

/** Standard output, and the lines of standard error where the end is not 0. */
async function runCommands({ code }: Recipe): Promise<string> {
  let text = "";
  for (const { words: [program, ...args], isHidden } of commandsOf(code)) {
    if (program !== "seqreg") throw new Error(`Only seqreg is run here, others in blocks of bash: ${code}`);
    let errors = "";
    const end = await runProgram(args, {
      stdout: {
        write: (content) => {
          if (!isHidden) text += typeof content === "string" ? content : decoder.decode(content);
          return Promise.resolve();
        },
        flush: () => Promise.resolve(),
      },
      isTerminal: false,
      signal: new AbortController().signal,
      stdin: () => new ReadableStream(),
      writeError: (line) => errors += line,
      env: (name) => Deno.env.get(name),
      allowedEnv: (name) => Deno.env.get(name),
    });
    if (end === 0) continue;
    text += `${errors.trimEnd()}\nexit code ${end}\n`;
  }
  return text;
}
