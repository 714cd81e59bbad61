/** Namespaces of XML: what prefixes stand for within an element. Source: Namespaces in XML 1.0, third edition. */

export interface XmlName {
  /** URI of its namespace; empty without one. A prefix that is not declared stands for itself. */
  readonly namespace: string;
  /** Its name without a prefix. */
  readonly local: string;
  /** The name without a prefix if its namespace is that of the root; empty otherwise. */
  readonly own: string;
  /** As the document has it, with its prefix. */
  readonly written: string;
}

/** Names of a document that are remembered, and characters of each. */
const MAX_NAMES = 1000;
const MAX_NAME_CHARACTERS = 100;

const XML: ReadonlyMap<string, string> = new Map([["xml", "http://www.w3.org/XML/1998/namespace"]]);

/** What the scopes of a document share. */
interface Shared {
  /** Namespace of the root. */
  root?: string;
  /** Number of names that are remembered. */
  names: number;
}

/** The namespaces within an element, and the tags that were read there. */
export class XmlScope<Tag> {
  /** Tags by their markup: the same markup may mean something else in another scope. */
  readonly tags: Map<string, Tag> = new Map();
  readonly #names = new Map<string, XmlName>();
  readonly #outer: XmlScope<Tag> | undefined;
  readonly #declared: ReadonlyMap<string, string>;
  readonly #shared: Shared;

  /** Takes the scope around it, and what its element declares; of a document, neither. */
  constructor(outer?: XmlScope<Tag>, declared: ReadonlyMap<string, string> = XML) {
    this.#outer = outer;
    this.#declared = declared;
    this.#shared = outer === undefined ? { names: 0 } : outer.#shared;
  }

  /** Returns the scope of an element with these attributes: this one if they declare nothing. */
  within(attributes: ReadonlyMap<string, string>): XmlScope<Tag> {
    const declared = new Map<string, string>();
    for (const [name, uri] of attributes) if (isDeclaration(name)) declared.set(name.slice("xmlns:".length), uri);
    return declared.size === 0 ? this : new XmlScope(this, declared);
  }

  /** Returns the name of an element; the first one is that of the root. */
  nameOf(written: string): XmlName {
    const known = this.#names.get(written);
    if (known !== undefined) return known;
    const [prefix, local] = partsOf(written);
    const namespace = this.#namespaceOf(prefix);
    const own = (this.#shared.root ??= namespace) === namespace ? local : "";
    const name = { namespace, local, own, written };
    if (this.#shared.names < MAX_NAMES && written.length <= MAX_NAME_CHARACTERS) {
      this.#shared.names++;
      this.#names.set(written, name);
    }
    return name;
  }

  /** Returns the name of an attribute, as `{namespace}name`; one without a prefix has no namespace. */
  attributeName(written: string): string {
    const [prefix, local] = partsOf(written);
    return prefix === "" ? written : `{${this.#namespaceOf(prefix)}}${local}`;
  }

  #namespaceOf(prefix: string): string {
    return this.#declared.get(prefix) ?? (this.#outer === undefined ? prefix : this.#outer.#namespaceOf(prefix));
  }
}

/** Returns a name's prefix and what follows it. One that begins with a colon has no prefix, and is whole. */
function partsOf(written: string): [prefix: string, local: string] {
  const colon = written.indexOf(":");
  return colon <= 0 ? ["", written] : [written.slice(0, colon), written.slice(colon + 1)];
}

/** Returns whether an attribute declares a namespace: `xmlns`, `xmlns:x`. */
export function isDeclaration(name: string): boolean {
  return name === "xmlns" || name.startsWith("xmlns:");
}
