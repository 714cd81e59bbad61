/** One suite, two faces: every rule of the contract holds in process and over a real socket. */
import {
  createRegistryService,
  openStore,
  type RegistryService,
  serveRegistry,
} from "../../../src/embedded/service/mod.ts";
import { type Naming, SPECIFICATION_NAMING } from "../../../src/core/contract/naming.ts";
import { type FixtureRecord, fixtureRecords, writeFixture } from "./_archives.ts";

/** Sends a request to the registry under test. */
export type Call = (path: string, init?: RequestInit) => Promise<Response>;

export type Post = (path: string, body: unknown, headers?: Readonly<Record<string, string>>) => Promise<Response>;

/** What a rule is checked with. */
export interface Face {
  readonly call: Call;
  readonly post: Post;
  readonly records: readonly FixtureRecord[];
  readonly folder: string;
}

/** What stands behind the faces. */
export interface RegistryUnderTest extends AsyncDisposable {
  readonly service: RegistryService;
  readonly records: readonly FixtureRecord[];
  readonly folder: string;
  /** Faults that were reported; a rule that makes one empties it. */
  readonly faults: unknown[];
}

/** Imports a fixture and makes a registry of it. */
export async function openFixture(count = 300, naming: Naming = SPECIFICATION_NAMING): Promise<RegistryUnderTest> {
  const folder = await Deno.makeTempDir();
  const cacheFolder = await Deno.makeTempDir();
  const records = fixtureRecords(count);
  await writeFixture(folder, records, naming);
  const store = await openStore(folder, { naming, cacheFolder });
  const faults: unknown[] = [];
  return {
    service: createRegistryService(store, { naming, onFault: (fault) => faults.push(fault) }),
    records,
    folder,
    faults,
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
      await Deno.remove(cacheFolder, { recursive: true });
    },
  };
}

/** Checks each rule on both faces; no fault of the registry's own may be reported meanwhile. */
export async function onBothFaces(
  t: Deno.TestContext,
  rules: Readonly<Record<string, (face: Face) => Promise<void>>>,
  options: { readonly count?: number; readonly naming?: Naming } = {},
): Promise<void> {
  await using registry = await openFixture(options.count, options.naming);
  const { service, records, folder, faults } = registry;
  const server = await serveRegistry(service, { onFault: (fault) => faults.push(fault) });
  try {
    const faces: Readonly<Record<string, Call>> = {
      "in process": (path, init) => service(new Request(`http://embedded${path}`, init)),
      "over a socket": (path, init) => fetch(`${server.url}${path}`, init),
    };
    for (const [name, call] of Object.entries(faces)) {
      const post: Post = (path, body, headers = {}) =>
        call(path, {
          method: "POST",
          headers: { "content-type": "application/json", ...headers },
          body: typeof body === "string" || body instanceof Uint8Array ? body as BodyInit : JSON.stringify(body),
        });
      await t.step(name, async (t) => {
        for (const [rule, check] of Object.entries(rules)) {
          await t.step(rule, () => check({ call, post, records, folder }));
        }
      });
    }
    if (faults.length > 0) throw new AggregateError(faults, "the registry reported faults");
  } finally {
    await server.shutdown();
  }
}
