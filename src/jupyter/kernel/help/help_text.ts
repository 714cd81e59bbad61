/** Help as it is read: plain, and in Markdown. */
import { readCell } from "../code/program.ts";
import type { Seen } from "../inside/looking.ts";
import type { HelpEntry, HelpOption, HelpParameter } from "./help_index.ts";
import type { Meaning, Meanings } from "./meaning.ts";

/** Help in the forms that front ends show. */
export interface HelpText {
  readonly "text/plain": string;
  readonly "text/markdown": string;
}

/** Members that are listed of a value. */
const MOST_MEMBERS = 40;
/** Lines of what the console shows of a value of ours. */
const MOST_PREVIEW_LINES = 6;
/** Lines of the user's own text that are shown. */
const MOST_LINES = 20;

/** One part: a heading, and lines; code where it is code. */
interface HelpPart {
  readonly head?: string;
  readonly text?: string;
  readonly code?: string;
  /** A list item: a name in code, and its description. */
  readonly items?: readonly (readonly [name: string, said: string])[];
}

/**
 * Writes help on something of the toolkit's.
 *
 * @param called What the user called it: `registry.search`.
 * @param asked `more`: whether everything is wanted, as `name??` asks; `seen`: the value, where it was seen.
 */
export function helpOnMeaning(
  called: string,
  meaning: Meaning,
  meanings: Meanings,
  { more, seen }: { readonly more: boolean; readonly seen?: Seen },
): HelpText {
  const { entry, name, owner, isValue } = meaning;
  const parts: HelpPart[] = [{ code: isValue ? `${called}: ${name}` : signatureOf(called, entry) }];
  const preview = seen?.text.split("\n") ?? [];
  if ((isValue || entry.kind === "property") && preview.length > 0 && preview.length <= MOST_PREVIEW_LINES) {
    parts.push({ code: preview.join("\n") });
  }
  if (entry.doc !== "") parts.push({ text: entry.doc });
  if (more && entry.more) parts.push({ text: entry.more });
  const parameters = entry.parameters ?? [];
  const documented = parameters.filter(({ doc, keys, values }) => doc && keys === undefined || values !== undefined);
  if (documented.length > 0) {
    parts.push({ head: "Takes", items: documented.map((each) => [each.name, parameterDoc(each)]) });
  }
  for (const { name, keys } of parameters) {
    if (keys !== undefined) {
      parts.push({ head: name === "options" ? "Options" : `Keys of ${name}`, items: optionItems(keys) });
    }
  }
  if (entry.returns) parts.push({ head: "Gives", text: entry.returns });
  if (entry.throws) parts.push({ head: "Throws", items: entry.throws.map((text) => splitThrown(text)) });
  const type = entry.kind === "property" ? meanings.ofType(entry) : entry.members && meaning;
  if (type !== undefined) {
    const isInstance = isValue || type !== meaning;
    const members = meanings.membersOf(type.name).filter((each) =>
      !isInstance || !/^(?:static |constructor$)/.test(each)
    );
    const shown = more ? members : members.slice(0, MOST_MEMBERS);
    const items = shown.map((each) => {
      const member = meanings.member(type.name, each)!.entry;
      return [signatureOf(each, member, "short"), firstSentence(member.doc)] as const;
    });
    const rest = members.length - shown.length;
    if (items.length > 0) parts.push({ head: "Has", items });
    if (rest > 0) parts.push({ text: `and ${rest} more: ${called}??` });
  }
  const example = exampleOf(meaning, meanings);
  if (example !== undefined && (!isValue || more)) parts.push({ head: "Example", code: example });
  const line = owner === undefined && entry.from && `import { ${name} } from "${entry.from[0]}";`;
  const isMade = entry.kind === "class" || entry.kind === "function" || entry.kind === "constant";
  if (line && !isValue && isMade && !example?.includes(line)) parts.push({ code: line });
  return write(parts);
}

