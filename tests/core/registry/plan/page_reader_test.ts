/** Pages of registries that refuse, cut or shorten them. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { InvalidRequestError, RegistryClient, StatusError } from "../../../../src/core/client/mod.ts";
import { formatAccession } from "../../../../src/core/contract/accession.ts";
import type { SearchHit, SearchRequest } from "../../../../src/core/contract/search.ts";
import { limitsOf } from "../../../../src/core/registry/plan/learned_limits.ts";
import {
  type AskedPage,
  isBeyondPaging,
  isOpen,
  type PageOptions,
  readPage,
} from "../../../../src/core/registry/plan/page_reader.ts";

/** What a registry does with a page; records are numbered from 0. */
interface FakeRegistry {
  readonly total: number;
  /** Records that it has, where it counts others. */
  readonly records?: number;
  /** Results in a page at most, whatever is asked. */
  readonly most?: number;
  readonly totalIsLowerBound?: boolean;
  /** Whether pages repeat their records from the first one on. */
  readonly repeats?: boolean;
  /** A refusal, for a page of this size from this offset. */
  readonly refuse?: (size: number, offset: number) => Response | undefined;
}

const hit = (index: number): SearchHit => ({
  id: String(index),
  score: null,
  source: { "Registry Accession": formatAccession(index + 1) },
});

/** Reads a page, and returns the numbers of its records and the pages that were asked for. */
async function read(
  registry: FakeRegistry,
  page: AskedPage,
  options: Partial<PageOptions> = {},
  client = clientOf(registry),
) {
  const { body, answers, pageSize, isReduced } = await readPage(client.client, { query: "" }, page, {
    nameOf: ({ id }) => id,
    ...options,
  });
  return {
    ids: body.results.map(({ id }) => Number(id)),
    answers: answers.length,
    pageSize,
    isReduced,
    asked: client.asked,
  };
}

function clientOf({ total, records = total, most = Infinity, repeats, refuse, totalIsLowerBound }: FakeRegistry) {
  const asked: [size: number | undefined, number: number | undefined][] = [];
  const client = new RegistryClient("http://registry.test", {
    retry: { tries: 1 },
    fetch: async (request) => {
      const { pageSize, pageNumber }: SearchRequest = await request.json();
      asked.push([pageSize, pageNumber]);
      const size = pageSize ?? 50;
      const offset = ((pageNumber ?? 1) - 1) * size;
      const refusal = refuse?.(size, offset);
      if (refusal !== undefined) return refusal;
      const count = Math.max(0, Math.min(size, most, records - offset));
      const results = Array.from({ length: count }, (_, index) => hit(index + (repeats ? 0 : offset)));
      const stated = totalIsLowerBound ? { value: total, relation: "gte" } : total;
      return Response.json({ total: stated, results, facets: {}, query: "" });
    },
  });
  return { client, asked };
}

const refusal = (key: string, msg: string, status = 422) =>
  Response.json({ detail: [{ loc: ["body", key], msg, type: "x" }] }, { status });
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

Deno.test("readPage() asks once for a page that comes as it must", async () => {
  assertEquals(await read({ total: 45 }, { pageSize: 20, pageNumber: 2 }), {
    ids: range(20, 40),
    answers: 1,
    pageSize: 20,
    isReduced: false,
    asked: [[20, 2]],
  });
  assertEquals((await read({ total: 45 }, { pageSize: 20, pageNumber: 3 })).ids, range(40, 45));
  assertEquals((await read({ total: 45 }, { pageSize: 20, pageNumber: 4 })).asked, [[20, 4]]);
  assertEquals(await read({ total: 60 }, {}), {
    ids: range(0, 50),
    answers: 1,
    pageSize: 50,
    isReduced: false,
    asked: [[undefined, undefined]],
  });
  // Nothing came though records are counted: smaller pages would not bring them.
  assertEquals((await read({ total: 45, records: 0 }, { pageSize: 20 })).asked, [[20, undefined]]);
});

