/** Reads the kernel's values between cells, while none runs. */
import { lookCode } from "./code/cell_commands.ts";
import { type KnownFieldValues, TELL_VALUES_KEY } from "./help/field_values.ts";
import type { HelpSurroundings } from "./help/help.ts";
import { SHARED_NAME } from "./inside/own_scope.ts";
import type { Look } from "./inside/looking.ts";
import type { JsonObject } from "./jupyter_message.ts";
import type { OwnRequests } from "./own_requests.ts";
import { within } from "./within.ts";

/** Name of the message that answers a look. */
export const LOOK_TYPE = "seqreg_look";

/** Longest wait for a look: help is there at once, or says less. */
const LOOK_MS = 120;
/** Longest wait for values of a field, which may be asked of a registry. JupyterLab waits 1 s for completions. */
const VALUES_MS = 900;

/** Asks the kernel for looks and takes the answers. */
export class Looks implements HelpSurroundings {
  readonly #own: OwnRequests;
  readonly #isIdle: () => boolean;
  readonly #awaited = new Map<string, (look: Look) => void>();
  #values = Promise.withResolvers<void>();

  constructor(own: OwnRequests, isIdle: () => boolean) {
    this.#own = own;
    this.#isIdle = isIdle;
  }

  readonly look = async (names: readonly string[], atEnd = false): Promise<Look | undefined> => {
    if (!atEnd && !this.#isIdle()) return undefined;
    const id = crypto.randomUUID();
    const seen = new Promise<Look>((resolve) => this.#awaited.set(id, resolve));
    this.#own.run(lookCode(id, names)).catch(() => {});
    const look = await within(seen, LOOK_MS);
    this.#awaited.delete(id);
    return look;
  };

  readonly askValues = (): Promise<void> | undefined => {
    if (!this.#isIdle()) return undefined;
    const told = this.#values.promise;
    this.#own.run(`await ${SHARED_NAME}("${TELL_VALUES_KEY}")?.()`).catch(() => {});
    return within(told, VALUES_MS);
  };

  /** Takes a look; one that was not asked for here is a cell's. */
  take(look: Look): void {
    this.#awaited.get(look.id)?.(look);
  }

  /** Takes values of fields; without any, another registry was opened. */
  takeValues(content: JsonObject, values: KnownFieldValues): void {
    if (content.values === undefined) values.forget();
    values.learn(content);
    this.#values.resolve();
    this.#values = Promise.withResolvers();
  }
}

/** A look as it comes over the wire: the kernel's own code wrote it. */
export function readLook(content: JsonObject): Look {
  const { id, steps, found, value, holder } = content;
  return {
    id: String(id),
    steps: Number(steps),
    found: found === true,
    ...isSeen(value) && { value },
    ...isSeen(holder) && { holder },
  };
}

function isSeen(value: unknown): value is Look["value"] & object {
  const seen = Object(value);
  return typeof seen.type === "string" && typeof seen.text === "string" && Array.isArray(seen.classes) &&
    Array.isArray(seen.members);
}
