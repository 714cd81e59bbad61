/** Messages of Jupyter's protocol: written with their signature, read, and gathered to what a cell put out. */
import { createHmac } from "node:crypto";

/** What one cell put out. */
export interface CellOutput {
  readonly type: "stream" | "display_data" | "execute_result" | "error";
  /** Text of a stream, or of an error: its name and message. */
  readonly text?: string;
  /** Representations of a value, by media type. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Lines of an error as a front end shows them. */
  readonly traceback?: readonly string[];
}

export interface Message {
  readonly type: string;
  readonly parentId: string | undefined;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly content: Readonly<Record<string, unknown>>;
  readonly buffers: readonly Uint8Array[];
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Writes a message and signs it with a kernel's key. */
export function composeMessage(
  key: string,
  type: string,
  content: unknown,
): { id: string; frames: Uint8Array[] } {
  const header = {
    msg_id: crypto.randomUUID(),
    session: "tests",
    username: "tests",
    date: new Date().toISOString(),
    msg_type: type,
    version: "5.3",
  };
  const parts = [header, {}, {}, content].map((part) => encoder.encode(JSON.stringify(part)));
  const hmac = createHmac("sha256", key);
  for (const part of parts) hmac.update(part);
  return { id: header.msg_id, frames: [encoder.encode("<IDS|MSG>"), encoder.encode(hmac.digest("hex")), ...parts] };
}

/** Adds a message to the outputs of its cell; updates of a display replace what they update. */
export function collect(message: Message, outputs: CellOutput[], displays: Map<string, number>): void {
  const { type, content } = message;
  const data = objectOf(content.data);
  const id = objectOf(content.transient).display_id;
  if (type === "stream") {
    const last = outputs.at(-1);
    if (last?.type === "stream") outputs[outputs.length - 1] = { type, text: `${last.text}${content.text}` };
    else outputs.push({ type, text: String(content.text) });
  } else if (type === "display_data" || type === "execute_result") {
    if (typeof id === "string") displays.set(id, outputs.length);
    outputs.push({ type, data });
  } else if (type === "update_display_data" && typeof id === "string") {
    const index = displays.get(id);
    if (index !== undefined) outputs[index] = { ...outputs[index], data };
  } else if (type === "error") {
    const traceback = Array.isArray(content.traceback) ? content.traceback.map(String) : [];
    outputs.push({ type, text: `${content.ename}: ${content.evalue}`, traceback });
  }
}

export function parse(frames: readonly Uint8Array[]): Message {
  const start = frames.findIndex((frame) => decoder.decode(frame) === "<IDS|MSG>");
  const part = (offset: number) => objectOf(JSON.parse(decoder.decode(frames[start + offset])));
  const parentId = part(3).msg_id;
  return {
    type: String(part(2).msg_type),
    parentId: typeof parentId === "string" ? parentId : undefined,
    metadata: part(4),
    content: part(5),
    buffers: frames.slice(start + 6),
  };
}

/** An object's entries; none of what is no object. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
