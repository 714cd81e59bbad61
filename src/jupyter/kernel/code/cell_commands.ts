/**
 * Lines of a cell that are not TypeScript: `name?`, `name??`, `help(name)`, `%time`, `%%time`, `%sh`, `%%sh`, `%who`.
 *
 * Each becomes a call on the same line, so that errors keep their line numbers.
 *
 * @module
 */
import { declaredNames } from "./declared_names.ts";
import { readCell } from "./program.ts";

/** Name of what commands do in the kernel: see `inside/commands.ts`. */
export const COMMANDS_NAME = "__seqreg_commands";
/** Name of the kernel's function that looks at values: see `inside/looking.ts`. */
export const LOOK_NAME = "__seqreg_look";
/** What a look is called whose answer is shown under the cell: the number of question marks, then the names. */
export const SHOWN_LOOK = "help";

/** Begins to take a time. */
const START = `${COMMANDS_NAME}.start();`;
const NAMES = String.raw`[\p{ID_Start}$_][\p{ID_Continue}$]*(?:\.#?[\p{ID_Start}$_][\p{ID_Continue}$]*)*`;
const ASKS = new RegExp(
  String
    .raw`^\s*(?:(?<marks>\?\??)(?<behind>${NAMES})|(?<before>${NAMES})[^\S\n]*(?<more>\?\??)|help\((?<called>${NAMES})?\);?)\s*$`,
  "u",
);
const COMMAND = /^\s*%(?<name>time|sh|who)\b[^\S\n]*(?<rest>.*)$/;
const CELL_COMMAND = /^\s*%%(?<name>time|sh)\b[^\S\n]*(?<rest>.*)$/;
const OTHER_CELL = /^\s*(?<name>%%[A-Za-z]\w*)/;
const UNKNOWN = /^\s*(?<name>%[A-Za-z]\w*)/;
/** Words that cannot be names. */
const RESERVED = new Set(
  ("await break case catch class const continue debugger default delete do else enum export extends false finally for " +
    "function if import in instanceof let new null return static super switch this throw true try typeof var void while " +
    "with yield").split(" "),
);
/** Cheap look for a line that may be a command. */
const MAYBE = /^[^\S\n]*(?:%|\?|help\()|\?[^\S\n]*$/m;
/** The beginning of a line that goes on with the statement above it. */
const CONTINUES = /^\s*(?:[.?:+*&|,)\]}]|=>)/;
/** Characters that are read in search of commands: a text may hold thousands of lines that look like one. */
const MOST_SEARCHED = 1 << 20;

/** What a cell has to be known of besides its code. */
export interface CellSurroundings {
  /** Names that the user's cells declared, for `%who`. */
  readonly declared: readonly string[];
  /** Whether the user has a function `help`. */
  readonly hasHelp?: boolean;
}

/**
 * Rewrites the commands of a cell.
 *
 * @returns The code; as it was where it has none.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { rewriteCommands } from "./cell_commands.ts";
 *
 * const written = rewriteCommands("%time f()", { declared: [] });
 *
 * assertEquals(written, "__seqreg_commands.start(); f()");
 * assertEquals(rewriteCommands("a % b", { declared: [] }), "a % b");
 * ```
 */
