/**
 * The index of what the toolkit exports: signatures, sentences, options and examples, from its own documentation.
 *
 * `deno task help-index` writes `help_index.json`; it is read when help is first asked for.
 */

/** One key of an options object. */
export interface HelpOption {
  readonly name: string;
  /** Its type in words. */
  readonly type: string;
  /** What it does, with its default. */
  readonly doc?: string;
  /** Whether it must be given. */
  readonly required?: true;
  /** What is allowed, as the check of the options says it. */
  readonly expected?: string;
  /** The values that are allowed, where they are few. */
  readonly values?: readonly string[];
  readonly keys?: readonly HelpOption[];
}

export interface HelpParameter extends Omit<HelpOption, "expected" | "required"> {
  /** Whether it may be left out. */
  readonly optional?: true;
}

export interface HelpEntry {
  readonly kind: "function" | "class" | "interface" | "type" | "constant" | "method" | "property" | "constructor";
  /** First paragraph of its documentation. */
  readonly doc: string;
  readonly more?: string;
  /** Type of a property or constant, or of what a function gives. */
  readonly type?: string;
  /** What a function gives, in words. */
  readonly returns?: string;
  readonly parameters?: readonly HelpParameter[];
  /** What it throws, and when. */
  readonly throws?: readonly string[];
  /** Code to paste. */
  readonly example?: string;
  readonly from?: readonly string[];
  /** Classes and interfaces whose members it has too. */
  readonly extends?: readonly string[];
  /** Of a member: whether a value may be without it. */
  readonly optional?: true;
  /** Members by name; static ones as `static name`. */
  readonly members?: Readonly<Record<string, HelpEntry>>;
}

/** Everything that is exported, by name; two modules may export different things of one name. */
export type HelpEntries = Readonly<Record<string, readonly HelpEntry[]>>;

let reading: Promise<HelpEntries> | undefined;

/** Reads the index, once; empty where it cannot be read: then help knows the user's own names alone. */
export function readHelpIndex(): Promise<HelpEntries> {
  return reading ??= Deno.readTextFile(new URL("./help_index.json", import.meta.url)).then(JSON.parse).catch(
    () => ({}),
  );
}