Deno.test("readPage() covers a page that is refused for its size by smaller ones, and remembers", async () => {
  const registry: FakeRegistry = {
    total: 60,
    refuse: (size) => size > 10 ? refusal("pageSize", "must be at most 10") : undefined,
  };
  const client = clientOf(registry);
  const found = await read(registry, { pageSize: 25, pageNumber: 2 }, {}, client);
  // Records 25 to 49, of pages that begin at 20.
  assertEquals(found, {
    ids: range(25, 50),
    answers: 3,
    pageSize: 10,
    isReduced: true,
    asked: [[25, 2], [10, 3], [10, 4], [10, 5]],
  });
  assertEquals(limitsOf(client.client).pageSize, 10);
  assertEquals((await read(registry, { pageSize: 20 }, {}, client)).asked.slice(4), [[10, 1], [10, 2]]);
  assertEquals((await read(registry, { pageSize: 25, pageNumber: 3 })).ids, range(50, 60));
});

Deno.test("readPage() ends a page at a smaller one that repeats the records before", async () => {
  const registry = {
    total: 60,
    repeats: true,
    refuse: (size: number) => size > 10 ? refusal("pageSize", "at most 10") : undefined,
  };
  const found = await read(registry, { pageSize: 40 });
  assertEquals([found.ids, found.asked], [range(0, 10), [[40, undefined], [10, 1], [10, 2]]]);
});

Deno.test("readPage() halves a page until it is taken, where the refusal names no number", async () => {
  const registry: FakeRegistry = {
    total: 60,
    refuse: (size) => size > 7 ? refusal("pageSize", "too large") : undefined,
  };
  const { ids, asked } = await read(registry, { pageSize: 40 });
  assertEquals(ids, range(0, 40));
  assertEquals(asked.slice(0, 4), [[40, undefined], [20, 1], [10, 1], [5, 1]]);
});

Deno.test("readPage() asks for the first of the smaller pages alone where only that is wanted", async () => {
  const registry: FakeRegistry = {
    total: 60,
    refuse: (size) => size > 10 ? refusal("pageSize", "at most 10") : undefined,
  };
  assertEquals(await read(registry, { pageSize: 30 }, { firstOnly: true }), {
    ids: range(0, 10),
    answers: 1,
    pageSize: 10,
    isReduced: true,
    asked: [[30, undefined], [10, 1]],
  });
  const short = clientOf({ total: 60, most: 10 });
  assertEquals(await read({ total: 60 }, { pageSize: 30 }, { firstOnly: true }, short), {
    ids: range(0, 10),
    answers: 1,
    pageSize: 10,
    isReduced: false,
    asked: [[30, undefined]],
  });
  assertEquals(limitsOf(short.client).pageSize, 10);
});

Deno.test("readPage() begins the first of smaller pages where the page does", async () => {
  const registry: FakeRegistry = {
    total: 200,
    refuse: (size) => size > 30 ? refusal("pageSize", "at most 30") : undefined,
  };
  const { ids, asked } = await read(registry, { pageSize: 50, pageNumber: 2 }, { firstOnly: true });
  assertEquals([ids, asked], [range(50, 75), [[50, 2], [25, 3]]]);
  const last = await read({ ...registry, total: 20_000 }, { pageSize: 300, pageNumber: 34 }, {
    firstOnly: true,
    endsAtDepth: true,
  });
  assertEquals([last.ids, last.asked], [range(9900, 9925), [[100, 100], [25, 397]]]);
});

Deno.test("readPage() reports what a later one of the smaller pages states otherwise", async () => {
  const later: Record<string, [later: Record<string, unknown>, text: string]> = {
    "another total": [{ total: 61 }, "the registry counted 60 records first and 61 with page 2"],
    "that it is partial": [{ timed_out: true }, "it took too long (timed_out)"],
  };
  for (const [what, [change, text]] of Object.entries(later)) {
    const client = new RegistryClient("http://registry.test", {
      fetch: async (request) => {
        const { pageSize, pageNumber }: Required<SearchRequest> = await request.json();
        if (pageSize > 10) return refusal("pageSize", "at most 10");
        const results = range((pageNumber - 1) * 10, pageNumber * 10).map(hit);
        return Response.json({ total: 60, results, facets: {}, query: "", ...pageNumber === 2 ? change : {} });
      },
    });
    const page = await readPage(client, { query: "" }, { pageSize: 30, pageNumber: 1 }, { nameOf: ({ id }) => id });
    assertEquals([page.body.results.length, page.entries.length], [30, 1], what);
    assertStringIncludes(page.entries[0].text, text);
    assertEquals(page.entries[0].level, "reason");
  }
});

