/**
 * A look at the user's own values, inside the real kernel.
 *
 * The proxy sends the function's own text to the kernel: it may use nothing from outside itself.
 */

/** What was seen of one value. */
export interface Seen {
  /** `typeof`, or `null`. */
  readonly type: string;
  /** Names of its classes, the nearest first. */
  readonly classes: readonly string[];
  /** Names of its members, inherited ones too, without those of every object. */
  readonly members: readonly string[];
  /** Of a function its text; of anything else as much as fits of how the console shows it. */
  readonly text: string;
  /** Length or size, where it has one. */
  readonly size?: number;
}

/** The answer to one look: `registry.search` is seen as the value of `search` in a holder. */
export interface Look {
  /** What the asker called it. */
  readonly id: string;
  /** The value, where it could be had without running anything. */
  readonly value?: Seen;
  /** What the last name is a member of. */
  readonly holder?: Seen;
  /** How many of the names were gone through. */
  readonly steps: number;
  /** Whether there is anything of that name. */
  readonly found: boolean;
}

/** Installs the function that looks: it is given a function for the first name, and the names behind it. */
export function installLooking(type: string, name: string): void {
  const { broadcast } = Reflect.get(Deno, "jupyter");
  const mostMembers = 400;
  const mostText = 4000;

  /** What a value answers; proxies such as frames of polars throw where objects do not. */
  const attempt = <T>(read: () => T, otherwise: T): T => {
    try {
      return read();
    } catch {
      return otherwise;
    }
  };
  const see = (value: unknown): Seen => {
    const isObject = (typeof value === "object" || typeof value === "function") && value !== null;
    const classes: string[] = [];
    const members = new Set<string>();
    for (let at: unknown = value, depth = 0; isObject && at !== null && depth < 8; depth++) {
      if (at === Object.prototype || at === Function.prototype) break;
      const holder = Object(at);
      const maker = attempt(() => Object.getOwnPropertyDescriptor(holder, "constructor")?.value, undefined);
      if (depth > 0 && typeof maker === "function") classes.push(String(maker.name));
      const names = attempt(() => Object.getOwnPropertyNames(holder), []);
      for (const name of names.slice(0, mostMembers)) members.add(name);
      at = attempt(() => Object.getPrototypeOf(holder), null);
    }
    const read = (name: string | symbol): unknown =>
      isObject ? attempt(() => Reflect.get(Object(value), name), undefined) : undefined;
    const tag = read(Symbol.toStringTag);
    // Objects without a class of their own may still have a name, as frames of polars do.
    if (typeof tag === "string" && (tag === "Module" || classes.length === 0)) classes.unshift(tag);
    const size = read("length") ?? read("size");
    return {
      type: value === null ? "null" : typeof value,
      classes,
      members: [...members].filter((name) => name !== "constructor").slice(0, mostMembers),
      text: textOf(value),
      ...typeof size === "number" && typeof value !== "function" && { size },
    };
  };
  const textOf = (value: unknown): string => {
    try {
      const text = typeof value === "function" ? Function.prototype.toString.call(value) : Deno.inspect(value, {
        colors: false,
        depth: 1,
        iterableLimit: 8,
        strAbbreviateSize: 120,
      });
      // deno-lint-ignore no-control-regex
      return text.replace(/\u001b\[[\d;]*m/g, "").slice(0, mostText);
    } catch {
      return "";
    }
  };
  /** The member of a value, unless a getter of unknown cost would have to be run for it. */
  const memberOf = (holder: unknown, name: string): { readonly value: unknown } | "getter" | undefined => {
    if (holder === null || holder === undefined) return undefined;
    for (let at: unknown = Object(holder); at !== null; at = Object.getPrototypeOf(at)) {
      const descriptor = attempt(() => Object.getOwnPropertyDescriptor(Object(at), name), undefined);
      if (descriptor !== undefined) return descriptor.get ? "getter" : { value: descriptor.value };
    }
    // An object may answer to names that it does not list, and that no getter is behind.
    const value = attempt(() => Reflect.get(Object(holder), name), undefined);
    return value === undefined && !attempt(() => name in Object(holder), false) ? undefined : { value };
  };

  const look = async (id: string, first: () => unknown, names: readonly string[]) => {
    let seen: Look = { id, steps: 0, found: false };
    try {
      let value: readonly [unknown] = [first()];
      let holder: unknown;
      let steps = 0;
      seen = { id, steps, found: true, value: see(value[0]) };
      for (const name of names) {
        const member = memberOf(value[0], name);
        holder = value[0];
        if (member === undefined || member === "getter") {
          seen = { id, steps, found: member !== undefined, holder: see(holder) };
          break;
        }
        value = [member.value];
        seen = { id, steps: ++steps, found: true, value: see(value[0]), holder: see(holder) };
      }
    } catch {
      // There is nothing of that name, or not yet.
    }
    await broadcast(type, { ...seen });
  };
  Object.defineProperty(globalThis, name, { value: look });
}
