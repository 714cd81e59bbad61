import { assertEquals, assertStringIncludes } from "@std/assert";
import { MAX_BODY_BYTES, MAX_JSON_DEPTH } from "../../../src/embedded/service/store/limits.ts";
import { ENDPOINTS } from "../../../src/core/contract/paths.ts";
import { assertDetail, assertInvalid } from "./_assert.ts";
import { type Face, onBothFaces } from "./_registry.ts";

const SEARCH = "/v2/search";
const posts = Object.values(ENDPOINTS).filter(({ method }) => method === "POST").map(({ path }) => path);

Deno.test("there are five operations and nothing else", async (t) => {
  const absent = [
    "/v2",
    "/v2/",
    "/v2/search/",
    "/v1/search",
    "/search",
    "//v2/search",
    "/v2/Search",
    "/v2/datasets",
    "/v2/suggestion",
    "/v2/metadata",
    "/v2/search/%2e%2e/secret",
    "/openapi",
  ];
  const rules: Record<string, (face: Face) => Promise<void>> = {};
  for (const path of absent) {
    rules[`${path} → 404`] = async ({ call, post }) => {
      await assertDetail(await call(path), 404, "nothing at this path");
      await assertDetail(await post(path, { query: "" }), 404, "nothing at this path");
    };
  }
  for (const method of ["PUT", "PATCH", "DELETE", "OPTIONS"]) {
    for (const { path, method: right } of Object.values(ENDPOINTS)) {
      rules[`${method} ${path} → 405`] = async ({ call }) => {
        const response = await call(path, { method });
        assertEquals(response.headers.get("allow"), right === "GET" ? "GET, HEAD" : "POST");
        assertEquals(response.headers.get("access-control-allow-origin"), null);
        await assertDetail(response, 405, "Method not allowed");
      };
    }
  }
  for (const path of posts) {
    rules[`GET and HEAD ${path} → 405`] = async ({ call }) => {
      await assertDetail(await call(path), 405, "expected POST");
      const head = await call(path, { method: "HEAD" });
      assertEquals([head.status, head.headers.get("allow"), await head.text()], [405, "POST", ""]);
    };
  }
  rules["a letter of a path may be escaped, and no more than a letter"] = async ({ call, post }) => {
    assertEquals((await post("/v2/%73earch", { query: "" })).status, 200);
    for (const path of ["/v2%2Fsearch", "/v2/%FF", "/v2/search%00"]) {
      await assertDetail(await call(path), 404, "nothing at this path");
    }
  };
  rules["a page for people stands at /"] = async ({ call, post }) => {
    const response = await call("/");
    assertEquals([response.status, response.headers.get("content-type")], [200, "text/html; charset=utf-8"]);
    assertStringIncludes(await response.text(), "<!doctype html>");
    const head = await call("/", { method: "HEAD" });
    assertEquals([head.status, await head.text()], [200, ""]);
    await assertDetail(await post("/", {}), 405, "expected GET, HEAD");
  };
  rules["a description for programs stands beside it"] = async ({ call, post }) => {
    const response = await call("/openapi.json");
    assertEquals([response.status, response.headers.get("content-type")], [200, "application/json"]);
    const { paths } = await response.json();
    assertEquals(Object.keys(paths).sort(), Object.values(ENDPOINTS).map(({ path }) => path).sort());
    const head = await call("/openapi.json", { method: "HEAD" });
    assertEquals([head.status, await head.text()], [200, ""]);
    await assertDetail(await post("/openapi.json", {}), 405, "expected GET, HEAD");
  };
  rules["POST /v2/datasets_download → 405"] = async ({ post }) =>
    await assertDetail(await post("/v2/datasets_download", {}), 405, "expected GET, HEAD");
  await onBothFaces(t, rules, { count: 10 });
});