Deno.test("readPage() refills a page that came shorter than its total says, if smaller pages bring the rest", async () => {
  const client = clientOf({ total: 60, most: 10 });
  assertEquals(await read({ total: 60 }, { pageSize: 25 }, {}, client), {
    ids: range(0, 25),
    answers: 3,
    pageSize: 10,
    isReduced: true,
    asked: [[25, undefined], [10, 2], [10, 3]],
  });
  assertEquals(limitsOf(client.client).pageSize, 10);
  // A later page is asked for again from its beginning.
  const later = await read({ total: 60, most: 10 }, { pageSize: 25, pageNumber: 2 });
  assertEquals([later.ids, later.asked], [range(25, 50), [[25, 2], [10, 3], [10, 4], [10, 5]]]);
});

Deno.test("readPage() takes a short page as it came where smaller pages bring nothing new", async () => {
  const client = clientOf({ total: 60, most: 10, repeats: true });
  const found = await read({ total: 60 }, { pageSize: 25 }, {}, client);
  assertEquals([found.ids, found.answers, found.pageSize, found.isReduced], [range(0, 10), 1, 25, false]);
  assertEquals(limitsOf(client.client).pageSize, null);
  const lost = clientOf({ total: 60, records: 10 });
  assertEquals((await read({ total: 60 }, { pageSize: 25 }, {}, lost)).ids, range(0, 10));
  assertEquals(limitsOf(lost.client).pageSize, null);
});

Deno.test("readPage() ends a page at record 10,000 where the registry refuses to cross it, and remembers", async () => {
  const registry: FakeRegistry = {
    total: 20_000,
    refuse: (size, offset) => offset + size > 10_000 ? refusal("pageNumber", "beyond the depth of paging") : undefined,
  };
  const client = clientOf(registry);
  const page = { pageSize: 300, pageNumber: 34 };
  const found = await read(registry, page, {}, client);
  // 250 is the greatest size up to 300 that divides 10,000: the page from 9,900 begins within its last page.
  assertEquals(found, {
    ids: range(9900, 10_000),
    answers: 1,
    pageSize: 250,
    isReduced: true,
    asked: [[300, 34], [250, 40]],
  });
  assertEquals([limitsOf(client.client).refusesCrossing, limitsOf(client.client).pageSize], [true, null]);
  assertEquals((await read(registry, page, {}, client)).asked.slice(2), [[250, 40]]);
  // A page that ends at the depth, or begins there, crosses nothing.
  const last = await read(registry, { pageSize: 100, pageNumber: 100 }, {}, client);
  assertEquals([last.asked.at(-1), last.isReduced], [[100, 100], false]);
  await assertRejects(() => read(registry, { pageSize: 100, pageNumber: 101 }, {}, client), InvalidRequestError);
});

Deno.test("readPage() ends a page at record 10,000 where a refusal to cross it names the size, the page or nothing", async () => {
  for (const key of ["pageSize", "pageNumber", "body"]) {
    const refuse = (size: number, offset: number) => offset + size > 10_000 ? refusal(key, "no such page") : undefined;
    const { ids, asked } = await read({ total: 20_000, refuse }, { pageSize: 300, pageNumber: 34 });
    assertEquals([ids, asked], [range(9900, 10_000), [[300, 34], [250, 40]]]);
  }
});

Deno.test("readPage() finds a size that is taken and ends at record 10,000", async () => {
  const registry: FakeRegistry = {
    total: 20_000,
    refuse: (size, offset) =>
      size > 90
        ? refusal("pageSize", "at most 90")
        : offset + size > 10_000
        ? refusal("pageNumber", "beyond")
        : undefined,
  };
  const { ids, pageSize } = await read(registry, { pageSize: 300, pageNumber: 34 });
  // 80 is the greatest divisor of 10,000 up to 90.
  assertEquals([ids, pageSize], [range(9900, 10_000), 80]);
});

