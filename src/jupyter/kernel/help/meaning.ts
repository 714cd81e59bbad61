/** What a name in a cell means: an export of the toolkit, a member of a value of its, or the user's own. */
import { tokenize } from "./tokens.ts";
import type { Look, Seen } from "../inside/looking.ts";
import type { HelpEntries, HelpEntry } from "./help_index.ts";

/** What a name means in the toolkit. */
export interface Meaning {
  readonly entry: HelpEntry;
  /** Its name in the index: `Registry`, `search`. */
  readonly name: string;
  /** Of a member: the class or interface that has it. */
  readonly owner?: string;
  /** Whether the name stands for a value of that class, and not for the class. */
  readonly isValue: boolean;
}

/** What is known of a name that a cell declared: `page` is the result of the call `registry.search`. */
export type Declared = (name: string) => { readonly call?: string; readonly isImported: boolean } | undefined;

/** Members by which an interface is recognised. */
const LEAST_MEMBERS = 3;
/** Names that are followed from one declaration to the next. */
const MOST_STEPS = 20;

/** Finds meanings in the index. */
export class Meanings {
  readonly #entries: HelpEntries;
  #shapes: readonly (readonly [name: string, entry: HelpEntry, members: readonly string[]])[] | undefined;

  constructor(entries: HelpEntries) {
    this.#entries = entries;
  }

