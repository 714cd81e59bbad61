/**
 * Answers where code is written: what a name means, what fits here.
 *
 * What was declared and what the index says is known without the kernel; while no cell runs, the kernel is asked what a
 * name stands for now. What is not known here is left to the real kernel.
 */
import { type Cursor, cursorAt, type Frame } from "./cursor.ts";
import { readCell } from "../code/program.ts";
import { type DeclaredName, declaredNames } from "../code/declared_names.ts";
import { findExpressionOperators } from "../code/expression_operators.ts";
import { findForgottenAwaits } from "../code/forgotten_awaits.ts";
import { findHiddenGlobals } from "../code/hidden_globals.ts";
import { SHOWN_LOOK } from "../code/cell_commands.ts";
import { tokenize } from "./tokens.ts";
import type { Look } from "../inside/looking.ts";
import type { JsonObject } from "../code/json_object.ts";
import { FieldHelp } from "./field_help.ts";
import { KnownFieldValues } from "./field_values.ts";
import { type HelpEntry, type HelpOption, type HelpParameter, readHelpIndex } from "./help_index.ts";
import { helpOnHelp, helpOnMeaning, helpOnOption, helpOnValue, type HelpText, signatureOf } from "./help_text.ts";
import { type Meaning, Meanings } from "./meaning.ts";
import { nearName } from "./near_names.ts";

/** What help needs of the proxy. */
export interface HelpSurroundings {
  /**
   * Looks at a value in the kernel; `undefined` where it cannot be asked now.
   *
   * @param atEnd Whether the running cell has ended as far as the kernel is concerned.
   */
  readonly look: (names: readonly string[], atEnd?: boolean) => Promise<Look | undefined>;
  /** Asks the toolkit for values of fields; ends when they have come or will not soon. `undefined`: not now. */
  readonly askValues: () => Promise<void> | undefined;
}

/** A request as help needs it. */
interface Question {
  readonly type: string;
  readonly id: string;
  readonly content: JsonObject;
}

/** Names that are never meant: those of every object, and the kernel's own. */
const HIDDEN = /(?:^|\.)(?:__(?:define|lookup)[GS]etter__|__proto__|__seqreg_\w+)$/;
/** Messages of errors about a member or a name that is not there. */
const NOT_FOUND = new RegExp(
  String.raw`^(?<holder>[\p{ID_Start}$_][\p{ID_Continue}$.]*)\.(?<member>[\p{ID_Start}$_][\p{ID_Continue}$]*) ` +
    String.raw`is not a function|^(?<unknown>[\p{ID_Start}$_][\p{ID_Continue}$]*) is not (?:defined|a function)$`,
  "u",
);
/** Members that an object is used by, of those that the index names. */
const NAMED = /^(?!constructor$)\p{ID_Start}[\p{ID_Continue}$]*$/u;
/** Members that an error's advice lists. */
const MOST_MEMBERS = 20;
/** Questions whose answers are still to come. */
const MOST_OPEN = 100;
const MOST_MATCHES = 300;

export class Help {
  readonly fields = new FieldHelp();
  readonly values = new KnownFieldValues();
  /** What cells declared that were run. */
  readonly #declared = new Map<string, DeclaredName>();
  /** What is declared where code is being written. */
  readonly #written = new Map<string, DeclaredName>();
  readonly #open = new Map<string, Cursor>();
  readonly #surroundings: HelpSurroundings;
  #meanings: Meanings | undefined;

  constructor(surroundings: HelpSurroundings) {
    this.#surroundings = surroundings;
  }

  learnCell(code: string): void {
    for (const declared of declaredNames(code)) {
      this.#declared.set(declared.name, declared);
      this.#written.delete(declared.name);
    }
  }

