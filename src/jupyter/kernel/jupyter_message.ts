/** Jupyter messages: their parts, and the signature that every one carries. */
import { createHmac } from "node:crypto";
import { type JsonObject, objectOf } from "./code/json_object.ts";
import { frameParts } from "./zmtp.ts";

export type { JsonObject };

/** The content of a connection file. */
export interface KernelConnection {
  /** Address that the channels listen on. */
  readonly ip: string;
  /** Key of the signatures; empty for none. */
  readonly key: string;
  readonly ports: Readonly<Record<Channel, number>>;
  /** The whole file, for what is not named here. */
  readonly file: JsonObject;
}

/** One of a kernel's five channels. */
export type Channel = "shell_port" | "iopub_port" | "stdin_port" | "control_port" | "hb_port";

export const CHANNELS: readonly Channel[] = ["shell_port", "iopub_port", "stdin_port", "control_port", "hb_port"];

/** A message as the proxy needs it. */
export interface JupyterMessage {
  /** Type, such as `execute_request`. */
  readonly type: string;
  readonly id: string;
  /** Header, to answer with. */
  readonly header: JsonObject;
  /** Header of the message that this one answers. */
  readonly parent: JsonObject;
  /** What a front end says of it besides, such as which cell it runs. */
  readonly metadata: JsonObject;
  readonly content: JsonObject;
}

const DELIMITER = "<IDS|MSG>";
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Reads the connection file that a front end wrote.
 *
 * @throws {TypeError} If it is not one.
 */
export function readConnection(text: string): KernelConnection {
  const file = objectOf(JSON.parse(text));
  const port = (channel: Channel): number => {
    const value = file[channel];
    if (typeof value === "number") return value;
    throw new TypeError(`Cannot read the connection file: ${channel} is not a number`);
  };
  return {
    ip: typeof file.ip === "string" ? file.ip : "127.0.0.1",
    key: typeof file.key === "string" ? file.key : "",
    ports: Object.fromEntries(CHANNELS.map((channel) => [channel, port(channel)])) as Record<Channel, number>,
    file,
  };
}

/** Parses a message of several parts; `undefined` if it is not a Jupyter message. */
export function parseMessage(parts: readonly Uint8Array[]): JupyterMessage | undefined {
  const start = parts.findIndex((part) => part.length === DELIMITER.length && decoder.decode(part) === DELIMITER);
  if (start < 0 || parts.length < start + 6) return undefined;
  const object = (offset: number): JsonObject => objectOf(JSON.parse(decoder.decode(parts[start + offset])));
  const header = object(2);
  return {
    type: String(header.msg_type),
    id: String(header.msg_id),
    header,
    parent: object(3),
    metadata: object(4),
    content: object(5),
  };
}

/** What a message of our own says. */
export interface NewMessage {
  /** Type, such as `status`. */
  readonly type: string;
  readonly content: JsonObject;
  /** Header of the message that it answers. */
  readonly parent?: JsonObject;
  /** Header to send it under instead of one of its own. */
  readonly header?: JsonObject;
}

/** Signs and frames messages of our own. */
export class MessageWriter {
  /** Session of every message that is ours. */
  readonly session: string = crypto.randomUUID();
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  header(type: string): JsonObject {
    return {
      msg_id: crypto.randomUUID(),
      session: this.session,
      username: "kernel",
      date: new Date().toISOString(),
      msg_type: type,
      version: "5.3",
    };
  }

  /** Writes one message, framed and signed. */
  write({ type, content, parent = {}, header }: NewMessage): Uint8Array {
    const body = [header ?? this.header(type), parent, {}, content].map((part) => encoder.encode(JSON.stringify(part)));
    let signature = "";
    if (this.#key !== "") {
      const hmac = createHmac("sha256", this.#key);
      for (const part of body) hmac.update(part);
      signature = hmac.digest("hex");
    }
    return frameParts([encoder.encode(DELIMITER), encoder.encode(signature), ...body]);
  }
}
