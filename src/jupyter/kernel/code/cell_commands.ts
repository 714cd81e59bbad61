/**
 * Lines of a cell that are not TypeScript: `name?`, `name??`, `help(name)`, `%time`, `%%time`, `%sh`, `%%sh`, `%who`.
 *
 * Each becomes a call on the same line, so that errors keep their line numbers.
 *
 * @module
 */
import { tokenize } from "./tokens.ts";

/** Where the kernel keeps what commands do: see `inside/commands.ts`. */
export const COMMANDS_KEY = "seqreg.commands";
/** Where the kernel keeps the function that looks at values: see `inside/looking.ts`. */
export const LOOK_KEY = "seqreg.look";
/** What a look is called whose answer is shown under the cell: the number of question marks, then the names. */
export const SHOWN_LOOK = "help";

const COMMANDS = `globalThis[Symbol.for("${COMMANDS_KEY}")]`;
const NAMES = String.raw`[\p{ID_Start}$_][\p{ID_Continue}$]*(?:\.#?[\p{ID_Start}$_][\p{ID_Continue}$]*)*`;
const ASKS = new RegExp(
  String
    .raw`^\s*(?:(?<marks>\?\??)(?<behind>${NAMES})|(?<before>${NAMES})(?<more>\?\??)|help\((?<called>${NAMES})?\);?)\s*$`,
  "u",
);
const COMMAND = /^\s*%(?<name>time|sh|who)\b[^\S\n]*(?<rest>.*)$/;
const CELL_COMMAND = /^\s*%%(?<name>time|sh)\b[^\S\n]*(?<rest>.*)$/;
const UNKNOWN = /^\s*(?<name>%%?[A-Za-z]\w*)/;
/** Words that cannot be names. */
const RESERVED = new Set(
  ("await break case catch class const continue debugger default delete do else enum export extends false finally for " +
    "function if import in instanceof let new null return static super switch this throw true try typeof var void while " +
    "with yield").split(" "),
);
/** Cheap look for a line that may be a command. */
const MAYBE = /^\s*(?:%|\?|help\()|\?\s*$/m;

/** What a cell has to be known of besides its code. */
export interface CellSurroundings {
  /** Names that the user's cells declared, for `%who`. */
  readonly declared: readonly string[];
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
 * assertEquals(written, 'globalThis[Symbol.for("seqreg.commands")].start(); f()');
 * assertEquals(rewriteCommands("a % b", { declared: [] }), "a % b");
 * ```
 */
export function rewriteCommands(code: string, surroundings: CellSurroundings): string {
  if (!MAYBE.test(code)) return code;
  const lines = code.split("\n");
  const first = lines.findIndex((line) => line.trim() !== "");
  const whole = CELL_COMMAND.exec(lines[first])?.groups;
  if (whole?.name === "sh") {
    const script = [whole.rest, ...lines.slice(first + 1)].join("\n").replace(/^\n/, "");
    return `${"\n".repeat(first)}await ${COMMANDS}.sh(${JSON.stringify(script)});`;
  }
  if (whole?.name === "time") lines[first] = `${COMMANDS}.start(); ${whole.rest}`;
  const written: string[] = [];
  /** Whether a time is being taken that ends with its statement. */
  let timed = false;
  for (const [index, line] of lines.entries()) {
    const before = tokenize(written.join("\n"));
    const begins = before.open.length === 0 && !before.inComment && before.tokens.at(-1)?.isOpen !== true;
    const ends = lines.slice(index + 1).every((later) => later.trim() === "");
    const command = begins ? commandOf(line, { ...surroundings, ends, isFirst: index === first }) : undefined;
    if (command === undefined) written.push(line);
    else written.push(command.code);
    timed ||= command?.isTimed ?? false;
    if (timed && isOver(written.join("\n"), lines[index + 1])) {
      timed = false;
      // The last statement's value is the cell's: its time ends where that is reported.
      if (!ends) written[index] += ` ;${COMMANDS}.stop();`;
    }
  }
  return written.join("\n");
}

/** Whether a statement ends with this code, as far as brackets and the next line tell. */
function isOver(code: string, next = ""): boolean {
  const { open, tokens } = tokenize(code);
  return open.length === 0 && tokens.at(-1)?.isOpen !== true && !/^\s*(?:[.?:+*/&|,)\]}]|=>)/.test(next);
}

function commandOf(
  line: string,
  { declared, ends, isFirst }: CellSurroundings & { readonly ends: boolean; readonly isFirst: boolean },
): { readonly code: string; readonly isTimed?: boolean } | undefined {
  const asks = ASKS.exec(line)?.groups;
  const calls = asks !== undefined && asks.behind === undefined && asks.before === undefined;
  // A line that ends with one question mark may be a condition that continues in the next line.
  const isName = !RESERVED.has((asks?.behind ?? asks?.before ?? asks?.called ?? "").split(".")[0]);
  if (asks !== undefined && isName && (calls ? !declared.includes("help") : asks.behind !== undefined || ends)) {
    const names = (asks.behind ?? asks.before ?? asks.called ?? "help").split(".");
    const marks = asks.marks ?? asks.more ?? "?";
    return { code: `await ${lookCode(`${SHOWN_LOOK}${marks} ${names.join(".")}`, names)};` };
  }
  const { name, rest = "" } = COMMAND.exec(line)?.groups ?? {};
  if (name === "time") return { code: `${COMMANDS}.start(); ${rest}`, isTimed: true };
  if (name === "sh") return { code: `await ${COMMANDS}.sh(${JSON.stringify(rest)});` };
  if (name === "who") {
    const readers = declared.map((each) => `${JSON.stringify(each)}: () => ${each}`);
    return { code: `await ${COMMANDS}.who({ ${readers.join(", ")} });` };
  }
  const unknown = isFirst ? UNKNOWN.exec(line)?.groups?.name : undefined;
  if (unknown === undefined) return undefined;
  const message =
    `unknown command ${unknown}; the commands are %time, %%time, %sh, %%sh, %who, name?, name?? and help(name)`;
  return { code: `throw new SyntaxError(${JSON.stringify(message)});` };
}

/** The call that looks at a value: its first name must be read where the user's names are known. */
export function lookCode(id: string, [first, ...behind]: readonly string[]): string {
  const names = JSON.stringify(behind);
  return `globalThis[Symbol.for("${LOOK_KEY}")](${JSON.stringify(id)}, () => ${first}, ${names})`;
}
