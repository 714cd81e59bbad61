/** An object of a message. */
export type JsonObject = Readonly<Record<string, unknown>>;