  /** Names that cells declared, imported ones aside. */
  get ownNames(): string[] {
    return [...this.#declared.values()].filter(({ isImported }) => !isImported).map(({ name }) => name);
  }

  /** Whether the user has a function `help`. */
  get hasHelp(): boolean {
    return this.#declared.has("help");
  }

  /** What an error's message suggests was meant; `undefined` where nothing is near. */
  async adviseOn(failure: string): Promise<string | undefined> {
    await this.prepare();
    const { holder, member, unknown } = NOT_FOUND.exec(failure)?.groups ?? {};
    if (unknown !== undefined) {
      const own = this.#declared.get(unknown);
      if (own?.isImported === false) {
        return failure.endsWith("defined") ? "the cell that declares it has failed: run it again" : undefined;
      }
      const code = own === undefined ? importOf(unknown, this.#meanings!) : undefined;
      if (code !== undefined) return `import it first: ${code}`;
      const near = nearName(unknown, [...this.#declared.keys(), ...this.#meanings?.names() ?? []]);
      return near && `did you mean ${near}?`;
    }
    if (holder === undefined) return undefined;
    const names = holder.split(".");
    const { value } = await this.#surroundings.look(names, true) ?? {};
    const type = await this.#typeOf(names, true);
    const known = type === undefined ? [] : this.#meanings!.membersOf(type.name);
    const near = nearName(member, [...value?.members ?? [], ...known].filter((name) => !HIDDEN.test(name)));
    if (near !== undefined) return `did you mean ${holder}.${near}?`;
    if (names.length > 1 && value?.type === "function" && !value.text.startsWith("class")) {
      const call = value.classes.includes("AsyncFunction") ? `(await ${holder}())` : `${holder}()`;
      return `${holder} is a function: write ${call}.${member}`;
    }
    if (type === undefined) return undefined;
    const isMethod = (name: string) => this.#meanings!.member(type.name, name)?.entry.kind === "method";
    const named = known.filter((name) => NAMED.test(name));
    // What can be called comes first: something was.
    const own = [...named.filter(isMethod), ...named.filter((name) => !isMethod(name))];
    if (own.length === 0) return undefined;
    return `${holder} has ${own.slice(0, MOST_MEMBERS).join(", ")}${own.length > MOST_MEMBERS ? ", …" : ""}`;
  }

  /** Message at a cell's end about what its code probably does not mean; `undefined` without any. */
  async hintsOn(code: string): Promise<string | undefined> {
    const declared = (name: string) => this.#declared.get(name);
    return await findForgottenAwaits(code, {
      said: [
        ...findHiddenGlobals(code),
        ...findExpressionOperators(code, (name) => declared(name)?.call),
      ],
      unawaited: (name) => declared(name)?.unawaited,
      givesPromise: async (callee) => {
        await this.prepare();
        return this.#meanings?.ofCode(callee, declared)?.entry.type?.startsWith("Promise<") ?? false;
      },
    });
  }

  /** Reads the index, so that answers need not wait for it. */
  async prepare(): Promise<void> {
    this.#meanings ??= new Meanings(await readHelpIndex());
  }

  /** Answers a request; `undefined` where the real kernel is to answer. */
  async answer({ type, id, content }: Question): Promise<JsonObject | undefined> {
    if (type !== "complete_request" && type !== "inspect_request" || typeof content.code !== "string") return undefined;
    await this.prepare();
    const characters = [...content.code];
    const at = typeof content.cursor_pos === "number" ? content.cursor_pos : characters.length;
    const before = characters.slice(0, at).join("");
    const whole = readCell(content.code) === undefined ? before.slice(0, beginOf(before)) : content.code;
    for (const declared of declaredNames(whole)) this.#written.set(declared.name, declared);
    const cursor = cursorAt(before);
    if (type === "inspect_request") {
      const after = characters.slice(at).join("");
      const field = this.fields.inspect(cursor, before, after);
      if (field !== undefined) return field;
      const data = await this.#inspect(before, after, content.detail_level === 1);
      return { status: "ok", found: data !== undefined, data: data ?? {}, metadata: {} };
    }
    const found = await this.#complete(cursor, at);
    if (found !== undefined) return found;
    if (cursor.text?.isModule) return undefined;
    const fields = this.fields.complete(cursor, at);
    if (fields === undefined && this.#open.size < MOST_OPEN) this.#open.set(id, cursor);
    return fields;
  }

  /** Adds known details to completions of the real kernel, and drops names that are never meant. */
  async explain(reply: JsonObject, request: string): Promise<JsonObject> {
    const cursor = this.#open.get(request);
    this.#open.delete(request);
    const { matches, cursor_start: start, cursor_end: end } = reply;
    if (!Array.isArray(matches) || typeof start !== "number" || typeof end !== "number") return reply;
    const offered = matches.map(String).filter((text) => !HIDDEN.test(text));
    const owner = cursor === undefined || cursor.owner.length === 0 ? undefined : await this.#typeOf(cursor.owner);
    const isKnown = (text: string) => owner !== undefined && this.#memberOf(owner, text) !== undefined;
    // Members of ours come before those of every object.
    const wanted = [...offered.filter(isKnown), ...offered.filter((text) => !isKnown(text))];
    const explained = { ...reply, matches: wanted };
    const types = wanted.flatMap((text) => {
      const name = text.split(".").at(-1)!;
      const entry = owner === undefined
        ? cursor?.owner.length === 0 ? this.#meanings?.ofCode([name], this.#known)?.entry : undefined
        : this.#memberOf(owner, text);
      return entry === undefined ? [] : [{
        start,
        end,
        text,
        type: entry.kind === "method" ? "function" : entry.kind,
        signature: `${signatureOf(name, entry, "short")}  ${entry.doc}`,
      }];
    });
    const described = this.fields.explain(explained) ?? explained;
    if (types.length === 0) return described;
    const metadata = Object(Reflect.get(described, "metadata"));
    const known = metadata._jupyter_types_experimental ?? [];
    return { ...described, metadata: { ...metadata, _jupyter_types_experimental: [...known, ...types] } };
  }

  /** Help on what was looked at for a line such as `name?`; `undefined` where a look is not one of those. */
  shown(look: Look): HelpText | undefined {
    const [, marks, called] = /^(\S+) (.+)$/.exec(look.id) ?? [];
    if (marks === undefined || !marks.startsWith(SHOWN_LOOK)) return undefined;
    const names = called.split(".");
    if (called === "help") return helpOnHelp();
    return this.#helpOn(names, look, marks.endsWith("??")) ?? {
      "text/plain": `nothing is called ${called}`,
      "text/markdown": `nothing is called \`${called}\``,
    };
  }

  #memberOf({ name, isValue }: Meaning, completion: string): HelpEntry | undefined {
    const member = completion.split(".").at(-1)!;
    return this.#meanings?.member(name, isValue ? member : `static ${member}`)?.entry;
  }

  readonly #known = (name: string): DeclaredName | undefined => this.#written.get(name) ?? this.#declared.get(name);

  #helpOn(names: readonly string[], look: Look | undefined, more: boolean): HelpText | undefined {
    const meanings = this.#meanings;
    if (meanings === undefined) return undefined;
    const called = names.join(".");
    const declared = this.#declared.get(names[0]);
    const isOwn = look?.found && look.value !== undefined;
    const meaning = look !== undefined && look.found
      ? meanings.ofLook(names, look)
      : meanings.ofCode(names, this.#known);
    if (meaning !== undefined) {
      return helpOnMeaning(called, meaning, meanings, { more, ...isOwn && { seen: look.value } });
    }
    if (isOwn) {
      return helpOnValue(
        called,
        look.value!,
        names.length === 1 && !declared?.isImported ? declared?.text : undefined,
        more,
      );
    }
    const [entry] = names.length === 1 ? meanings.exported(names[0]) : [];
    return entry && helpOnMeaning(called, { entry, name: names[0], isValue: false }, meanings, { more });
  }

  async #inspect(before: string, after: string, more: boolean): Promise<HelpText | undefined> {
    const rest = /^[\p{ID_Continue}$]*/u.exec(after)?.[0] ?? "";
    const cursor = cursorAt(before + rest);
    if (cursor.inComment) return undefined;
    const [inner] = cursor.frames;
    const isKey = inner?.kind === "object" && inner.key === undefined && cursor.word !== "" &&
      cursor.owner.length === 0;
    if (isKey || cursor.text !== undefined && inner?.kind === "object" && inner.key !== undefined) {
      const option = await this.#optionAt(cursor.frames, isKey ? cursor.word : undefined);
      if (option !== undefined && "type" in option) return helpOnOption(option);
    }
    if (cursor.text !== undefined) return undefined;
    if (cursor.word !== "") {
      const names = [...cursor.owner, cursor.word];
      const text = this.#helpOn(names, await this.#surroundings.look(names), more);
      if (text !== undefined) return text;
    }
    // Between the brackets of a call its own help is meant.
    const call = cursor.frames.find(({ kind }) => kind === "call");
    if (call === undefined || cursor.word !== "") return undefined;
    return this.#helpOn(call.callee, await this.#surroundings.look(call.callee), more);
  }

  async #complete(cursor: Cursor, end: number): Promise<JsonObject | undefined> {
    const { text, frames, word, owner, inComment } = cursor;
    if (inComment || this.#meanings === undefined || owner.length > 0) return undefined;
    if (text?.isModule) return reply([...this.#meanings.modules(), "nodejs-polars"], text.text, end, "module");
    const [inner] = frames;
    const field = text === undefined ? undefined : this.values.fieldAt(text.text);
    const option = await this.#optionAt(frames);
    if (text !== undefined) {
      if (option?.values !== undefined) return reply(option.values, text.text, end, "value");
      if (field === undefined) return undefined;
      if (this.values.isUnknown(field)) {
        const asked = this.#surroundings.askValues();
        if (asked !== undefined) this.values.noteAsked(field);
        await asked;
      }
      const values = this.values.complete(text.text, text.mark);
      if (values === undefined || values.matches.length === 0) return undefined;
      return matched(values.matches.map((match) => ({ text: match, type: "value" })), end - values.typed, end);
    }
    if (option === undefined) return undefined;
    if (inner?.kind === "object" && inner.key === undefined) {
      const keys = (option.keys ?? []).filter(({ name }) => !inner.given.includes(name) && name.startsWith(word));
      if (keys.length === 0) return undefined;
      const shown = keys.map((key) => ({
        text: key.name,
        type: "option",
        signature: `${key.expected ?? key.type}  ${key.doc ?? ""}`,
      }));
      return matched(shown, end - [...word].length, end);
    }
    if (!cursor.beginsValue || word !== "") return undefined;
    const values = option.values?.map((value) => JSON.stringify(value)) ??
      ("type" in option && option.type === "boolean" ? ["true", "false"] : []);
    return values.length === 0 ? undefined : reply(values, "", end, "value");
  }

  /**
   * What the innermost frames are the value of: a parameter, or a key of it, or a key of that.
   *
   * @param key A key of the innermost object, instead of the object itself.
   */
  async #optionAt(frames: readonly Frame[], key?: string): Promise<HelpParameter | HelpOption | undefined> {
    const path: string[] = key === undefined ? [] : [key];
    for (const [index, frame] of frames.entries()) {
      if (frame.kind === "list") continue;
      if (frame.kind === "object") {
        if (frame.key !== undefined) path.unshift(frame.key);
        else if (index > 0) return undefined;
        continue;
      }
      if (frame.kind !== "call") return undefined;
      const parameter = await this.#parameterOf(frame);
      let option: HelpParameter | HelpOption | undefined = parameter;
      for (const name of path) option = option?.keys?.find((each) => each.name === name);
      return option;
    }
    return undefined;
  }

  async #parameterOf({ callee, isNew, argument }: Frame): Promise<HelpParameter | undefined> {
    const meaning = await this.#meaningOf(callee);
    const { entry } = isNew && meaning ? this.#meanings?.member(meaning.name, "constructor") ?? meaning : meaning ?? {};
    const parameters = entry?.parameters ?? [];
    const last = parameters.at(-1);
    return parameters[argument] ?? (last?.name.startsWith("...") ? last : undefined);
  }

  async #meaningOf(names: readonly string[], atEnd = false): Promise<Meaning | undefined> {
    const declared = this.#meanings?.ofCode(names, this.#known);
    if (declared !== undefined) return declared;
    const look = await this.#surroundings.look(names, atEnd);
    return look === undefined ? undefined : this.#meanings?.ofLook(names, look);
  }

  /** The class or interface that names stand for a value of, or the class itself. */
  async #typeOf(names: readonly string[], atEnd = false): Promise<Meaning | undefined> {
    const meaning = await this.#meaningOf(names, atEnd);
    if (meaning === undefined || meaning.entry.members !== undefined) return meaning;
    return this.#meanings?.ofType(meaning.entry);
  }
}

