/** Entries of the index of help, made of what `deno doc --json` knows. */
import type { HelpEntries, HelpEntry, HelpOption, HelpParameter } from "../../src/jupyter/kernel/help/help_index.ts";
import {
  describe,
  type DocComment,
  type DocDefinition,
  type DocMember,
  type DocNodes,
  type DocSymbol,
  type DocType,
  keysOf,
  type OptionKey,
  type Types,
  typesOf,
  valuesOf,
} from "../../tests/_public_options.ts";
import { plainExample } from "./plain_example.ts";

/** What the check of options says of each, by callable and key. */
export type Expectations = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** What entries are made of. */
interface Source {
  readonly nodes: DocNodes;
  readonly types: Types;
  /** What users import from, by the module's address. */
  readonly modules: ReadonlyMap<string, string>;
  readonly expectations: Expectations;
  readonly modulesOf: (name: string) => readonly string[];
}

/** Makes the entries of every name that a module exports. */
export function readEntries(
  nodes: DocNodes,
  modules: ReadonlyMap<string, string>,
  expectations: Expectations,
): HelpEntries {
  const homes = new Map<string, string[]>();
  for (const [file, { symbols }] of Object.entries(nodes)) {
    const module = modules.get(file);
    if (module === undefined) continue;
    for (const { name } of symbols) homes.set(name, [...homes.get(name) ?? [], module]);
  }
  for (const list of homes.values()) list.sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  const source: Source = {
    nodes,
    types: typesOf(nodes),
    modules,
    expectations,
    modulesOf: (name) => homes.get(name) ?? [],
  };
  const found = new Map<string, Map<string, HelpEntry>>();
  for (const [file, { symbols }] of Object.entries(nodes)) {
    const module = modules.get(file);
    for (const { name, declarations } of symbols) {
      for (const declaration of declarations) {
        const made = entryOf(name, declaration, source);
        if (made === undefined) continue;
        const entries = found.get(name) ?? new Map<string, HelpEntry>();
        found.set(name, entries);
        const key = declaration.location.filename;
        const from = [...entries.get(key)?.from ?? [], ...module === undefined ? [] : [module]];
        entries.set(key, { ...made, ...from.length > 0 && { from: [...new Set(from)].sort() } });
      }
    }
  }
  const names = [...found.keys()].sort();
  return Object.fromEntries(names.map((name) => [name, [...found.get(name)!.values()]]));
}

type Declaration = DocSymbol["declarations"][number];

function entryOf(name: string, { kind, jsDoc, location, def }: Declaration, source: Source): HelpEntry | undefined {
  const file = location.filename;
  const told = commentOf(jsDoc, source);
  switch (kind) {
    case "function":
      return { kind: "function", ...told, ...callOf(name, def, jsDoc, file, source) };
    case "class":
    case "interface":
      return { kind, ...told, ...basesOf(def), members: membersOf(name, def, file, source) };
    case "typeAlias":
      return { kind: "type", ...told, type: describe(def.tsType) };
    case "variable":
      return { kind: "constant", ...told, type: describe(def.tsType) };
    default:
      return undefined;
  }
}

function basesOf(def: DocDefinition): Pick<HelpEntry, "extends"> {
  const bases = typeof def.extends === "string" ? [def.extends] : (def.extends ?? []).map(describe);
  return bases.length === 0 ? {} : { extends: bases.map((base) => base.replace(/<.*/, "")) };
}

function membersOf(owner: string, def: DocDefinition, file: string, source: Source): Record<string, HelpEntry> {
  const members = new Map<string, HelpEntry>();
  for (const { params, jsDoc, accessibility } of def.constructors ?? []) {
    if (accessibility !== undefined && accessibility !== "public") continue;
    members.set("constructor", {
      kind: "constructor",
      ...commentOf(jsDoc, source),
      ...callOf(`new ${owner}`, { params }, jsDoc, file, source),
    });
  }
  for (const member of [...def.properties ?? [], ...def.methods ?? []]) {
    const { name, jsDoc, accessibility, isStatic, kind } = member;
    if (accessibility !== undefined && accessibility !== "public" || name.startsWith("[")) continue;
    const isCalled = kind === "method" || member.functionDef !== undefined && kind !== "getter" && kind !== "setter" ||
      kind === undefined && member.params !== undefined;
    const definition: DocDefinition = member.functionDef ?? member;
    const call = `${isStatic ? "static " : ""}${owner}.${name}`;
    const told = { ...commentOf(jsDoc, source), ...member.optional && { optional: true as const } };
    members.set(
      isStatic ? `static ${name}` : name,
      isCalled
        ? { kind: "method", ...told, ...callOf(call, definition, jsDoc, file, source) }
        : { kind: "property", ...told, type: typeText(propertyType(member)) },
    );
  }
  return Object.fromEntries(members);
}

