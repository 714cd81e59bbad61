/** An object of a message. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The own properties of an object; empty for any other value. */
export function objectOf(value: unknown): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}
