/** Examples of the documentation as a user would write them: imports that work anywhere, results as comments. */
import { tokenize, type Tokens } from "../../src/jupyter/kernel/help/tokens.ts";

/** What stands for an assertion: the expression, and what is said of it. */
const ASSERTIONS: Readonly<Record<string, string>> = {
  assert: "",
  assertEquals: "",
  assertAlmostEquals: "about ",
  assertStringIncludes: "has ",
  assertMatch: "like ",
  assertThrows: "throws ",
  assertRejects: "throws ",
};

/**
 * Rewrites an example.
 *
 * @param code The example as the documentation tests run it.
 * @param modulesOf Modules that export a name, for users.
 * @returns The code; `undefined` where it imports what users cannot.
 */
export function plainExample(code: string, modulesOf: (name: string) => readonly string[]): string | undefined {
  const imports = new Map<string, string[]>();
  let isPublic = true;
  const body = code.replace(
    /^import (?:(type) )?(\{[^}]*\}|\* as \w+|\w+) from "([^"]+)";\n?/gm,
    (line, _type, names, from) => {
      if (from.startsWith("@std/")) return "";
      if (!from.startsWith(".") && !from.startsWith("seqreg")) return line;
      for (const name of names.replace(/[{}]/g, "").split(",").map((part: string) => part.trim())) {
        const bare = name.replace(/^type /, "").replace(/ as .*$/, "");
        if (bare === "") continue;
        const [module] = modulesOf(bare);
        if (module === undefined || names.startsWith("*")) isPublic = false;
        else imports.set(module, [...imports.get(module) ?? [], name]);
      }
      return "";
    },
  );
  if (!isPublic) return undefined;
  const head = [...imports].map(([module, names]) => `import { ${names.join(", ")} } from "${module}";`);
  return [...head, ...head.length > 0 ? [""] : [], replaceAssertions(body).trim()].join("\n")
    .replace(/\n{3,}/g, "\n\n").replace(/^(import .*\n)\n(?=import )/gm, "$1").trim();
}

function replaceAssertions(code: string): string {
  const parsed = tokenize(code);
  const { tokens, partner } = parsed;
  let written = "";
  let from = 0;
  for (const [index, { text, start }] of tokens.entries()) {
    const end = partner.get(index + 1);
    if (!Object.hasOwn(ASSERTIONS, text) || tokens[index + 1]?.text !== "(" || end === undefined || start < from) {
      continue;
    }
    const isAwaited = tokens[index - 1]?.text === "await";
    const column = start - (code.lastIndexOf("\n", start - 1) + 1);
    const args = argumentsOf(code, parsed, index + 1, end);
    const said = sayAssertion(text, args, " ".repeat(isAwaited ? column - "await ".length : column));
    written += code.slice(from, isAwaited ? tokens[index - 1].start : start) + said;
    from = tokens[end + 1]?.text === ";" ? tokens[end + 1].end : tokens[end].end;
  }
  return written + code.slice(from);
}

function sayAssertion(name: string, [actual = "", ...expected]: readonly string[], indent: string): string {
  const isFailure = name === "assertThrows" || name === "assertRejects";
  const expression = isFailure ? actual.replace(/^(?:async )?\(\) =>\s*/, "") : actual;
  const value = name === "assert" ? "true" : expected.slice(0, isFailure ? 2 : 1).join(": ");
  const lines = `${ASSERTIONS[name]}${value}`.split("\n").map((line) =>
    line.startsWith(indent) ? line.slice(indent.length) : line
  );
  if (lines.length === 1 && !expression.includes("\n") && indent.length + expression.length + lines[0].length < 100) {
    return `${expression}; // ${lines[0]}`;
  }
  return `${expression};\n${lines.map((line) => `${indent}// ${line}`).join("\n")}`;
}

function argumentsOf(code: string, { tokens, partner }: Tokens, open: number, close: number): string[] {
  const args: string[] = [];
  let from = open + 1;
  for (let index = open + 1; index <= close; index = index === close ? index + 1 : (partner.get(index) ?? index) + 1) {
    if (index !== close && tokens[index].text !== ",") continue;
    if (index > from) args.push(code.slice(tokens[from].start, tokens[index - 1].end));
    from = index + 1;
  }
  return args;
}