Deno.test("a body that is not JSON is refused with 422 that names the position", async (t) => {
  const bodies: Record<string, [body: string | Uint8Array, says: string]> = {
    "empty": ["", "empty body"],
    "blank": ["  ", "column 3 (character 2): expected a value"],
    "cut short": ['{"query": "a', "expected the closing double quote"],
    "cut after a comma": ['{"query": "a",', "character 14): expected a key in double quotes"],
    "single quotes": ["{'query': 'a'}", "character 1): expected a key in double quotes"],
    "no colon": ['{"query" "a"}', 'character 9): expected ":"'],
    "trailing comma": ['{"query":\n  "a",\n}', "line 3, column 1"],
    "two values": ["{} {}", "character 3): expected the end"],
    "NaN": ['{"query": NaN}', "character 10): expected a value"],
    "leading zero": ['{"query": 01}', 'character 11): expected "," or "}"'],
    "raw line feed": ['{"query": "a\nb"}', "raw control character"],
    "bad escape": ['{"query": "\\x41"}', "expected an escape"],
    "unclosed list": ["[1, 2", 'expected "," or "]"'],
    "comment": ["/* */ {}", "character 0): expected a value"],
    "HTML": ["<!doctype html>", "character 0): expected a value"],
    "invalid UTF-8": [new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]), "from byte 2 on"],
    "overlong UTF-8": [new Uint8Array([0x22, 0xc0, 0xaf, 0x22]), "from byte 1 on"],
    "UTF-8 cut short": [new Uint8Array([0x22, 0xef, 0xbf]), "in the middle of a character"],
    "UTF-16": [new Uint8Array([0xff, 0xfe, 0x7b, 0x00]), "from byte 0 on"],
    "too deep": [`${"[".repeat(MAX_JSON_DEPTH + 1)}`, `at most ${MAX_JSON_DEPTH} levels`],
    "very deep": ["[".repeat(4_000_000), "nested too deeply"],
    "deep objects": ['{"a":'.repeat(100_000), "nested too deeply"],
  };
  const rules: Record<string, (face: Face) => Promise<void>> = {};
  for (const [name, [body, says]] of Object.entries(bodies)) {
    rules[name] = async ({ post }) => await assertInvalid(await post(SEARCH, body), ["body"], says);
  }
  rules["every operation says so"] = async ({ post }) => {
    for (const path of posts) await assertInvalid(await post(path, "{"), ["body"], "malformed JSON");
  };
  rules["brackets inside texts are no nesting"] = async ({ post }) => {
    const response = await post(SEARCH, { query: `"${"[".repeat(100)}\\"`, pageSize: 1 });
    await response.body?.cancel();
    assertEquals([200, 422].includes(response.status), true);
  };
  rules["a byte order mark is skipped"] = async ({ post }) => {
    const response = await post(SEARCH, '\ufeff{"query":""}');
    await response.body?.cancel();
    assertEquals(response.status, 200);
  };
  await onBothFaces(t, rules, { count: 10 });
});

Deno.test("a body's headers are checked", async (t) => {
  const body = '{"query":"","pageSize":1}';
  const accepted = ["application/json", "Application/JSON; charset=UTF-8", "application/vnd.api+json"];
  const refused = [
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonp",
  ];
  const rules: Record<string, (face: Face) => Promise<void>> = {};
  for (const type of accepted) {
    rules[`${type} is accepted`] = async ({ post }) => {
      const response = await post(SEARCH, body, { "content-type": type });
      await response.body?.cancel();
      assertEquals(response.status, 200);
    };
  }
  for (const type of refused) {
    rules[`${type} → 422`] = async ({ post }) => {
      const response = await post(SEARCH, body, { "content-type": type });
      await assertInvalid(response, ["header", "content-type"], "expected application/json");
    };
  }
  rules["no content type is taken for JSON"] = async ({ call }) => {
    const response = await call(SEARCH, { method: "POST", body: new TextEncoder().encode(body) });
    await response.body?.cancel();
    assertEquals(response.status, 200);
  };
  rules["an encoded body → 422"] = async ({ post }) => {
    const response = await post(SEARCH, body, { "content-encoding": "gzip" });
    await assertInvalid(response, ["header", "content-encoding"], "without a content encoding");
  };
  await onBothFaces(t, rules, { count: 10 });
});

Deno.test("a body over 8 MiB is refused with 413", async (t) => {
  const json = (bytes: number) => {
    const frame = '{"query":"","pageSize":1,"x":""}';
    return `${frame.slice(0, -2)}${"a".repeat(bytes - frame.length)}"}`;
  };
  await onBothFaces(t, {
    "exactly 8 MiB is read": async ({ post }) => {
      const response = await post(SEARCH, json(MAX_BODY_BYTES));
      await response.body?.cancel();
      assertEquals(response.status, 200);
    },
    "one byte more is not": async ({ post }) => {
      await assertDetail(await post(SEARCH, json(MAX_BODY_BYTES + 1)), 413, "8 MiB");
    },
    "nor is a stream without a length": async ({ call }) => {
      let pulled = 0;
      const chunk = new Uint8Array(1 << 20).fill(0x20);
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          if (++pulled > 40) controller.close();
          else controller.enqueue(chunk);
        },
      }, { highWaterMark: 0 });
      const response = await call(SEARCH, { method: "POST", body, headers: { "content-type": "application/json" } });
      const text = await response.text();
      assertEquals(response.status, 413);
      assertStringIncludes(text, "8 MiB");
    },
  }, { count: 10 });
});
