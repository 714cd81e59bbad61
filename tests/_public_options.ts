/** Every exported function, constructor and method that takes options, as `deno doc` knows them. */
import { fromFileUrl } from "./_files.ts";

/** A type as `deno doc --json` writes it. */
export interface DocType {
  readonly kind: string;
  readonly repr?: string;
  readonly value?: unknown;
}

/** A documentation comment. */
export interface DocComment {
  readonly doc?: string;
  readonly tags?: readonly {
    readonly kind: string;
    readonly name?: string;
    readonly tsType?: DocType;
    readonly doc?: string;
  }[];
}

export interface DocParam {
  readonly kind: string;
  readonly name?: string;
  readonly optional?: boolean;
  readonly tsType?: DocType;
  readonly left?: DocParam;
  readonly arg?: DocParam;
}

export interface DocMember {
  readonly name: string;
  readonly jsDoc?: DocComment;
  readonly returnType?: DocType;
  readonly optional?: boolean;
  readonly isStatic?: boolean;
  readonly accessibility?: string;
  readonly kind?: string;
  readonly tsType?: DocType;
  readonly params?: readonly DocParam[];
  readonly functionDef?: { readonly params: readonly DocParam[]; readonly returnType?: DocType };
}

export interface DocDefinition {
  readonly params?: readonly DocParam[];
  readonly returnType?: DocType;
  readonly constructors?: readonly DocMember[];
  readonly methods?: readonly DocMember[];
  readonly properties?: readonly DocMember[];
  readonly extends?: readonly DocType[] | string;
  readonly tsType?: DocType;
}

/** What a module exports under one name. */
export interface DocSymbol {
  readonly name: string;
  readonly declarations: readonly {
    readonly kind: string;
    readonly jsDoc?: DocComment;
    readonly location: { readonly filename: string };
    readonly def: DocDefinition;
  }[];
}

export type DocNodes = Readonly<Record<string, { readonly symbols: readonly DocSymbol[] }>>;

/** One argument before the options: its name and its type in words. */
export interface Argument {
  readonly name: string;
  readonly type: string;
}

export interface OptionKey {
  readonly name: string;
  readonly isRequired: boolean;
  /** Its type in words; empty where `deno doc` has none. */
  readonly type: string;
  readonly doc: string;
  /** Texts that its type allows, where it lists them. */
  readonly values: readonly string[];
  readonly keys: readonly OptionKey[];
}

/** A function, constructor or method that takes options. */
export interface Callable {
  /** `search`, `new RegistryClient`, `Registry.search`, `static Registry.open`. */
  readonly name: string;
  readonly kind: "function" | "constructor" | "method" | "static";
  /** Class or interface of a method or constructor; else the function. */
  readonly owner: string;
  readonly member: string;
  /** Module that exports the owner. */
  readonly door: string;
  readonly file: string;
  readonly before: readonly Argument[];
  readonly keys: readonly OptionKey[];
}

const ROOT = new URL("../", import.meta.url);

/** The doors: what deno.json exports, but for the program, and the room of `Registry`. */
async function readDoors(): Promise<string[]> {
  const { exports } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
  const doors = Object.values<string>(exports).filter((path) => !path.includes("/cli/"));
  return [...new Set([...doors, "./src/core/registry/mod.ts"])].map((path) => new URL(path, ROOT).href);
}

/** Reads the documentation of every door. */
export async function readDocNodes(): Promise<DocNodes> {
  const doors = await readDoors();
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["doc", "--json", ...doors.map((door) => fromFileUrl(new URL(door)))],
    cwd: fromFileUrl(ROOT),
  }).output();
  return JSON.parse(new TextDecoder().decode(stdout)).nodes;
}

/** Types by file and name. */
export type Types = ReadonlyMap<string, DocDefinition>;

/** Finds the types that options are made of. */
export function typesOf(nodes: DocNodes): Types {
  const types = new Map<string, DocDefinition>();
  for (const { symbols } of Object.values(nodes)) {
    for (const { name, declarations } of symbols) {
      for (const { kind, def, location } of declarations) {
        if (kind === "interface" || kind === "typeAlias") types.set(`${location.filename} ${name}`, def);
      }
    }
  }
  return types;
}

/** Lists every callable of every door that takes options, each once. */
export async function listCallables(given?: DocNodes): Promise<Callable[]> {
  const nodes = given ?? await readDocNodes();
  const types = typesOf(nodes);
  const found = new Map<string, Callable>();
  for (const [door, { symbols }] of Object.entries(nodes)) {
    for (const { name, declarations } of symbols) {
      for (const declaration of declarations) {
        for (const callable of callablesOf(name, declaration, door, types)) {
          found.set(`${declaration.location.filename} ${callable.name}`, callable);
        }
      }
    }
  }
  return [...found.values()];
}