export function helpOnOption(option: HelpOption): HelpText {
  return write([
    { code: `${option.name}${option.required ? "" : "?"}: ${option.type}` },
    { text: parameterDoc(option) },
    ...option.keys === undefined ? [] : [{ head: "Has", items: optionItems(option.keys) }],
  ]);
}

/**
 * Writes help on the user's own.
 *
 * @param declared Text of its declaration with the comment above it, where it is known.
 */
export function helpOnValue(called: string, seen: Seen, declared: string | undefined, more: boolean): HelpText {
  const { type, classes, size, text } = seen;
  const comment = declared === undefined ? undefined : commentOf(declared);
  if (type === "function") {
    const source = declared ?? text;
    const head = /^class\b/.test(text) ? `class ${called}` : headOf(source.slice(
      source.indexOf(comment?.raw ?? "") +
        (comment?.raw.length ?? 0),
    ));
    return write([
      { code: head },
      ...comment === undefined ? [] : [{ text: comment.text }],
      ...more ? [{ head: "Source", code: source }] : [],
    ]);
  }
  const kind = type === "object" && classes.length > 0 ? classes[0] : type;
  const length = size === undefined ? "" : `, ${size.toLocaleString("en")} long`;
  const lines = text.split("\n");
  const shown = more ? lines : lines.slice(0, MOST_LINES);
  return write([
    { code: `${called}: ${kind}${length}` },
    ...comment === undefined ? [] : [{ text: comment.text }],
    { code: shown.join("\n") + (lines.length > shown.length ? "\n…" : "") },
    ...more && declared !== undefined ? [{ head: "Declared", code: declared }] : [],
  ]);
}

/** Writes what `help()` answers without a name. */
export function helpOnHelp(): HelpText {
  return write([
    { text: "Ask where you type:" },
    {
      items: [
        ["name?", "what it is, what it takes, and an example: registry.search?"],
        ["name??", "everything that is known; of a function of your own its source"],
        ["help(name)", "the same as name?"],
        ["Shift+Tab", "the same at the cursor; in the brackets of a call its options"],
        ["Tab", "what fits: names, keys of options, their values, fields, values of fields, modules"],
        ["%time f()", "how long a statement takes; %%time in the first line, how long the cell takes"],
        ["%sh command", "runs a command of the shell; %%sh in the first line, the whole cell"],
        ["%who", "your own names"],
      ],
    },
  ]);
}

/** `called(a: string, b?: number): Type`. */
export function signatureOf(called: string, entry: HelpEntry, form: "long" | "short" = "long"): string {
  const { kind, type, parameters } = entry;
  if (kind === "class" || kind === "interface") return `${kind} ${called}`;
  if (parameters === undefined) return type === undefined || form === "short" ? called : `${called}: ${type}`;
  const said = parameters.map(({ name, type, optional }) =>
    form === "short"
      ? `${name}${optional ? "?" : ""}`
      : `${name}${optional && !name.startsWith("...") ? "?" : ""}: ${type}`
  );
  const name = kind === "constructor" ? `new ${called}` : called;
  return `${name}(${said.join(", ")})${type === undefined || form === "short" ? "" : `: ${type}`}`;
}

function optionItems(keys: readonly HelpOption[]): (readonly [string, string])[] {
  return keys.flatMap((key) => [
    [`${key.name}${key.required ? "" : "?"}`, parameterDoc(key)] as const,
    ...(key.keys ?? []).map((inner) =>
      [`${key.name}.${inner.name}${inner.required ? "" : "?"}`, parameterDoc(inner)] as const
    ),
  ]);
}

/** What is allowed, then what it does. */
function parameterDoc({ doc = "", type, values, ...rest }: HelpParameter | HelpOption): string {
  const expected = "expected" in rest ? rest.expected : undefined;
  const listed = values?.map((value) => JSON.stringify(value)).join(", ");
  return [expected ?? listed ?? type, doc].filter((text) => text !== "").join(". ");
}

