/** Every exported function, constructor and method that takes options, as `deno doc` knows them. */
import { fromFileUrl } from "./_files.ts";

/** A type as `deno doc --json` writes it. */
interface DocType {
  readonly kind: string;
  readonly repr?: string;
  readonly value?: unknown;
}

interface DocParam {
  readonly kind: string;
  readonly name?: string;
  readonly optional?: boolean;
  readonly tsType?: DocType;
  readonly left?: DocParam;
}

interface DocMember {
  readonly name: string;
  readonly optional?: boolean;
  readonly isStatic?: boolean;
  readonly accessibility?: string;
  readonly kind?: string;
  readonly tsType?: DocType;
  readonly params?: readonly DocParam[];
  readonly functionDef?: { readonly params: readonly DocParam[] };
}

interface DocDefinition {
  readonly params?: readonly DocParam[];
  readonly constructors?: readonly DocMember[];
  readonly methods?: readonly DocMember[];
  readonly properties?: readonly DocMember[];
  readonly extends?: readonly DocType[];
  readonly tsType?: DocType;
}

interface DocSymbol {
  readonly name: string;
  readonly declarations: readonly {
    readonly kind: string;
    readonly location: { readonly filename: string };
    readonly def: DocDefinition;
  }[];
}

/** One argument before the options: its name and its type in words. */
export interface Argument {
  readonly name: string;
  readonly type: string;
}

/** One key of an options object. */
export interface OptionKey {
  readonly name: string;
  readonly isRequired: boolean;
  /** Its type in words; empty where `deno doc` has none. */
  readonly type: string;
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
  readonly before: readonly Argument[];
  readonly keys: readonly OptionKey[];
}

const ROOT = new URL("../", import.meta.url);

/** The doors: what deno.json exports, but for the program, and the room of `Registry`. */
async function readDoors(): Promise<string[]> {
  const { exports } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
  const doors = Object.values<string>(exports).filter((path) => !path.includes("/cli/"));
  return [...new Set([...doors, "./src/registry/mod.ts"])].map((path) => new URL(path, ROOT).href);
}

/** Lists every callable of every door that takes options, each once. */
export async function listCallables(): Promise<Callable[]> {
  const doors = await readDoors();
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["doc", "--json", ...doors.map((door) => fromFileUrl(new URL(door)))],
    cwd: fromFileUrl(ROOT),
  }).output();
  const nodes: Readonly<Record<string, { readonly symbols: readonly DocSymbol[] }>> =
    JSON.parse(new TextDecoder().decode(stdout)).nodes;
  const types = new Map<string, DocDefinition>();
  for (const { symbols } of Object.values(nodes)) {
    for (const { name, declarations } of symbols) {
      for (const { kind, def, location } of declarations) {
        if (kind === "interface" || kind === "typeAlias") types.set(`${location.filename} ${name}`, def);
      }
    }
  }
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

type Types = ReadonlyMap<string, DocDefinition>;

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
function takesOptions({ name = "", tsType }: DocParam): boolean {
  const type = describe(tsType);
  if (type.startsWith("ErrorOptions")) return false;
  return /^(options|policy|surroundings)$/.test(name) || /(Options|Policy|Surroundings)\b/.test(type);
}

/** Keys of an options type, with those of the types that it extends or picks from. */
function keysOf(type: DocType | undefined, file: string, types: Types): OptionKey[] {
  if (type === undefined) return [];
  if (type.kind === "typeLiteral") return membersOf(type.value);
  if (type.kind !== "typeRef" || typeof type.value !== "object" || type.value === null) return [];
  const { typeName, typeParams = [] } = type.value as { typeName: string; typeParams?: readonly DocType[] };
  if (typeName === "Omit" || typeName === "Pick") {
    const names = literalsOf(typeParams[1]);
    return keysOf(typeParams[0], file, types).filter(({ name }) => names.includes(name) === (typeName === "Pick"));
  }
  const resolved = Object.hasOwn(type.value, "resolution") ? Reflect.get(type.value, "resolution") : undefined;
  const at = typeof resolved?.specifier === "string" ? new URL(resolved.specifier, file).href : file;
  const def = types.get(`${at} ${typeName}`) ?? [...types].find(([key]) => key.endsWith(` ${typeName}`))?.[1];
  if (def === undefined) return [];
  const place = [...types].find(([, each]) => each === def)?.[0].split(" ")[0] ?? file;
  if (def.tsType !== undefined) return keysOf(def.tsType, place, types);
  return [...(def.extends ?? []).flatMap((each) => keysOf(each, place, types)), ...membersOf(def)];
}

function membersOf(def: unknown): OptionKey[] {
  const { properties = [], methods = [] } = def as DocDefinition;
  return [...properties, ...methods].map(({ name, optional = false, tsType }) => ({
    name,
    isRequired: !optional,
    type: describe(tsType),
  }));
}

function literalsOf(type: DocType | undefined): string[] {
  if (type?.kind === "union" && Array.isArray(type.value)) return type.value.flatMap(literalsOf);
  return type?.kind === "literal" && type.repr !== undefined ? [type.repr.replace(/^"|"$/g, "")] : [];
}

/** A type in few words: its name, `A | B`, `A[]`. */
function describe(type: DocType | undefined): string {
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
