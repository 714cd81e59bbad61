/** Parses the command line by the options of a command. */
import { parseArgs } from "node:util";
import { didYouMean, flagNames } from "./suggestion.ts";
import { type OptionSpecs, UsageError } from "./option_specs.ts";

/** Longest wait in seconds: timers accept at most 2^31 - 1 milliseconds (24 days). */
const MAX_SECONDS = 2_147_483;

/** Options whose value is an output path, or `-`. */
const RESULTS = ["output", "log", "openapi"];

/** `--help` and `--version`, which come here only with a value. */
const COMMON: OptionSpecs[string] = { type: "boolean", describe: "" };

/** Endings of names that promise a format of data. */
const DATA_ENDINGS = ["csv", "tsv", "json", "jsonl", "ndjson", "parquet", "xlsx", "arrow", "feather"];

/** Formats that are not text, and that nothing compresses once more. */
const COMPRESSED: readonly string[] = ["parquet", "xlsx"];

/** Options as given on the command line, typed on reading. */
export class Flags {
  readonly #values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

  constructor(values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>) {
    this.#values = values;
  }

  /** Whether an option without a value of its own was given. */
  has(name: string): boolean {
    return this.#values[name] === true;
  }

  /** Whether an option was given, with a value or without one. */
  isGiven(name: string): boolean {
    return this.#values[name] !== undefined;
  }

  /** Value of an option, if it was given. */
  text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === "string" ? value : undefined;
  }

  /** Values of an option: several if it is repeatable, none if it was not given. */
  texts(name: string): string[] {
    return [this.#values[name]].flat().filter((text) => typeof text === "string");
  }

  /** Value of an option with a fixed set of values. */
  choice<T extends string>(name: string, choices: readonly T[], otherwise: T): T {
    const value = this.text(name);
    if (value === undefined) return otherwise;
    const found = choices.find((choice) => choice === value);
    if (found !== undefined) return found;
    throw new UsageError(
      `Cannot use --${name} ${JSON.stringify(value)}: expected one of ${choices.join(", ")}` +
        didYouMean(value, choices),
    );
  }

  /**
   * Format of the result: `--format`, else that of the name of `--output` (`.csv`, `.csv.gz`, …), else the usual one.
   *
   * @throws {UsageError} If the name promises a format of data that the command does not write.
   */
  format<T extends string>(formats: readonly T[], usual: T): T {
    const given = this.text("format");
    const output = this.text("output") ?? "";
    const [, ending = "", gzip] = /\.(\w+?)(\.gz)?$/.exec(output.toLowerCase()) ?? [];
    const named = formats.find((format) => format === ending);
    if (given !== undefined || named !== undefined) {
      const format = this.choice("format", formats, named ?? usual);
      if (gzip === undefined || !COMPRESSED.includes(format)) return format;
      throw new UsageError(
        `Cannot write ${format} to ${output}: it is compressed in itself; leave .gz out of the name`,
      );
    }
    if (!DATA_ENDINGS.includes(ending)) return usual;
    const choice = formats.length === 1
      ? `the result is ${usual.toUpperCase()}; name it so`
      : `the formats are ${formats.join(", ")}; choose one by the name or --format`;
    throw new UsageError(`Cannot write .${ending} to ${output}: ${choice}`);
  }

  integer(name: string, range: { readonly least: number; readonly most: number }): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const number = /^-?[0-9]{1,15}$/.test(value) ? Number(value) : NaN;
    if (number >= range.least && number <= range.most) return number;
    throw new UsageError(
      `Cannot use --${name} ${JSON.stringify(value)}: expected a whole number from ${range.least} to ${range.most}`,
    );
  }

  /** Value of an option that is a number of seconds, such as `30` or `0.5`; in milliseconds. */
  seconds(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const number = /^[0-9]{1,7}(\.[0-9]{1,3})?$/.test(value) ? Number(value) : NaN;
    if (number <= MAX_SECONDS) return Math.round(number * 1000);
    throw new UsageError(
      `Cannot use --${name} ${JSON.stringify(value)}: expected a number of seconds, such as 30, ${MAX_SECONDS} at most`,
    );
  }
}

