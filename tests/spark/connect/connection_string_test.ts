import { assertEquals, assertThrows } from "@std/assert";
import { SparkEndpoint } from "../../../src/spark/connect/connection_string.ts";

Deno.test("a connection string is read as Spark documents it", async (t) => {
  const cases: Record<string, [text: string, baseUrl: string, userId: string]> = {
    "host alone": ["sc://head.example", "http://head.example:15002", "seqreg"],
    "a slash": ["sc://head.example/", "http://head.example:15002", "seqreg"],
    "port": ["sc://head.example:443/", "http://head.example:443", "seqreg"],
    "port 80": ["sc://head.example:80", "http://head.example:80", "seqreg"],
    "TLS": ["sc://head.example:443/;use_ssl=true", "https://head.example:443", "seqreg"],
    "a token turns TLS on": ["sc://head.example/;token=ABC", "https://head.example:15002", "seqreg"],
    "no slash before parameters": ["sc://head.example;user_id=ada", "http://head.example:15002", "ada"],
    "encoded values": ["sc://head.example/;user_id=ada%20l%3B", "http://head.example:15002", "ada l;"],
    "an empty parameter": ["sc://head.example/;user_id=ada;", "http://head.example:15002", "ada"],
    "IPv6": ["sc://[::1]:7/", "http://[::1]:7", "seqreg"],
  };
  for (const [name, [text, baseUrl, userId]] of Object.entries(cases)) {
    await t.step(name, () => {
      const endpoint = SparkEndpoint.parse(text);
      assertEquals([endpoint.baseUrl, endpoint.userId], [baseUrl, userId]);
    });
  }
});

Deno.test("parameters besides Spark's own are header fields, and options add to them", () => {
  const endpoint = SparkEndpoint.parse(
    "sc://h/;token=a%2Fb%3D;x-team=virus;X-Trace=1;session_id=" + "0".repeat(8) +
      "-0000-0000-0000-000000000000;user_agent=lab;grpc_max_message_size=2048",
    { headers: { "x-team": "plants" } },
  );
  assertEquals(endpoint.headers(), { "x-team": "plants", "x-trace": "1", authorization: "Bearer a/b=" });
  assertEquals([endpoint.userAgent, endpoint.maxMessageBytes], ["lab", 2048]);
  assertEquals(SparkEndpoint.parse("sc://h/;token=old", { token: "new" }).headers().authorization, "Bearer new");
});

Deno.test("a wrong connection string is refused by its fault, and never repeated", async (t) => {
  const cases: Record<string, [text: string, says: string]> = {
    "another scheme": ["https://SECRET@head", "expected sc://HOST:PORT"],
    "no text": [undefined as unknown as string, "expected sc://HOST:PORT"],
    "no host": ["sc:///;token=SECRET", "expected a host"],
    "a port beyond": ["sc://head:99999/;token=SECRET", "expected a host"],
    "port 0": ["sc://head:0/;token=SECRET", "1 to 65535"],
    "a password": ["sc://ada:SECRET@head", "user_id"],
    "a path": ["sc://head/SECRET/;use_ssl=true", "it has a path"],
    "a question mark": ["sc://head/?token=SECRET", "%3F"],
    "no value": ["sc://head/;SECRET", "NAME=VALUE"],
    "a broken escape": ["sc://head/;token=SECRET%", "write % as %25"],
    "twice": ["sc://head/;token=SECRET;token=SECRET", "token is set twice"],
    "use_ssl": ["sc://head/;use_ssl=SECRET", "use_ssl must be"],
    "session_id": ["sc://head/;session_id=SECRET", "session_id must be a UUID"],
    "message size": ["sc://head/;grpc_max_message_size=SECRET", "number of bytes"],
    "an empty token": ["sc://head/;token=", "token must be"],
    "a token with a line break": ["sc://head/;token=SECRET%0Ax", "token must be"],
    "a token in plain text": ["sc://head/;use_ssl=false;token=SECRET", "loopback only"],
    "the protocol's own field": ["sc://head/;authorization=SECRET", "credentials go into token"],
    "a field with a line break": ["sc://head/;x-a=SECRET%0D%0A", "x-a must be printable"],
  };
  for (const [name, [text, says]] of Object.entries(cases)) {
    await t.step(name, () => {
      const { message } = assertThrows(() => SparkEndpoint.parse(text), TypeError, says);
      assertEquals(message.includes("SECRET"), false, message);
    });
  }
  await t.step("a token without TLS stays on this machine", () => {
    for (const host of ["localhost", "127.0.0.1", "[::1]"]) {
      assertEquals(SparkEndpoint.parse(`sc://${host}/;use_ssl=false;token=SECRET`).isSecure, false);
    }
    assertThrows(
      () => SparkEndpoint.parse("sc://127.0.0.1.example/;use_ssl=false;token=SECRET"),
      TypeError,
      "loopback",
    );
  });
});

Deno.test("an endpoint shows no credentials, and hides them in a server's text", () => {
  const endpoint = SparkEndpoint.parse("sc://head/;token=TOPSECRET;x-key=HUSH");
  const shown = [Deno.inspect(endpoint), String(endpoint), JSON.stringify(endpoint), Deno.inspect({ endpoint })].join();
  assertEquals(/TOPSECRET|HUSH/.test(shown), false, shown);
  assertEquals(endpoint.hideSecrets("no Bearer TOPSECRET, nor HUSH"), "no [hidden], nor [hidden]");
});
