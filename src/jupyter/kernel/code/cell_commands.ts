/**
 * Lines of a cell that are not TypeScript: `name?`, `name??`, `help(name)`, `%time`, `%%time`, `%sh`, `%%sh`, `%who`.
 *
 * Each becomes a call on the same line, so that errors keep their line numbers.
 */
import { declaredNames } from "./declared_names.ts";
import { type Insert, insertAll, readCell } from "./program.ts";

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
/** Of a line `%`, of a whole cell `%%`. */
const COMMAND = /^\s*(?<sign>%%?)(?<name>[A-Za-z]\w*)[^\S\n]*(?<rest>.*)$/;
/** Cheap look for a line that may be a command. */
const MAYBE = /^[^\S\n]*(?:%|\?|help\()|\?[^\S\n]*$/m;
/** The beginning of a line that continues the statement above it. */
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
  const { sign, name, rest } = COMMAND.exec(lines[first].trimEnd())?.groups ?? {};
  if (sign === "%%" && name === "sh") {
    const script = [rest, ...lines.slice(first + 1)].join("\n").replaceAll("\r", "").replace(/^\n/, "");
    return `${"\n".repeat(first)}await ${COMMANDS_NAME}.sh(${JSON.stringify(script)});`;
  }
  // What stands below another one is in another language.
  if (sign === "%%" && name !== "time") return `${"\n".repeat(first)}${refuse(sign + name)}`;
  if (sign === "%%") lines[first] = `${START} ${rest}`;
  const last = lines.findLastIndex((line) => line.trim() !== "");
  /** Numbers of lines, from 1. */
  const timed = new Set<number>();
  /** The first line behind the last command. */
  let from = 0;
  let searched = 0;
  for (const [index, line] of lines.entries()) {
    const read = () =>
      commandOf(line.replace(/\r$/, ""), {
        own,
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
    lines[index] = command + (line.endsWith("\r") ? "\r" : "");
    const isTimed = command.startsWith(START);
    if (isTimed) timed.add(index + 1);
    from = isTimed ? index : index + 1;
  }
  const written = lines.join("\n");
  return timed.size === 0 ? written : endTimes(written, timed);
}

/** Ends the times that lines begin to take, each behind its statement, unless that is the cell's last. */
function endTimes(code: string, timed: ReadonlySet<number>): string {
  const body = readCell(code)?.program.body ?? [];
  const ends: Insert[] = [];
  for (const [index, { loc, start, end }] of body.entries()) {
    const { line } = loc!.start;
    if (!timed.has(line) || !code.startsWith(START, start!)) continue;
    const next = body[index + 1];
    const isOwn = next?.loc?.start.line === line;
    // The last statement's value is the cell's: its time ends where that is reported.
    if (index + (isOwn ? 2 : 1) < body.length) ends.push([isOwn ? next.end! : end!, ` ;${COMMANDS_NAME}.stop();`]);
  }
  return insertAll(code, ends);
}

function commandOf(
  line: string,
  { own, hasHelp, isTypeScript, ends, isFirst }: Record<"hasHelp" | "isTypeScript" | "ends" | "isFirst", boolean> & {
    readonly own: Iterable<string>;
  },
): string | undefined {
  const { behind, before, called = "help", marks, more = "?" } = ASKS.exec(line)?.groups ?? {};
  const name = behind ?? before;
  const names = (name ?? called).split(".");
  // A line that ends with one question mark may be a condition that continues in the next line.
  const isAsked = name === undefined ? !hasHelp : !isTypeScript && (behind !== undefined || ends);
  if (isAsked && ASKS.test(line) && isName(names[0])) {
    return `await ${lookCode(`${SHOWN_LOOK}${marks ?? more} ${names.join(".")}`, names)};`;
  }
  const { sign, name: command = "", rest = "" } = COMMAND.exec(line)?.groups ?? {};
  if (sign !== "%") return undefined;
  if (command === "time") return `${START} ${rest}`;
  if (command === "sh") return `await ${COMMANDS_NAME}.sh(${JSON.stringify(rest)});`;
  if (command !== "who") return isFirst ? refuse(sign + command) : undefined;
  const readers = [...own].map((name) => `${JSON.stringify(name)}: () => ${name}`);
  return `await ${COMMANDS_NAME}.who({ ${readers.join(", ")} });`;
}

/** Whether a word can be a name: `null` and `class` cannot. */
function isName(word: string): boolean {
  const { errors, program } = readCell(`(${word})`) ?? {};
  const statement = program?.body[0];
  return errors?.length === 0 && statement?.type === "ExpressionStatement" &&
    statement.expression.type === "Identifier";
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
