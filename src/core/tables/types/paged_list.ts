/** Lists whose items are made when they are read, a page at a time: they behave like a frozen array. */

export interface PagedListOptions<Item> {
  readonly length: number;
  readonly pageLength: number;
  /** Makes the items from an index on. */
  readonly read: (from: number, count: number) => readonly Item[];
}

/** Pages that are kept: the current one, and the one before for readers that look back. */
const KEPT_PAGES = 2;
const SHOWN_ITEMS = 100;

/**
 * Makes a read-only array over pages of items.
 *
 * Indices, `length`, iteration, array methods that do not change it, spreading and `JSON.stringify` work as with an
 * array; memory holds two pages. Reading in order is fast; an item that is read again later is a new, equal object.
 * Methods that change an array, such as `sort`, throw a TypeError: copy it first.
 */
export function pagedList<Item>(options: PagedListOptions<Item>): readonly Item[] {
  // The console shows a proxy as its target.
  const target: Item[] = Object.defineProperty([], Symbol.for("Deno.customInspect"), {
    value: () => inspectList(list),
    configurable: true,
  });
  const list = new Proxy<Item[]>(target, new PagedHandler(options));
  return list;
}

/** The first items as the console shows an array. */
function inspectList(list: readonly unknown[]): string {
  const first = Deno.inspect(list.slice(0, SHOWN_ITEMS));
  return list.length <= SHOWN_ITEMS ? first : `${first}\n... ${list.length - SHOWN_ITEMS} more items`;
}

class PagedHandler<Item> implements ProxyHandler<Item[]> {
  readonly #options: PagedListOptions<Item>;
  readonly #pages = new Map<number, readonly Item[]>();
  readonly #own: ReadonlyMap<string | symbol, unknown>;

  constructor(options: PagedListOptions<Item>) {
    this.#options = options;
    const iterate = () => this.#iterate();
    this.#own = new Map<string | symbol, unknown>([
      ["length", options.length],
      ["values", iterate],
      [Symbol.iterator, iterate],
    ]);
  }

  get(target: Item[], key: string | symbol): unknown {
    const index = indexOf(key);
    if (index !== undefined) return index < this.#options.length ? this.#item(index) : undefined;
    if (this.#own.has(key)) return this.#own.get(key);
    return Reflect.get(target, key);
  }

  has(target: Item[], key: string | symbol): boolean {
    const index = indexOf(key);
    return index === undefined ? Reflect.has(target, key) : index < this.#options.length;
  }

  getOwnPropertyDescriptor(target: Item[], key: string | symbol): PropertyDescriptor | undefined {
    const { length } = this.#options;
    if (key === "length") return { value: length, writable: true, enumerable: false, configurable: false };
    const index = indexOf(key);
    if (index === undefined) return Reflect.getOwnPropertyDescriptor(target, key);
    if (index >= length) return undefined;
    return { value: this.#item(index), writable: false, enumerable: true, configurable: true };
  }

  ownKeys(): string[] {
    return [...Array.from({ length: this.#options.length }, (_, index) => String(index)), "length"];
  }

  set(): boolean {
    return false;
  }

  defineProperty(): boolean {
    return false;
  }

  deleteProperty(): boolean {
    return false;
  }

  preventExtensions(): boolean {
    return false;
  }

  #item(index: number): Item {
    const page = Math.floor(index / this.#options.pageLength);
    return this.#page(page)[index - page * this.#options.pageLength];
  }

  #page(number: number): readonly Item[] {
    const kept = this.#pages.get(number);
    if (kept !== undefined) return kept;
    const { length, pageLength, read } = this.#options;
    const from = number * pageLength;
    const page = read(from, Math.min(pageLength, length - from));
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size < KEPT_PAGES) break;
      this.#pages.delete(oldest);
    }
    this.#pages.set(number, page);
    return page;
  }

  *#iterate(): Generator<Item> {
    const { length, pageLength } = this.#options;
    for (let number = 0; number * pageLength < length; number++) yield* this.#page(number);
  }
}

/** An array index as a property key; `undefined` for any other key. */
function indexOf(key: string | symbol): number | undefined {
  if (typeof key !== "string") return undefined;
  const first = key.charCodeAt(0);
  if (!(first >= 48 && first <= 57)) return undefined;
  const index = Number(key);
  return String(index) === key && Number.isInteger(index) ? index : undefined;
}