function propertyType({ tsType, functionDef }: DocMember): DocType | undefined {
  return tsType ?? functionDef?.returnType;
}

function callOf(
  call: string,
  { params = [], returnType }: DocDefinition,
  jsDoc: DocComment | undefined,
  file: string,
  source: Source,
): Pick<HelpEntry, "parameters" | "type" | "returns" | "throws"> {
  const tags = jsDoc?.tags ?? [];
  const expectations = source.expectations.get(`${file} ${call}`) ?? {};
  const parameters = params.map((param, index): HelpParameter => {
    const plain = param.left ?? param.arg ?? param;
    const name = plain.name ?? "options";
    const doc = tags.find((tag) => tag.kind === "param" && tag.name === name)?.doc;
    const values = valuesOf(plain.tsType, file, source.types);
    const keys = index === 0 && params.length === 1 || params.length - 1 === index || /option/i.test(name)
      ? optionsOf(keysOf(plain.tsType, file, source.types), expectations)
      : optionsOf(keysOf(plain.tsType, file, source.types), {});
    return {
      name: param.kind === "rest" ? `...${name}` : name,
      type: typeText(plain.tsType),
      ...(param.left !== undefined || plain.optional || param.kind === "rest") && { optional: true as const },
      ...doc && { doc: sentences(doc) },
      ...values.length > 0 && { values },
      ...keys.length > 0 && keys.length <= 40 && { keys },
    };
  });
  const returns = tags.find(({ kind }) => kind === "return" || kind === "returns")?.doc;
  const throws = tags.filter(({ kind, doc }) => kind === "throws" && doc).map(({ tsType, doc = "" }) =>
    `${tsType === undefined ? "" : typeText(tsType)} ${sentences(doc)}`.trim()
  );
  return {
    parameters,
    ...returnType && { type: typeText(returnType) },
    ...returns && { returns: sentences(returns) },
    ...throws.length > 0 && { throws },
  };
}

function optionsOf(keys: readonly OptionKey[], expectations: Readonly<Record<string, string>>): HelpOption[] {
  return keys.map(({ name, type, isRequired, doc, values, keys }) => {
    const expected = expectations[name];
    // The values that it begins with: `"asc" or "desc"`, `"csv", "tsv" or a text`.
    const list = /^(?:"[^"]*"(?:, | or |$))+/.exec(expected ?? "")?.[0] ?? "";
    const quoted = [...list.matchAll(/"([^"]*)"/g)].map(([, value]) => value);
    const allowed = quoted.length > 0 ? quoted : values;
    return {
      name,
      type: type.replaceAll("fnOrConstructor", "function"),
      ...doc !== "" && { doc: sentences(doc) },
      ...isRequired && { required: true as const },
      ...expected !== undefined && { expected },
      ...allowed.length > 0 && { values: allowed },
      ...keys.length > 0 && { keys: optionsOf(keys, {}) },
    };
  });
}

/** A comment's first paragraph, the rest, and its example. */
function commentOf(jsDoc: DocComment | undefined, { modulesOf }: Source): Pick<HelpEntry, "doc" | "more" | "example"> {
  const text = sentences(jsDoc?.doc ?? "");
  const at = text.indexOf("\n\n");
  const examples = (jsDoc?.tags ?? []).filter(({ kind }) => kind === "example").flatMap(({ doc = "" }) => {
    const code = /```ts[^\n]*\n([^]*?)```/.exec(doc)?.[1];
    const plain = code === undefined ? undefined : plainExample(code, modulesOf);
    return plain === undefined || plain === "" ? [] : [plain];
  });
  return {
    doc: at < 0 ? text : text.slice(0, at),
    ...at >= 0 && { more: text.slice(at + 2) },
    ...examples.length > 0 && { example: examples[0] },
  };
}

/** Text of a comment: links are names, lines of a paragraph are one. */
function sentences(text: string): string {
  return text.replace(/\{@link(?:code|plain)? ([^}|]+?)(?:[ |][^}]*)?\}/g, "$1").trim().split(/\n{2,}/)
    .map((paragraph) => /^(?:[-*]|\d+\.|```| {2,})/m.test(paragraph) ? paragraph : paragraph.replace(/\s*\n\s*/g, " "))
    .join("\n\n");
}

/** A type as short as it can be said. */
function typeText(type: DocType | undefined): string {
  return describe(type).replaceAll("typeLiteral", "object").replaceAll("fnOrConstructor", "function");
}
