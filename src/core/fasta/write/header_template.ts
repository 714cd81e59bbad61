/** Headers made of a record's values: `{registry_accession}|{Country}`. */
import { adviseName } from "../../options/nearest.ts";

/** A template that was read, and not yet tied to the fields of a file. */
export interface HeaderTemplate {
  /** The template as it was written. */
  readonly text: string;
  /** Names of the fields that it holds, in order, each as often as it stands there. */
  readonly fields: readonly string[];
  /** The texts around them: one more than there are fields. */
  readonly literals: readonly string[];
}

/** Makes a header of a record's values. */
export type HeaderMaker = (values: readonly string[]) => string;

/**
 * Reads a header template. `{Name}` stands for the value of a field; `{{` and `}}` are braces.
 *
 * @param text The template; not empty, without line breaks.
 * @throws {TypeError} If a brace has no partner, a name is empty, or the text holds a line break.
 * @see Not shown in the specification: chosen because the name of a public field may hold anything but a brace.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { parseHeaderTemplate } from "./header_template.ts";
 *
 * assertEquals(parseHeaderTemplate("{id} [{Country}]").fields, ["id", "Country"]);
 * ```
 */
export function parseHeaderTemplate(text: string): HeaderTemplate {
  if (text === "") throw templateError(text, "it is empty");
  if (/[\r\n]/.test(text)) throw templateError(text, "it holds a line break, which a header cannot");
  const fields: string[] = [];
  const literals: string[] = [];
  let literal = "";
  for (const [part] of text.matchAll(/\{\{|\}\}|\{[^{}]*\}|[{}]|[^{}]+/g)) {
    if (part === "{{" || part === "}}") literal += part[0];
    else if (part === "{" || part === "}") throw templateError(text, `a ${part} has no partner; write ${part}${part}`);
    else if (part === "{}") throw templateError(text, "{} names no field");
    else if (part.startsWith("{")) {
      fields.push(part.slice(1, -1));
      literals.push(literal);
      literal = "";
    } else literal += part;
  }
  literals.push(literal);
  return { text, fields, literals };
}

/**
 * Ties a template to the fields of a file.
 *
 * What a header cannot hold is written as the registry writes it: a line break in a value becomes a space, and `|` in a
 * value becomes `/` where the template itself has a `|` between values.
 *
 * @param template The template, read or as text.
 * @param fields Names of the values that records have; `id` is the first of them where no field has that name.
 * @throws {TypeError} If the template is malformed, or names a field that is not there.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { headerTemplate } from "./header_template.ts";
 *
 * const header = headerTemplate("{registry_accession}|{Country}", ["registry_accession", "Host", "Country"]);
 *
 * assertEquals(header(["vj000000000001", "bat", "Chile"]), "vj000000000001|Chile");
 * ```
 */
export function headerTemplate(template: string | HeaderTemplate, fields: readonly string[]): HeaderMaker {
  const { text, fields: names, literals } = typeof template === "string" ? parseHeaderTemplate(template) : template;
  const fieldIndices = names.map((name) => {
    const found = fields.indexOf(name);
    if (found >= 0) return found;
    if (name === "id") return 0;
    throw templateError(
      text,
      `unknown field ${JSON.stringify(name)}; ${adviseName(name, fields, (field) => `{${field}}`)}`,
    );
  });
  const separates = literals.some((literal) => literal.includes("|"));
  return (values) => {
    let header = literals[0];
    for (const [index, field] of fieldIndices.entries()) {
      const value = values[field];
      header += (separates ? headerValue(value) : withoutBreaks(value)) + literals[index + 1];
    }
    return header;
  };
}

/** Writes a value as a registry header holds it: `/` for `|`, a space for a line break. */
export function headerValue(value: string): string {
  return withoutBreaks(value).replaceAll("|", "/");
}

/** Writes a text as a header line holds it: a space for a line break. */
export function withoutBreaks(text: string): string {
  return /[\r\n]/.test(text) ? text.replace(/\r\n|\r|\n/g, " ") : text;
}

function templateError(text: string, why: string): TypeError {
  return new TypeError(`Cannot use the header template ${JSON.stringify(text)}: ${why}`);
}
