/** Why a `fetch` failed, in words, and whether it is tried again. The texts are those of the runtime. */
import { assertEquals, assertRejects } from "@std/assert";
import { NetworkError, RegistryClient, RegistryError } from "../../../src/core/client/mod.ts";

const sending = (why: string) =>
  new TypeError("fetch failed", {
    cause: new Error(`error sending request for url (http://registry.invalid/v2/search): client error ${why}`),
  });

Deno.test("a failed fetch says why, and is tried again when that may help", async (t) => {
  const rows: Record<string, readonly [cause: unknown, says: string, tries: number]> = {
    "refused": [
      sending("(Connect): tcp connect error: Connection refused (os error 111)"),
      "connection was refused",
      4,
    ],
    "an unknown host": [
      sending("(Connect): dns error: failed to lookup address information: Name or service not known"),
      "host not found",
      4,
    ],
    "a certificate": [
      sending("(Connect): invalid peer certificate: UnknownIssuer"),
      "certificate is not trusted",
      1,
    ],
    "a certificate of another host": [
      sending(
        'invalid peer certificate: certificate not valid for name "a.example"; certificate is only valid for DnsName("b")',
      ),
      "certificate is for another host",
      1,
    ],
    "an old certificate": [
      sending(
        "(Connect): invalid peer certificate: certificate expired: verification time 2 (UNIX), not valid after 1",
      ),
      "certificate has expired; check this machine's clock",
      1,
    ],
    "a certificate of an authority": [
      sending("(Connect): invalid peer certificate: Other(OtherError(CaUsedAsEndEntity))"),
      'basicConstraints "CA:FALSE"',
      1,
    ],
    "an address that has the words of a failure": [
      new TypeError(
        "error sending request for url (http://proxy.dns.example/certificate/(reset)/v2/search): client error " +
          "(Connect): tcp connect error: Connection refused (os error 111)",
      ),
      "connection was refused",
      4,
    ],
    "a reset": [sending("(SendRequest): connection error: Connection reset by peer (os error 104)"), "broke before", 4],
    "closed": [sending("(SendRequest): connection closed before message completed"), "broke before", 4],
    "no way": [
      sending("(Connect): tcp connect error: Network is unreachable (os error 101)"),
      "network unreachable",
      4,
    ],
    "no HTTP": [sending("(SendRequest): invalid HTTP version parsed"), "does not speak HTTP", 4],
    "a port that is never used": [
      new TypeError("Fetch failed: Requests to port 1 are blocked"),
      "port is blocked for HTTP",
      1,
    ],
    "no permission": [
      new Deno.errors.NotCapable('Requires net access to "registry.invalid:80", run again with the --allow-net flag'),
      "--allow-net=registry.invalid",
      1,
    ],
    "something else": [new Error("the moon was in the way"), "the moon was in the way", 4],
    "no error at all": ["tired", "tired", 4],
  };
  for (const [reason, [cause, says, tries]] of Object.entries(rows)) {
    await t.step(reason, async () => {
      let tried = 0;
      const client = new RegistryClient("http://registry.invalid", {
        sleep: () => Promise.resolve(),
        fetch: () => {
          tried++;
          return Promise.reject(cause);
        },
      });
      const error = await assertRejects(() => client.search({ query: "" }), NetworkError, says);
      assertEquals([error.code, error.cause, tried], ["network", cause, tries]);
    });
  }
});

Deno.test("an error of the family that a fetch throws stays as it is", async () => {
  const offline = new RegistryError("offline", "Cannot ask the registry: the network is forbidden");
  const client = new RegistryClient("http://registry.invalid", { fetch: () => Promise.reject(offline) });
  assertEquals(await client.search({ query: "" }).catch((error: unknown) => error), offline);
});

Deno.test("a real port that is blocked is not tried again", async () => {
  const waits: number[] = [];
  const client = new RegistryClient("http://127.0.0.1:1", { sleep: (ms) => Promise.resolve(void waits.push(ms)) });
  const error = await assertRejects(() => client.search({ query: "" }), NetworkError, "port is blocked for HTTP");
  assertEquals([error.permanent, waits], [true, []]);
});
