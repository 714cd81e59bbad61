/**
 * A server of the protocol that others wrote: moto, from PyPI, started on loopback with one bucket.
 *
 * `SEQREG_TEST_S3=http://127.0.0.1:7070` takes a server that runs already, such as versitygw, keys of `AWS_…`.
 */
import { ObjectStore } from "../../../src/core/io/objects/object_store.ts";
import { ObjectStoreError } from "../../../src/core/io/objects/object_store_error.ts";
import { findStoreAccess } from "../../../src/core/io/objects/store_access.ts";
import { PYTHON } from "../../_python.ts";
import { freePorts } from "../../_free_ports.ts";

export interface Moto extends AsyncDisposable {
  readonly options: {
    readonly endpoint: string;
    readonly region: string;
    readonly key: { readonly accessKeyId: string; readonly secretAccessKey: string };
  };
  /** The same as variables. */
  readonly env: Readonly<Record<string, string>>;
  /** A client with rights to everything. */
  readonly store: ObjectStore;
}

export const BUCKET = "lakes";

export async function startMoto(): Promise<Moto> {
  const running = Deno.env.get("SEQREG_TEST_S3");
  const port = freePorts(1)[0];
  const args = ["-m", "moto.server", "-H", "127.0.0.1", "-p", String(port)];
  const child = running === undefined
    ? new Deno.Command(PYTHON, { args, stdout: "null", stderr: "null", stdin: "null" }).spawn()
    : undefined;
  const endpoint = running ?? `http://127.0.0.1:${port}`;
  const key = {
    accessKeyId: running && Deno.env.get("AWS_ACCESS_KEY_ID") || "AKIDMOTO",
    secretAccessKey: running && Deno.env.get("AWS_SECRET_ACCESS_KEY") || "moto/secret+key",
  };
  const region = running && Deno.env.get("AWS_REGION") || "eu-central-1";
  const store = new ObjectStore(await findStoreAccess(BUCKET, { endpoint, region, key }, () => undefined));
  const until = Date.now() + 60_000;
  // The first region of S3 is the one that may not be named.
  const body = region === "us-east-1" ? undefined : new TextEncoder().encode(
    `<CreateBucketConfiguration><LocationConstraint>${region}</LocationConstraint></CreateBucketConfiguration>`,
  );
  for (;;) {
    try {
      await store.ask({ task: "make", method: "PUT", address: { bucket: BUCKET, key: "" }, ...body && { body } });
      break;
    } catch (error) {
      if (error instanceof ObjectStoreError && /^Bucket(Already|.*Owned)/.test(error.storeCode ?? "")) break;
      if (Date.now() > until) throw error;
    }
  }
  return {
    options: { endpoint, region, key },
    env: {
      AWS_ENDPOINT_URL: endpoint,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: key.accessKeyId,
      AWS_SECRET_ACCESS_KEY: key.secretAccessKey,
    },
    store,
    async [Symbol.asyncDispose]() {
      child?.kill("SIGTERM");
      await child?.status;
    },
  };
}
