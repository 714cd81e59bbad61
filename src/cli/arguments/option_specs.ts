/** The options of a command, and the error for a wrong command line. */

export interface OptionSpec {
  /** Whether it takes a value. */
  readonly type: "string" | "boolean";
  /** Whether a boolean may have a value behind `=`, such as `--allow-net=HOST`. */
  readonly inlineValue?: boolean;
  /** One-character form. */
  readonly short?: string;
  readonly multiple?: boolean;
  /** Placeholder of the value, in capitals, such as `FILE`. */
  readonly value?: string;
  /**
   * Whether its value is a file that the command writes (true), a folder that is a result as a whole, or one that files
   * are put into; it must not be an input or another output, and a whole folder must not hold an input.
   */
  readonly writes?: boolean | "folder" | "into";
  /** Environment variable that is read where the option is absent. */
  readonly variable?: string;
  /** One line for `--help`. */
  readonly describe: string;
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** The command line is wrong. Thrown before any I/O; exit code 2. */
export class UsageError extends TypeError {
  override readonly name = "UsageError";
}
