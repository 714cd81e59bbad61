/**
 * A look at the user's own values, inside the real kernel.
 *
 * The proxy sends the function's own text to the kernel: it may use nothing from outside itself.
 *
 * @module
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
export function installLooking(type: string, key: string): void {
  const { broadcast } = Reflect.get(Deno, "jupyter");
  const mostMembers = 400;
  const mostText = 4000;

  const see = (value: unknown): Seen => {
    const isObject = (typeof value === "object" || typeof value === "function") && value !== null;
    const classes: string[] = [];
    const members = new Set<string>();
    for (let at: unknown = value, depth = 0; isObject && at !== null && depth < 8; depth++) {
      if (at === Object.prototype || at === Function.prototype) break;
      const holder = Object(at);
      const maker = Object.getOwnPropertyDescriptor(holder, "constructor")?.value;
      if (depth > 0 && typeof maker === "function") classes.push(String(maker.name));
      for (const name of Object.getOwnPropertyNames(holder).slice(0, mostMembers)) members.add(name);
      at = Object.getPrototypeOf(holder);
    }
    if (isObject && Reflect.get(Object(value), Symbol.toStringTag) === "Module") classes.unshift("Module");
    const size = isObject ? Reflect.get(Object(value), "length") ?? Reflect.get(Object(value), "size") : undefined;
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
      return text.slice(0, mostText);
    } catch {
      return "";
    }
  };
  /** The member of a value, unless a getter of unknown cost would have to be run for it. */
  const memberOf = (holder: unknown, name: string): { readonly value: unknown } | "getter" | undefined => {
    if (holder === null || holder === undefined) return undefined;
    for (let at: unknown = Object(holder); at !== null; at = Object.getPrototypeOf(at)) {
      const descriptor = Object.getOwnPropertyDescriptor(Object(at), name);
      if (descriptor !== undefined) return descriptor.get ? "getter" : { value: descriptor.value };
    }
    // An object may answer to names that it does not list.
    return name in Object(holder) ? { value: Reflect.get(Object(holder), name) } : undefined;
  };

  Reflect.set(globalThis, Symbol.for(key), async (id: string, first: () => unknown, names: readonly string[]) => {
    let look: Look = { id, steps: 0, found: false };
    try {
      let value: readonly [unknown] = [first()];
      let holder: unknown;
      let steps = 0;
      look = { id, steps, found: true, value: see(value[0]) };
      for (const name of names) {
        const member = memberOf(value[0], name);
        holder = value[0];
        if (member === undefined || member === "getter") {
          look = { id, steps, found: member !== undefined, holder: see(holder) };
          break;
        }
        value = [member.value];
        look = { id, steps: ++steps, found: true, value: see(value[0]), holder: see(holder) };
      }
    } catch {
      // There is nothing of that name, or not yet.
    }
    await broadcast(type, { ...look });
  });
}
