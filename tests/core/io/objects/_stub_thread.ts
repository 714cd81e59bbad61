/** The store in a thread of its own: polars blocks the thread that asks it, and could never be answered there. */
import { type S3Stub, startS3Stub } from "./_s3_stub.ts";
import type { KnownKey } from "./_signature.ts";

/** What can be asked of the store's thread. */
type Asked =
  | { readonly put: string; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly remove: string }
  | { readonly get: string }
  | { readonly keys: true };

/** A store in a thread of its own. */
export interface StubThread extends AsyncDisposable {
  readonly options: { readonly endpoint: string; readonly region: string; readonly key: KnownKey };
  put(key: string, bytes: Uint8Array<ArrayBuffer>): Promise<unknown>;
  remove(key: string): Promise<unknown>;
  get(key: string): Promise<Uint8Array<ArrayBuffer>>;
  keys(): Promise<string[]>;
}

export async function startStubThread(): Promise<StubThread> {
  const worker = new Worker(import.meta.url, { type: "module" });
  const next = <T>() =>
    new Promise<T>((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = (event) => {
        event.preventDefault();
        reject(new Error(event.message));
      };
    });
  const started = next<StubThread["options"]>();
  worker.postMessage("start");
  const options = await started;
  // One question at a time: an answer does not say which question it belongs to.
  let last: Promise<unknown> = Promise.resolve();
  const ask = <T>(asked: Asked): Promise<T> => {
    const answer = last.then(() => {
      const answered = next<T>();
      worker.postMessage(asked);
      return answered;
    });
    last = answer.catch(() => {});
    return answer;
  };
  return {
    options,
    put: (key, bytes) => ask({ put: key, bytes }),
    remove: (key) => ask({ remove: key }),
    get: (key) => ask({ get: key }),
    keys: () => ask({ keys: true }),
    async [Symbol.asyncDispose]() {
      const ended = next();
      worker.postMessage("end");
      await ended;
      worker.terminate();
    },
  };
}

if (typeof Reflect.get(globalThis, "WorkerGlobalScope") === "function") {
  let stub: S3Stub;
  const post = (message: unknown) => Reflect.get(globalThis, "postMessage").call(globalThis, message);
  const answer = async (data: Asked | "start" | "end") => {
    if (data === "start") {
      stub = startS3Stub();
      const { endpoint, region, key } = stub;
      return post({ endpoint, region, key });
    }
    if (data === "end") await stub[Symbol.asyncDispose]();
    else if ("put" in data) stub.store(data.put, data.bytes);
    else if ("remove" in data) stub.objects.delete(data.remove);
    else if ("get" in data) return post(stub.objects.get(data.get)?.bytes);
    else return post([...stub.objects.keys()].sort());
    post("done");
  };
  globalThis.addEventListener("message", (event) => void answer(Reflect.get(event, "data")));
}
