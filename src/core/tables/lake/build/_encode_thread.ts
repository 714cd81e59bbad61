/** Encodes parts in a thread of its own, so that the next is inflated and checked meanwhile. */
import { type EncodedPart, PartEncoder, type PartSchema } from "./_part_encoder.ts";

/** What the thread is given. */
export interface EncodeRequest {
  readonly csv: ArrayBuffer;
  readonly bytes: number;
  readonly rows: number;
}

/** Messages of the thread. The memory of a part is returned as soon as it has been copied. */
export type EncodeAnswer =
  | { readonly kind: "begun" }
  | { readonly kind: "taken"; readonly csv: ArrayBuffer }
  | { readonly kind: "encoded"; readonly part: EncodedPart }
  | { readonly kind: "failed"; readonly error: unknown };

/** A running thread. Parts are returned in the order in which they were sent. */
export class EncodeThread implements Disposable {
  readonly #schema: PartSchema;
  readonly #waiting: PromiseWithResolvers<EncodedPart>[] = [];
  readonly #port: MessagePort;
  readonly #worker: Worker;
  readonly #begun = Promise.withResolvers<boolean>();
  #inline: PartEncoder | undefined;
  /** Why the thread takes nothing more. */
  #fault: unknown;

  /** Begins a thread; `spare` takes the memory of parts when they have been copied. */
  constructor(schema: PartSchema, spare: ArrayBuffer[] = []) {
    this.#schema = schema;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#worker = new Worker(new URL("./_encode_worker.ts", import.meta.url), { type: "module" });
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(new Error(`Cannot encode a part: ${event.message}`));
      // Where there can be no thread, parts are encoded in this one.
      this.#begun.resolve(false);
    };
    port1.onmessage = ({ data }: MessageEvent<EncodeAnswer>) => {
      if (data.kind === "begun") this.#begun.resolve(true);
      else if (data.kind === "taken") spare.push(data.csv);
      else if (data.kind === "encoded") this.#waiting.shift()?.resolve(data.part);
      else this.#fail(data.error);
    };
    this.#worker.postMessage(schema, [port2]);
  }

  /** Encodes a part; its memory is transferred and returned. */
  async encode(request: EncodeRequest): Promise<EncodedPart> {
    if (!await this.#begun.promise) {
      this.#inline ??= new PartEncoder(this.#schema);
      const { csv, bytes, rows } = request;
      return this.#inline.encode(new Uint8Array(csv, 0, bytes), rows);
    }
    if (this.#fault !== undefined) throw this.#fault;
    const waiting = Promise.withResolvers<EncodedPart>();
    this.#waiting.push(waiting);
    this.#port.postMessage(request, [request.csv]);
    return await waiting.promise;
  }

  /** Ends the thread, and what it does. */
  [Symbol.dispose](): void {
    this.#port.close();
    this.#worker.terminate();
    this.#fail(new DOMException("the encoding was given up", "AbortError"));
    this.#begun.resolve(true);
  }

  /** A thread that failed answers nothing more: a later caller must not wait for it. */
  #fail(error: unknown): void {
    this.#fault ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}
