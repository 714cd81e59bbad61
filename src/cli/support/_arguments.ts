/**
 * Splits a command line into tokens, by the rules of `parseArgs` of Node.js, whose import takes as long as everything
 * else that a small command loads.
 */

/** One token of a command line. */
export type ArgumentToken =
  | { readonly kind: "positional"; readonly index: number; readonly value: string }
  | { readonly kind: "terminator"; readonly index: number }
  | {
    readonly kind: "option";
    /** Its long name, or its short one if it has no long one. */
    readonly name: string;
    /** As it was written, without a value. */
    readonly rawName: string;
    /** Index of the argument that contains it. */
    readonly index: number;
    readonly value: string | undefined;
    /** Whether the value is in the same argument; absent without a value. */
    readonly inlineValue: boolean | undefined;
  };

/** The properties of an option that splitting needs. */
export interface OptionForm {
  readonly type: "string" | "boolean";
  readonly short?: string;
}

/**
 * Splits a command line into tokens. The caller checks whether options are known and have values.
 *
 * @param args The command line.
 * @param options Options by their long names: those of type `string` take the next argument as their value.
 */
export function splitArguments(
  args: readonly string[],
  options: Readonly<Record<string, OptionForm>>,
): ArgumentToken[] {
  const longOf = (short: string) => Object.entries(options).find(([, option]) => option.short === short)?.[0] ?? short;
  const takesValue = (name: string) => Object.hasOwn(options, name) && options[name].type === "string";
  const tokens: ArgumentToken[] = [];
  for (let index = 0; index < args.length; index++) {
    const arg = args[index];
    /** An option whose value, if it takes one, is the next argument. */
    const addLone = (name: string, rawName: string) => {
      const hasValue = takesValue(name) && index + 1 < args.length;
      const value = hasValue ? args[index + 1] : undefined;
      tokens.push({ kind: "option", name, rawName, index, value, inlineValue: hasValue ? false : undefined });
      if (hasValue) index += 1;
    };
    if (arg === "--") {
      tokens.push({ kind: "terminator", index });
      for (index += 1; index < args.length; index++) tokens.push({ kind: "positional", index, value: args[index] });
    } else if (arg.startsWith("--")) {
      const equals = arg.includes("=", 3) ? arg.indexOf("=") : -1;
      if (equals < 0) addLone(arg.slice(2), arg);
      else {
        const name = arg.slice(2, equals);
        tokens.push({
          kind: "option",
          name,
          rawName: `--${name}`,
          index,
          value: arg.slice(equals + 1),
          inlineValue: true,
        });
      }
    } else if (arg.startsWith("-") && arg.length > 1) {
      // A group of short options; one that takes a value takes the rest, or the next argument.
      const characters = arg.slice(1);
      for (let at = 0; at < characters.length; at++) {
        const name = longOf(characters[at]);
        const rawName = `-${characters[at]}`;
        if (at === characters.length - 1) addLone(name, rawName);
        else if (takesValue(name)) {
          tokens.push({ kind: "option", name, rawName, index, value: characters.slice(at + 1), inlineValue: true });
          break;
        } else tokens.push({ kind: "option", name, rawName, index, value: undefined, inlineValue: undefined });
      }
    } else tokens.push({ kind: "positional", index, value: arg });
  }
  return tokens;
}