/** Splits arguments into tokens. Whether options are known, and have their values, is not checked yet. */
function splitArguments(args: readonly string[], options: OptionSpecs) {
  const { tokens = [] } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  return tokens;
}

/**
 * Splits a command's arguments into operands and flags.
 *
 * @param command Its options, its name for messages, and whether everything behind its first operand is passed on.
 * @throws {UsageError} If an option is unknown, repeated, lacks its value or has one that it must not have.
 */
export function parseFlags(
  args: readonly string[],
  { options, name: command, passesArguments = false }: {
    readonly options: OptionSpecs;
    readonly name: string;
    readonly passesArguments?: boolean;
  },
): { operands: string[]; flags: Flags } {
  const all = splitArguments(args, options);
  const first = passesArguments ? all.find(({ kind }) => kind === "positional") : undefined;
  const tokens = first === undefined ? all : all.filter(({ index }) => index < first.index);
  const operands = first === undefined ? [] : args.slice(first.index);
  const values: Record<string, string | boolean | (string | boolean)[]> = {};
  for (const token of tokens) {
    if (token.kind === "positional") operands.push(token.value);
    if (token.kind === "option") checkOption(token, args[token.index], { options, command });
  }
  for (const [name, { multiple }] of Object.entries(options)) {
    const given = tokens.flatMap((token) =>
      token.kind === "option" && token.name === name ? [token.value ?? true] : []
    );
    if (given.length > 1 && !multiple) {
      throw new UsageError(`Option --${name} is given ${given.length} times; use it once`);
    }
    if (given.length > 0) values[name] = multiple ? given : streamOf(name, given[0]);
  }
  return { operands, flags: new Flags(values) };
}

interface GivenOption {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string;
  /** Whether the value stands in the same argument. */
  readonly inlineValue?: boolean;
}

function checkOption(
  given: GivenOption,
  argument: string,
  { options, command }: { readonly options: OptionSpecs; readonly command: string },
): void {
  const { name, rawName, value } = given;
  // A query such as -country:Kenya looks like a group of short options.
  if (/^-[^-=][^=]*:/.test(argument)) {
    throw new UsageError(
      `Unknown option ${JSON.stringify(argument)}: put an argument that begins with - last, after --, as in ` +
        `seqreg ${command} -- ${argument}`,
    );
  }
  const isCommon = name === "help" || name === "version";
  const spec = Object.hasOwn(options, name) ? options[name] : isCommon ? COMMON : undefined;
  if (spec === undefined) {
    throw new UsageError(
      `Unknown option ${rawName}` + didYouMean(rawName, flagNames(options), { help: `seqreg ${command} --help` }),
    );
  }
  if (spec.type === "boolean") {
    if (value === undefined || spec.inlineValue && value !== "") return;
    throw new UsageError(`Option ${rawName} takes no value, got ${JSON.stringify(value)}`);
  }
  const isPath = /\b(FILE|DIR)\b/.test(spec.value ?? "");
  if (value && !looksLikeOption(given, options, isPath)) return;
  const written = isPath && value ? `; write ./${value} for a name that begins with -` : "";
  throw new UsageError(`Option ${rawName} needs a value: ${rawName} ${spec.value ?? "VALUE"}${written}`);
}

/** Deno does not let programs open standard output by these names: as an output path they mean `-`. */
function streamOf(option: string, value: string | boolean): string | boolean {
  const isStdout = typeof value === "string" && /^\/(dev\/stdout|(dev|proc\/self)\/fd\/1)$/.test(value);
  return isStdout && RESULTS.includes(option) ? "-" : value;
}

/**
 * `--output --quiet` and `-o -q` lack the value; `--output=--quiet` has one. An output path does not begin with `-`,
 * unless it is `-` itself.
 */
function looksLikeOption(
  { value = "", inlineValue }: GivenOption,
  options: OptionSpecs,
  isPath: boolean,
): boolean {
  if (inlineValue || !/^-./.test(value)) return false;
  if (isPath || value === "--") return true;
  const known = (name: string) => Object.hasOwn(options, name);
  return splitArguments([value], options).every((token) => token.kind === "option" && known(token.name));
}