Deno.test("readPage() requests no page that crosses record 10,000 where it is to end there", async () => {
  const crossing = (size: number, offset: number) =>
    offset + size > 10_000 ? new Response("{}", { status: 500 }) : undefined;
  const last = await read({ total: 12_000, refuse: crossing }, { pageSize: 300, pageNumber: 34 }, {
    endsAtDepth: true,
  });

  assertEquals([last.ids.length, last.ids[0], last.ids.at(-1)], [100, 9900, 9999]);
  assertEquals(last.asked, [[250, 40]]);

  const most = (size: number, offset: number) =>
    size > 300
      ? Response.json({ detail: [{ loc: ["body", "pageSize"], msg: "at most 300", type: "max" }] }, { status: 422 })
      : crossing(size, offset);
  const limited = await read({ total: 12_000, refuse: most }, { pageSize: 1000, pageNumber: 10 }, {
    endsAtDepth: true,
  });

  assertEquals([limited.ids.length, limited.ids[0], limited.ids.at(-1)], [1000, 9000, 9999]);
  assertEquals(limited.asked, [[1000, 10], [250, 37], [250, 38], [250, 39], [250, 40]]);
});

Deno.test("readPage() passes on what a smaller page cannot mend", async () => {
  const refuseWith = (response: () => Response): FakeRegistry => ({ total: 60, refuse: response });
  const page = { pageSize: 20 };
  await assertRejects(() => read(refuseWith(() => refusal("sortColumn", "at most 10")), page), InvalidRequestError);
  await assertRejects(() => read(refuseWith(() => new Response("", { status: 403 })), page), StatusError);
  const crossing = { pageSize: 300, pageNumber: 34 };
  await assertRejects(() => read(refuseWith(() => refusal("query", "too long")), crossing), InvalidRequestError);
  await assertRejects(() => read(refuseWith(() => new Response("", { status: 403 })), crossing), StatusError);
});

Deno.test("readPage() ends with the signal's reason", async () => {
  const signal = AbortSignal.abort(new Error("enough"));
  await assertRejects(() => read({ total: 60 }, { pageSize: 20 }, { signal }), Error, "enough");
});

Deno.test("readPage() continues until a page is not full where the registry does not say how many match", async () => {
  const refuse = (size: number) => size > 10 ? refusal("pageSize", "at most 10") : undefined;
  const bound = await read({ total: 10, records: 25, totalIsLowerBound: true, refuse }, { pageSize: 40 });
  assertEquals([bound.ids, bound.answers], [range(0, 25), 3]);
  const zero = await read({ total: 0, records: 25, refuse }, { pageSize: 40 });
  assertEquals([zero.ids, zero.answers], [range(0, 25), 3]);
  const counted = await read({ total: 20, records: 25, refuse }, { pageSize: 40 });
  assertEquals([counted.ids, counted.answers], [range(0, 20), 2]);
});

Deno.test("isOpen() is true where records come that are not counted", () => {
  const body = { total: 0, results: [], facets: {}, query: "" };
  assert(!isOpen(body));
  assert(isOpen({ ...body, results: [hit(1)] }));
  assert(isOpen({ ...body, total: 5, totalIsLowerBound: true }));
  assert(!isOpen({ ...body, total: 5, totalIsLowerBound: false, results: [hit(1)] }));
});

Deno.test("isBeyondPaging() is about where a page lies, not about too many requests", () => {
  const of = (status: number, detail: string) =>
    isBeyondPaging(
      new StatusError("status", detail, {
        status,
        statusText: "",
        url: "",
        headers: new Headers(),
        excerpt: "",
        detail,
      }),
    );
  assert(of(500, "Result window is too large, from + size must be less than or equal to: [10000]"));
  assert(of(400, "pages beyond record 5000 are not available"));
  for (const status of [429, 503, 403]) assertEquals(of(status, "rate limit exceeded"), false, String(status));
});