export function rewriteCommands(code: string, surroundings: CellSurroundings): string {
  if (!MAYBE.test(code)) return code;
  const isTypeScript = readCell(code)?.errors.length === 0;
  const own = new Set(surroundings.declared);
  let hasHelp = surroundings.hasHelp || own.has("help");
  const learn = (part: string) => {
    for (const { name, isImported } of declaredNames(part)) {
      hasHelp ||= name === "help";
      if (!isImported) own.add(name);
    }
  };
  learn(code);
  const lines = code.split("\n");
  const first = lines.findIndex((line) => line.trim() !== "");
  const whole = CELL_COMMAND.exec(lines[first].trimEnd())?.groups;
  if (whole?.name === "sh") {
    const script = [whole.rest, ...lines.slice(first + 1)].join("\n").replaceAll("\r", "").replace(/^\n/, "");
    return `${"\n".repeat(first)}await ${COMMANDS_NAME}.sh(${JSON.stringify(script)});`;
  }
  const other = whole === undefined ? OTHER_CELL.exec(lines[first])?.groups?.name : undefined;
  // What stands below it is in another language.
  if (other !== undefined) return `${"\n".repeat(first)}${refuse(other)}`;
  if (whole?.name === "time") lines[first] = `${START} ${whole.rest}`;
  const last = lines.findLastIndex((line) => line.trim() !== "");
  const timed = new Set<number>();
  /** The first line behind the last command. */
  let from = 0;
  let searched = 0;
  for (const [index, line] of lines.entries()) {
    const read = () =>
      commandOf(line.replace(/\r$/, ""), {
        hasHelp: hasHelp || CONTINUES.test(lines[index + 1] ?? ""),
        isTypeScript,
        ends: index === last,
        isFirst: index === first,
      });
    if (read() === undefined) continue;
    // A command begins where the statement before it has ended.
    const before = lines.slice(from, index).join("\n");
    searched += before.length;
    if (searched > MOST_SEARCHED) break;
    if (readCell(before) === undefined) continue;
    learn(before);
    const command = read();
    if (command === undefined) continue;
    const readers = [...own].map((name) => `${JSON.stringify(name)}: () => ${name}`);
    const written = command === "who" ? `await ${COMMANDS_NAME}.who({ ${readers.join(", ")} });` : command.code;
    lines[index] = written + (line.endsWith("\r") ? "\r" : "");
    const isTimed = command !== "who" && command.isTimed === true;
    if (isTimed) timed.add(index);
    from = isTimed ? index : index + 1;
  }
  return timed.size === 0 ? lines.join("\n") : endTimes(lines, timed);
}

/** Ends the times that lines begin to take, each behind its statement, unless that is the cell's last. */
function endTimes(lines: readonly string[], timed: ReadonlySet<number>): string {
  const code = lines.join("\n");
  const body = readCell(code)?.program.body ?? [];
  let written = "";
  let from = 0;
  let at = 0;
  let next = 0;
  for (const [index, line] of lines.entries()) {
    const behind = at + line.length;
    if (timed.has(index)) {
      while (next < body.length && body[next].start! < at + START.length) next++;
      const isOwn = next < body.length && body[next].start! < behind;
      // The last statement's value is the cell's: its time ends where that is reported.
      if (next < body.length - (isOwn ? 1 : 0)) {
        const end = isOwn ? body[next].end! : at + line.trimEnd().length;
        written += `${code.slice(from, end)} ;${COMMANDS_NAME}.stop();`;
        from = end;
      }
    }
    at = behind + 1;
  }
  return written + code.slice(from);
}

function commandOf(
  line: string,
  { hasHelp, isTypeScript, ends, isFirst }: Record<"hasHelp" | "isTypeScript" | "ends" | "isFirst", boolean>,
): { readonly code: string; readonly isTimed?: boolean } | "who" | undefined {
  const asks = ASKS.exec(line)?.groups;
  const name = asks?.behind ?? asks?.before;
  // A line that ends with one question mark may be a condition that continues in the next line.
  const isAsked = asks !== undefined && !RESERVED.has((name ?? asks.called ?? "").split(".")[0]) &&
    (name === undefined ? !hasHelp : !isTypeScript && (asks.behind !== undefined || ends));
  if (isAsked) {
    const names = (name ?? asks.called ?? "help").split(".");
    const marks = asks.marks ?? asks.more ?? "?";
    return { code: `await ${lookCode(`${SHOWN_LOOK}${marks} ${names.join(".")}`, names)};` };
  }
  const { name: command, rest = "" } = COMMAND.exec(line)?.groups ?? {};
  if (command === "time") return { code: `${START} ${rest}`, isTimed: true };
  if (command === "sh") return { code: `await ${COMMANDS_NAME}.sh(${JSON.stringify(rest)});` };
  if (command === "who") return command;
  const unknown = isFirst ? UNKNOWN.exec(line)?.groups?.name : undefined;
  if (unknown === undefined) return undefined;
  return { code: refuse(unknown) };
}

/** The error of a command that does not exist. */
function refuse(name: string): string {
  const message =
    `unknown command ${name}; the commands are %time, %%time, %sh, %%sh, %who, name?, name?? and help(name)`;
  return `throw ${COMMANDS_NAME}.unknown(${JSON.stringify(message)});`;
}

/** The call that looks at a value: its first name must be read where the user's names are known. */
export function lookCode(id: string, [first, ...behind]: readonly string[]): string {
  const names = JSON.stringify(behind);
  return `${LOOK_NAME}(${JSON.stringify(id)}, () => ${first}, ${names})`;
}