/** The import of what the toolkit or its own packages export by this name. */
function importOf(name: string, meanings: Meanings): string | undefined {
  if (name === "pl") return 'import pl from "nodejs-polars"';
  if (!meanings.names().includes(name)) return undefined;
  const modules = meanings.exported(name).flatMap(({ from = [] }) => from);
  return `import { ${name} } from "${modules.includes("seqreg") ? "seqreg" : modules[0]}"`;
}

/** Where the line begins that holds the outermost bracket that is open at a cursor, or the cursor where none is. */
function beginOf(before: string): number {
  const { tokens, open } = tokenize(before);
  return before.lastIndexOf("\n", (open.length === 0 ? before.length : tokens[open[0]].start) - 1) + 1;
}

/** Completes a text by those that begin with what is written. */
function reply(all: readonly string[], typed: string, end: number, type: string): JsonObject | undefined {
  const wanted = typed.toLowerCase();
  const matches = all.filter((each) => each.toLowerCase().startsWith(wanted));
  if (matches.length === 0) return undefined;
  return matched(matches.map((text) => ({ text, type })), end - [...typed].length, end);
}

function matched(
  all: readonly { readonly text: string; readonly type: string; readonly signature?: string }[],
  start: number,
  end: number,
): JsonObject {
  const shown = all.slice(0, MOST_MATCHES);
  return {
    status: "ok",
    matches: shown.map(({ text }) => text),
    cursor_start: start,
    cursor_end: end,
    // Metadata that front ends read in a completion reply; the name is JupyterLab's.
    metadata: { _jupyter_types_experimental: shown.map((each) => ({ start, end, ...each })) },
  };
}