function splitThrown(text: string): readonly [string, string] {
  const [, name, said] = /^([\w$]+(?: \| [\w$]+)*)\s*([^]*)$/.exec(text) ?? [];
  return name === undefined || /^[a-z]/.test(name) ? ["Error", text] : [name, said];
}

function firstSentence(text: string): string {
  return /^[^]*?[.;:](?=\s|$)/.exec(text)?.[0].replace(/[;:]$/, ".") ?? text;
}

/** Its own example, else the line of its class's that uses it, else the bare call. */
function exampleOf({ entry, name, owner }: Meaning, meanings: Meanings): string | undefined {
  if (entry.example !== undefined || owner === undefined || entry.parameters === undefined) return entry.example;
  const [home] = meanings.exported(owner);
  const lines = home?.example?.split("\n") ?? [];
  const used = lines.find((line) => line.includes(`.${name}(`) && readCell(line) !== undefined);
  if (used !== undefined) return used.trim();
  const isStatic = Object.hasOwn(home?.members ?? {}, `static ${name}`);
  const needed = entry.parameters.filter(({ optional }) => !optional).map(({ name }) => name);
  const call = `${isStatic ? owner : owner[0].toLowerCase() + owner.slice(1)}.${name}(${needed.join(", ")})`;
  const [, given] = /^Promise<(.*)>$/.exec(entry.type ?? "") ?? [];
  if (given === undefined) return entry.type === "void" ? call : `const result = ${call};`;
  return given === "void" ? `await ${call};` : `const result = await ${call};`;
}

/** The comment above a declaration: as it stands, and its words. */
function commentOf(declared: string): { readonly raw: string; readonly text: string } | undefined {
  const raw = /^(?:\/\*[^]*?\*\/|(?:\/\/[^\n]*\n\s*)+)/.exec(declared)?.[0];
  if (raw === undefined) return undefined;
  const text = raw.replace(/^\/\*\*?|\*\/$/g, "").replace(/^[^\S\n]*(?:\*|\/\/) ?/gm, "").trim();
  return { raw, text };
}

/** A function up to its body. */
function headOf(source: string): string {
  const text = source.trim();
  const arrow = text.indexOf("=>");
  const brace = /\)[^(){}]*\{/.exec(text)?.index ?? Infinity;
  if (text.startsWith("const") || text.startsWith("let") || text.startsWith("(") || /^async \(/.test(text)) {
    return arrow > 0 ? text.slice(0, arrow).trim() : text.split("\n")[0];
  }
  return brace === Infinity ? text.split("\n")[0] : text.slice(0, text.indexOf("{", brace)).trim();
}

function write(parts: readonly HelpPart[]): HelpText {
  const plain: string[] = [];
  const marked: string[] = [];
  for (const { head, text, code, items } of parts) {
    if (head !== undefined) {
      plain.push(`\n${head}`);
      marked.push(`\n**${escapeMark(head)}**\n`);
    } else if (plain.length > 0) {
      plain.push("");
      marked.push("");
    }
    if (text !== undefined) {
      plain.push(text);
      marked.push(escapeMark(text));
    }
    if (code !== undefined) {
      plain.push(code);
      const fence = "`".repeat(Math.max(3, ...[...code.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)));
      marked.push(`${fence}ts\n${code}\n${fence}`);
    }
    for (const [name, said] of items ?? []) {
      plain.push(`  ${name}  ${said.replace(/\s*\n\s*/g, " ")}`.trimEnd());
      marked.push(`- \`${name}\` ${escapeMark(said.replace(/\s*\n\s*/g, " "))}`.trimEnd());
    }
  }
  return { "text/plain": plain.join("\n").trim(), "text/markdown": marked.join("\n").trim() };
}

/** Keeps words from being tags, tables or formulas; code between backticks stays code. */
function escapeMark(text: string): string {
  return text.split(/(`[^`\n]*`)/).map((part, index) =>
    index % 2 === 1 ? part : part.replace(/[<>$*_[\]\\]/g, (character) => `\\${character}`)
  ).join("");
}