function* callablesOf(
  owner: string,
  { kind, def, location }: DocSymbol["declarations"][number],
  door: string,
  types: Types,
): Generator<Callable> {
  const make = (kind: Callable["kind"], member: string, params: readonly DocParam[] | undefined): Callable[] => {
    const plain = (params ?? []).map((param) => param.left ?? param);
    const index = plain.findIndex(takesOptions);
    if (index < 0) return [];
    const name = {
      function: owner,
      constructor: `new ${owner}`,
      method: `${owner}.${member}`,
      static: `static ${owner}.${member}`,
    }[kind];
    return [{
      name,
      kind,
      owner,
      member,
      door,
      file: location.filename,
      before: plain.slice(0, index).map(({ name = "", tsType }) => ({ name, type: describe(tsType) })),
      keys: keysOf(plain[index].tsType, location.filename, types),
    }];
  };
  if (kind === "function") yield* make("function", owner, def.params);
  if (kind !== "class" && kind !== "interface") return;
  for (const { params, accessibility } of def.constructors ?? []) {
    if (accessibility === undefined || accessibility === "public") yield* make("constructor", "constructor", params);
  }
  for (const method of def.methods ?? []) {
    if (method.accessibility !== undefined && method.accessibility !== "public") continue;
    yield* make(method.isStatic ? "static" : "method", method.name, method.functionDef?.params ?? method.params);
  }
}

/** Options are called so, or their type is; policies and surroundings are options by another name. */
export function takesOptions({ name = "", tsType }: DocParam): boolean {
  const type = describe(tsType);
  if (type.startsWith("ErrorOptions")) return false;
  return /^(options|policy|surroundings)$/.test(name) || /(Options|Policy|Surroundings)\b/.test(type);
}

export function keysOf(type: DocType | undefined, file: string, types: Types, depth = 0): OptionKey[] {
  if (type === undefined || depth > 3) return [];
  if (type.kind === "typeLiteral") return membersOf(type.value, file, types, depth);
  if (type.kind !== "typeRef" || typeof type.value !== "object" || type.value === null) return [];
  const { typeName, typeParams = [] } = type.value as { typeName: string; typeParams?: readonly DocType[] };
  if (typeName === "Omit" || typeName === "Pick") {
    const names = literalsOf(typeParams[1]);
    return keysOf(typeParams[0], file, types, depth).filter(({ name }) =>
      names.includes(name) === (typeName === "Pick")
    );
  }
  const found = findType(type, file, types);
  if (found === undefined) return [];
  const { def, place } = found;
  if (def.tsType !== undefined) return keysOf(def.tsType, place, types, depth);
  const bases = Array.isArray(def.extends) ? def.extends : [];
  return [...bases.flatMap((each) => keysOf(each, place, types, depth)), ...membersOf(def, place, types, depth)];
}

/** Finds what a name of a type stands for, and the file that says so. */
function findType(
  { value }: DocType,
  file: string,
  types: Types,
): { readonly def: DocDefinition; readonly place: string } | undefined {
  const named = Object(value);
  const specifier = named.resolution?.specifier;
  const at = typeof specifier === "string" ? new URL(specifier, file).href : file;
  const exact = `${at} ${named.typeName}`;
  const key = types.has(exact) ? exact : [...types.keys()].find((each) => each.endsWith(` ${named.typeName}`));
  return key === undefined ? undefined : { def: types.get(key)!, place: key.split(" ")[0] };
}

function membersOf(def: unknown, file: string, types: Types, depth: number): OptionKey[] {
  const { properties = [], methods = [] } = def as DocDefinition;
  return [...properties, ...methods].map(({ name, optional = false, tsType, jsDoc }) => ({
    name,
    isRequired: !optional,
    type: describe(tsType),
    doc: jsDoc?.doc ?? "",
    values: valuesOf(tsType, file, types),
    keys: keysOf(tsType, file, types, depth + 1),
  }));
}

/** Texts that a type lists, its own or those of what it is a list of. */
export function valuesOf(type: DocType | undefined, file: string, types: Types): string[] {
  if (type === undefined) return [];
  const { kind, value } = type;
  if (kind === "literal") return literalsOf(type);
  if (kind === "union" && Array.isArray(value)) {
    return [...new Set(value.flatMap((each) => valuesOf(each, file, types)))];
  }
  if (kind === "array" || kind === "parenthesized") return valuesOf(value as DocType, file, types);
  if (kind === "typeOperator") return valuesOf(Object(value).tsType, file, types);
  const found = kind === "typeRef" ? findType(type, file, types) : undefined;
  return found?.def.tsType === undefined ? [] : valuesOf(found.def.tsType, found.place, types);
}

function literalsOf(type: DocType | undefined): string[] {
  if (type?.kind === "union" && Array.isArray(type.value)) return type.value.flatMap(literalsOf);
  const isText = type?.kind === "literal" && Object(type.value).kind === "string";
  return isText && type.repr !== undefined ? [type.repr.replace(/^"|"$/g, "")] : [];
}

/** A type in few words: its name, `A | B`, `A[]`. */
export function describe(type: DocType | undefined): string {
  if (type === undefined) return "";
  const { value } = type;
  if (type.kind === "union" && Array.isArray(value)) return value.map(describe).join(" | ");
  if (type.kind === "array") return `${describe(value as DocType)}[]`;
  if (type.kind === "typeOperator") return describe(Reflect.get(Object(value), "tsType"));
  if (type.kind === "typeRef" && typeof value === "object" && value !== null) {
    const params = Reflect.get(value, "typeParams");
    const name = String(Reflect.get(value, "typeName"));
    return Array.isArray(params) ? `${name}<${params.map(describe).join(", ")}>` : name;
  }
  return type.repr ?? type.kind;
}