  /** Everything that is exported under a name, with modules to import it from first. */
  exported(name: string): readonly HelpEntry[] {
    return Object.hasOwn(this.#entries, name)
      ? [...this.#entries[name]].sort((a, b) => Number(b.from !== undefined) - Number(a.from !== undefined))
      : [];
  }

  ofLook(names: readonly string[], { found, value, holder, steps }: Look): Meaning | undefined {
    if (!found) return undefined;
    const behind = names.slice(1);
    const last = behind.at(-1);
    if (steps < behind.length) {
      // A getter was not run: the rest is known by its declared type.
      const owner = holder && this.#ofSeen(holder, names[steps])?.name;
      return owner === undefined ? undefined : this.#follow(owner, behind.slice(steps));
    }
    if (last !== undefined && holder !== undefined) {
      const owner = this.#ofSeen(holder, names.at(-2)!);
      const member = owner && this.member(owner.name, owner.isValue ? last : `static ${last}`);
      if (member !== undefined) return member;
    }
    return value && this.#ofSeen(value, names.at(-1)!);
  }

  /** Finds what names mean by what was declared, without running anything. */
  ofCode(names: readonly string[], declared: Declared, steps = 0): Meaning | undefined {
    const [first, ...behind] = names;
    if (first === undefined || steps > MOST_STEPS) return undefined;
    const own = declared(first);
    const owner = own?.call === undefined ? undefined : this.typeOfCall(own.call.split("."), declared, steps + 1);
    if (owner !== undefined) return this.#follow(owner, behind);
    if (own?.isImported === false) return undefined;
    const [entry] = this.exported(first);
    if (entry === undefined || entry.kind === "interface" || entry.kind === "type") return undefined;
    if (behind.length === 0) return { entry, name: first, isValue: false };
    const member = this.member(first, `static ${behind[0]}`);
    return behind.length === 1 ? member : undefined;
  }

  /** Name of the class or interface of what a call gives when it is awaited. */
  typeOfCall(names: readonly string[], declared: Declared, steps = 0): string | undefined {
    const callee = names[0] === "new" ? names.slice(1) : names;
    const meaning = this.ofCode(callee, declared, steps);
    return meaning && this.#typeName(meaning.entry.type);
  }

  /** A value of what a property or constant is, or a call gives. */
  ofType({ type }: HelpEntry): Meaning | undefined {
    const name = this.#typeName(type);
    return name === undefined ? undefined : { entry: this.exported(name)[0], name, isValue: true };
  }

  /** Names that can be imported as values. */
  names(): string[] {
    return Object.keys(this.#entries).filter((name) =>
      this.exported(name).some(({ kind, from }) => from !== undefined && kind !== "interface" && kind !== "type")
    );
  }

  modules(): string[] {
    const all = Object.keys(this.#entries).flatMap((name) => this.exported(name).flatMap(({ from = [] }) => from));
    return [...new Set(all)].sort();
  }

  /** A member of a class or interface, or of what that extends. */
  member(owner: string, name: string, steps = 0): Meaning | undefined {
    for (const { members, extends: bases = [] } of this.exported(owner)) {
      if (members !== undefined && Object.hasOwn(members, name)) {
        return { entry: members[name], name: name.replace("static ", ""), owner, isValue: false };
      }
      for (const base of bases) {
        const found = steps < MOST_STEPS ? this.member(base, name, steps + 1) : undefined;
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  /** Names of all members, inherited ones too. */
  membersOf(owner: string, steps = 0): string[] {
    const names = this.exported(owner).flatMap(({ members = {}, extends: bases = [] }) => [
      ...Object.keys(members),
      ...steps < MOST_STEPS ? bases.flatMap((base) => this.membersOf(base, steps + 1)) : [],
    ]);
    return [...new Set(names)];
  }

  #follow(owner: string, names: readonly string[]): Meaning | undefined {
    let type: string | undefined = owner;
    for (const [index, name] of names.entries()) {
      const member: Meaning | undefined = type === undefined ? undefined : this.member(type, name);
      if (member === undefined || index === names.length - 1) return member;
      type = member.entry.kind === "property" ? this.#typeName(member.entry.type) : undefined;
    }
    const [entry] = this.exported(owner);
    return entry && { entry, name: owner, isValue: true };
  }

  /** The one class or interface that a type names: `Promise<SearchResult>` is of `SearchResult`. */
  #typeName(type = ""): string | undefined {
    const bare = type.replace(/^Promise<(.*)>$/, "$1").replace(/ \| undefined$/, "").replace(/<.*>$/, "");
    return this.exported(bare).some(({ members }) => members !== undefined) ? bare : undefined;
  }

  #ofSeen(seen: Seen, called: string): Meaning | undefined {
    return seen.type === "function" ? this.#ofFunction(seen, called) : this.#ofObject(seen);
  }

  #ofFunction({ text }: Seen, called: string): Meaning | undefined {
    const className = /^class ([\w$]+)/.exec(text)?.[1];
    const name = className ?? /^(?:async )?function\*? ?([\w$]+)/.exec(text)?.[1] ?? called;
    for (const entry of this.exported(name)) {
      const isIt = className !== undefined
        ? entry.kind === "class"
        : entry.kind === "function" && sameParameters(entry, text);
      if (isIt) return { entry, name, isValue: false };
    }
    return undefined;
  }

  #ofObject({ type, classes, members }: Seen): Meaning | undefined {
    if (type !== "object" || classes[0] === "Module") return undefined;
    const has = new Set(members);
    for (const name of classes) {
      const entry = this.exported(name).find(({ kind }) => kind === "class");
      const methods = Object.entries(entry?.members ?? {}).filter(([, { kind }]) => kind === "method");
      const isIt = methods.every(([method]) => method.startsWith("static ") || has.has(method));
      if (entry !== undefined && isIt) return { entry, name, isValue: true };
    }
    const [name, entry] = this.#byShape().find(([, , needed]) => needed.every((each) => has.has(each))) ?? [];
    return entry && { entry, name: name!, isValue: true };
  }

  /** Interfaces, those that ask for most first. */
  #byShape() {
    return this.#shapes ??= Object.keys(this.#entries).flatMap((name) =>
      this.exported(name).filter(({ kind }) => kind === "interface").map((entry) => {
        const needed = this.membersOf(name).filter((member) => !this.member(name, member)?.entry.optional);
        return [name, entry, needed] as const;
      })
    ).filter(([, , needed]) => needed.length >= LEAST_MEMBERS).sort((a, b) => b[2].length - a[2].length);
  }
}

/** Whether a function's text has the parameters of an entry, in their order. */
function sameParameters({ parameters = [] }: HelpEntry, text: string): boolean {
  const { tokens, partner } = tokenize(text);
  const open = tokens.findIndex((token) => token.text === "(");
  const close = partner.get(open);
  if (close === undefined) return false;
  const names: string[] = [];
  for (let index = open + 1, begins = true; index < close; index = (partner.get(index) ?? index) + 1) {
    const { kind, text } = tokens[index];
    if (text === "...") continue;
    if (begins) names.push(kind === "word" ? text : "{");
    begins = text === ",";
  }
  return names.length === parameters.length &&
    names.every((name, index) => name === "{" || name === parameters[index].name.replace("...", ""));
}
