/**
 * Names of fields completed inside quotation marks, and what they mean.
 *
 * The real kernel completes properties and variables, but not field names. The toolkit sends the proxy the fields whose
 * definitions it has; the proxy then completes them inside quotation marks: a public name from its beginning, an alias
 * as a word of a query. Front ends show the meaning next to a completion, and when a name is inspected.
 */
import type { JsonObject } from "../code/json_object.ts";
import type { Cursor } from "./cursor.ts";

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

  /** Adds what is known of a completion of the real kernel's; `undefined` where nothing is. */
  explain(reply: JsonObject): JsonObject | undefined {
    const { matches, cursor_start: start, cursor_end: end } = reply;
    if (!Array.isArray(matches) || typeof start !== "number" || typeof end !== "number") return undefined;
    const known = matches.map(String).filter((text) => this.#find(text) !== undefined);
    return known.length === 0
      ? undefined
      : { ...reply, metadata: { ...Object(reply.metadata), ...this.#types(known, start, end) } };
  }

  /** Completes the text that is being written; `undefined` where the real kernel is to answer. */
  complete({ text: written }: Cursor, end: number): JsonObject | undefined {
    if (written === undefined) return undefined;
    const { text } = written;
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

  /** Explains the field that a cursor stands in, a text or a property; `undefined` without a field. */
  inspect({ text: written }: Cursor, before: string, after: string): JsonObject | undefined {
    const word = `${/\w*$/.exec(before)?.[0] ?? ""}${/^\w*/.exec(after)?.[0] ?? ""}`;
    const text = written?.text;
    const isProperty = /\.\w*$/.test(before);
    const field = text !== undefined
      ? this.#byName.get(text + (/^[^"'`\n]*/.exec(after)?.[0] ?? "")) ?? this.#byName.get(text) ?? this.#find(word)
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
