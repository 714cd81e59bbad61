/**
 * Names of fields completed inside quotation marks, and what they mean.
 *
 * The real kernel completes properties and variables, but not field names. The toolkit sends the proxy the fields whose
 * definitions it has; the proxy then completes them inside quotation marks: a public name from its beginning, an alias
 * as a word of a query. Front ends show the meaning next to a completion, and when a name is inspected.
 */
import type { JsonObject } from "../code/json_object.ts";

/** Name of the message by which the toolkit tells of fields. */
export const FIELDS_TYPE = "seqreg_fields";

const MOST_FIELDS = 5000;
/** Completions that are given at once. */
const MOST_MATCHES = 300;

/** A name that can stand between quotation marks of any kind. */
const PLAIN = /^(?!.*\$\{)[^"'`\\\p{C}\p{Zl}\p{Zp}]{1,120}$/u;

/** What is known of a field; all texts. */
interface KnownField {
  readonly name: string;
  readonly alias: string;
  /** Declared type and unit. */
  readonly kind: string;
  readonly description: string;
  readonly example: string;
}

/** Completes and explains field names. */
export class FieldHelp {
  readonly #byName = new Map<string, KnownField>();
  readonly #byAlias = new Map<string, KnownField>();

  /** Takes what the toolkit tells: `{ fields: [{ name, alias, kind, description, example }] }`. */
  learn({ fields }: JsonObject): void {
    if (!Array.isArray(fields)) return;
    for (const told of fields) {
      const text = (key: string) => String(Object(told)[key] ?? "");
      const field: KnownField = {
        name: text("name"),
        alias: text("alias"),
        kind: text("kind"),
        description: text("description"),
        example: text("example"),
      };
      if (Math.max(this.#byName.size, this.#byAlias.size) >= MOST_FIELDS) return;
      if (PLAIN.test(field.name)) this.#byName.set(field.name, field);
      if (PLAIN.test(field.alias)) this.#byAlias.set(field.alias, field);
    }
  }

  /** Answers a request; `undefined` where the real kernel is to answer. */
  answer({ type, content }: { readonly type: string; readonly content: JsonObject }): JsonObject | undefined {
    if (this.#byName.size === 0 || typeof content.code !== "string") return undefined;
    const characters = [...content.code];
    const at = typeof content.cursor_pos === "number" ? content.cursor_pos : characters.length;
    const before = characters.slice(0, at).join("");
    if (type === "complete_request") return this.#complete(before, at);
    return type === "inspect_request" ? this.#inspect(before, characters.slice(at).join("")) : undefined;
  }

  /** Adds what is known of a completion of the real kernel's; `undefined` where nothing is. */
  explain(reply: JsonObject): JsonObject | undefined {
    const { matches, cursor_start: start, cursor_end: end } = reply;
    if (!Array.isArray(matches) || typeof start !== "number" || typeof end !== "number") return undefined;
    const known = matches.map(String).filter((text) => this.#find(text) !== undefined);
    return known.length === 0
      ? undefined
      : { ...reply, metadata: { ...Object(reply.metadata), ...this.#types(known, start, end) } };
  }

  #complete(before: string, end: number): JsonObject | undefined {
    const text = openText(before);
    if (text === undefined) return undefined;
    const word = /\w*$/.exec(text)?.[0] ?? "";
    const wanted = text.toLowerCase();
    const names = [...this.#byName.keys()].filter((name) => name.toLowerCase().startsWith(wanted));
    const aliases = word === "" && text !== ""
      ? []
      : [...this.#byAlias.keys()].filter((alias) => alias.startsWith(word));
    const [matches, typed] = names.length > 0 ? [names, text] : [aliases, word];
    if (matches.length === 0) return undefined;
    const start = end - [...typed].length;
    const shown = matches.slice(0, MOST_MATCHES);
    const metadata = this.#types(shown, start, end);
    return { status: "ok", matches: shown, cursor_start: start, cursor_end: end, metadata };
  }

  #inspect(before: string, behind: string): JsonObject | undefined {
    const text = openText(before);
    const word = `${/\w*$/.exec(before)?.[0] ?? ""}${/^\w*/.exec(behind)?.[0] ?? ""}`;
    const isProperty = before.endsWith(".", before.length - (/\w*$/.exec(before)?.[0].length ?? 0));
    const field = text !== undefined
      ? this.#byName.get(text + (/^[^"'`\n]*/.exec(behind)?.[0] ?? "")) ?? this.#byName.get(text) ?? this.#find(word)
      : isProperty
      ? this.#find(word)
      : undefined;
    return field && { status: "ok", found: true, data: { "text/plain": meaningOf(field) }, metadata: {} };
  }

  #find(text: string): KnownField | undefined {
    return this.#byName.get(text) ?? this.#byAlias.get(text);
  }

  /** Metadata that front ends read in a completion reply; the name is JupyterLab's. */
  #types(texts: readonly string[], start: number, end: number): JsonObject {
    const types = texts.map((text) => {
      const field = this.#find(text);
      return { start, end, text, type: "field", signature: field && `${field.kind}: ${field.description}` };
    });
    return { _jupyter_types_experimental: types };
  }
}

function meaningOf({ name, alias, kind, description, example }: KnownField): string {
  return [
    `${name}${alias === "" || alias === name ? "" : ` (in queries: ${alias})`}`,
    [kind, description].filter((text) => text !== "").join(": "),
    example === "" ? "" : `example: ${example}`,
  ].filter((line) => line !== "").join("\n");
}

/** The text that is being written where the code ends, without its quotation mark; `undefined` where none is. */
function openText(code: string): string | undefined {
  const tokens = /\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|(["'])((?:\\.|(?!\1)[^\\\n])*)(\1|$|\n)|`((?:\\.|[^`\\])*)(`|$)/g;
  let open: string | undefined;
  for (const { 0: whole, index, 2: plain, 3: mark, 4: template, 5: back } of code.matchAll(tokens)) {
    const ends = index + whole.length === code.length;
    open = ends && (mark === "" || back === "") ? plain ?? template : undefined;
  }
  return open;
}
