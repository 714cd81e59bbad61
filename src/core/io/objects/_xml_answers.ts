/** Reads the XML that stores answer with. */
import { XmlTokens } from "../xml/xml_tokens.ts";

/** Texts of an element's children, by name; of children of one name, the first. */
export type XmlFields = ReadonlyMap<string, string>;

export interface XmlAnswer {
  /** Name of its root, such as `Error`. */
  readonly root: string;
  /** Texts directly below the root. */
  readonly fields: XmlFields;
  /** Elements below the root that have children, in order. */
  readonly entries: readonly { readonly name: string; readonly fields: XmlFields }[];
}

/** Reads an answer of depth three at most; deeper elements are left out. @throws {ParseError} If it is not XML. */
export function readXmlAnswer(text: string): XmlAnswer {
  const path: string[] = [];
  const fields = new Map<string, string>();
  const entries: { name: string; fields: Map<string, string> }[] = [];
  let root = "";
  let content = "";
  const tokens = new XmlTokens({
    onOpen({ own, written }) {
      const name = own || written;
      if (path.length === 0) root = name;
      if (path.length === 1) entries.push({ name, fields: new Map() });
      path.push(name);
      content = "";
    },
    onText: (piece) => void (content += piece),
    onClose() {
      const name = path.pop()!;
      const into = path.length === 1 ? fields : path.length === 2 ? entries.at(-1)!.fields : undefined;
      if (into !== undefined && !into.has(name)) into.set(name, content);
      content = "";
    },
  }, "the store's answer");
  tokens.push(text);
  tokens.end();
  return { root, fields, entries: entries.filter((entry) => entry.fields.size > 0) };
}

/** Writes text as content of an element. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);
}
