/** No client starves another: slots, connections, and slices of the one thread. */
import { request } from "node:http";
import { assert, assertEquals } from "@std/assert";
import { AnswerSlots } from "../../../src/embedded/service/http/answer_slots.ts";
import type { RegistryService } from "../../../src/embedded/service/registry/app.ts";
import type { AccessLogEntry } from "../../../src/embedded/service/registry/server.ts";
import { slices, TimeSlices } from "../../../src/embedded/service/schedule/time_slices.ts";
import { Turns } from "../../../src/embedded/service/schedule/turns.ts";
import { startSharedWork, startWork, type Work } from "../../../src/embedded/service/schedule/work.ts";
import { plain, withServer } from "./_serving.ts";
import { speak } from "./_socket.ts";

const encoder = new TextEncoder();

function get(port: number, path = "/", more = ""): string {
  return `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${more}\r\n`;
}

Deno.test("a client that pipelines 500 requests and leaves frees its slot at once", async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const begunPaths: string[] = [];
  const service: RegistryService = ({ url, signal }) => {
    const { pathname } = new URL(url);
    if (pathname === "/other") return Promise.resolve(new Response("served"));
    begunPaths.push(pathname);
    if (pathname === "/0") return Promise.resolve(new Response("x".repeat(100_000)));
    begin();
    return new Promise((_, reject) =>
      signal.addEventListener("abort", () => {
        end();
        reject(signal.reason);
      })
    );
  };
  await withServer({ limits: { answers: 1 } }, service, async ({ port, url }) => {
    const socket = await Deno.connect({ hostname: "127.0.0.1", port });
    const requests = encoder.encode(Array.from({ length: 500 }, (_, at) => get(port, `/${at}`)).join(""));
    for (let sent = 0; sent < requests.length;) sent += await socket.write(requests.subarray(sent));
    await begun;
    socket.close();
    await ended;
    assertEquals(await (await fetch(`${url}/other`)).text(), "served");
    assertEquals(begunPaths, ["/0", "/1"]);
  });
});

Deno.test("a connection has one answer under way; of those that wait, one too many is 503 and closes it", async () => {
  let under = 0;
  let most = 0;
  const service: RegistryService = async ({ url }) => {
    most = Math.max(most, ++under);
    await new Promise((resolve) => setTimeout(resolve, 1));
    under--;
    return new Response(new URL(url).pathname);
  };
  await withServer({ limits: { pipelined: 2 } }, service, async ({ port }) => {
    const answers = await speak(port, Array.from({ length: 50 }, (_, at) => get(port, `/${at}`)).join(""));
    const statuses = [...answers.matchAll(/HTTP\/1\.1 ([0-9]{3})/g)].map(([, status]) => status);
    assertEquals(statuses, ["200", "200", "200", "503"]);
    assertEquals([...answers.matchAll(/\n(\/[0-9]+)/g)].map(([, path]) => path), ["/0", "/1", "/2"]);
    assert(/retry-after: 1\r\n/i.test(answers) && /connection: close\r\n/i.test(answers), answers);
    assertEquals(most, 1);
  });
});

Deno.test("pipelined requests are answered one by one, in their order", async () => {
  const service: RegistryService = ({ url }) => Promise.resolve(new Response(`<${new URL(url).pathname}>`));
  await withServer({}, service, async ({ port }) => {
    const requests = Array.from({ length: 64 }, (_, at) => get(port, `/${at}`));
    const answers = await speak(port, [...requests, get(port, "/last", "connection: close\r\n")].join(""));
    const expected = [...requests.keys(), "last"].map((at) => `</${at}>`);
    assertEquals(answers.match(/<[^>]*>/g), expected);
  });
});

Deno.test("connections that all pipeline are answered in turn", async () => {
  const order: string[] = [];
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  let begun = 0;
  const service: RegistryService = async ({ url }) => {
    const { pathname } = new URL(url);
    if (++begun === 2) open();
    await opened;
    order.push(pathname[1]);
    return new Response("done");
  };
  await withServer({}, service, async ({ port }) => {
    const talk = (name: string) =>
      speak(port, get(port, `/${name}`).repeat(20) + get(port, `/${name}`, "connection: close\r\n"));
    await Promise.all(["a", "b"].map(talk));
  });
  const firstHalf = order.slice(0, 21);
  for (const name of ["a", "b"]) assert(firstHalf.filter((one) => one === name).length >= 6, order.join(""));
});

Deno.test("of a full queue the client with the most answers gives up the one that it began last", () => {
  const slots = new AnswerSlots(4);
  const held = ["a", "a", "a", "b"].map((client) => slots.take(client)!);
  assertEquals(slots.take("a"), undefined);
  held[2].send(() => 0);
  const other = slots.take("c");
  assert(other !== undefined);
  assertEquals(held.map(({ lost }) => lost.aborted), [false, true, false, false]);
  assertEquals(slots.take("b"), undefined, "it would have as many as the other");
  other[Symbol.dispose]();
  assert(slots.take("a") !== undefined);
});

Deno.test("of a full queue that is being sent, what a client has beyond half is lost, the slowest reader first", () => {
  let now = 0;
  const slots = new AnswerSlots(4, 0, () => now);
  const held = [30, 50, 40, 20].map((waitedMs) => {
    const slot = slots.take("a")!;
    slot.send(() => waitedMs);
    return slot;
  });
  const others = ["b", "c"].map((client) => slots.take(client)!);
  assertEquals(held.map(({ lost }) => lost.aborted), [false, true, true, false]);
  for (const other of others) other.send(() => 0);
  assertEquals(slots.take("d"), undefined, "nobody has more than half");
  for (const other of others) other[Symbol.dispose]();
  assertEquals(slots.take("a"), undefined, "half is kept for others for a minute");
  now += 60_000;
  assert(slots.take("a") !== undefined);
});

Deno.test("who waits for a slot gets it in turn: first the client with fewer, and none that has left", async () => {
  const slots = new AnswerSlots(2, 4);
  const { signal: stays } = new AbortController();
  const leaving = new AbortController();
  const held = [slots.take("a")!, slots.take("a")!];
  for (const slot of held) slot.send(() => 0);
  const order: string[] = [];
  const waits = (client: string, name: string, gone = stays) =>
    slots.wait(client, gone).then((slot) => {
      order.push(slot === undefined ? `${name} left` : name);
      return slot;
    });
  const waiting = [waits("a", "a1"), waits("a", "a2", leaving.signal), waits("a", "a3"), waits("a", "a4")];
  assertEquals(await slots.wait("a", stays), undefined, "four wait");
  leaving.abort();
  await waiting[1];
  const other = await slots.wait("b", stays);
  assertEquals(held.map(({ lost }) => lost.aborted), [true, false], "beyond half");
  const another = waits("c", "c1");
  other![Symbol.dispose]();
  (await another)![Symbol.dispose]();
  held[1][Symbol.dispose]();
  (await waiting[0])![Symbol.dispose]();
  (await waiting[2])![Symbol.dispose]();
  (await waiting[3])![Symbol.dispose]();
  assertEquals(order.join(" "), "a2 left c1 a1 a3 a4");
});

Deno.test("a slot that becomes free just when a client leaves that waits for it is there for others", async () => {
  const slots = new AnswerSlots(1, 1);
  const held = slots.take("a")!;
  const leaving = new AbortController();
  const waiting = slots.wait("b", leaving.signal);
  leaving.abort();
  held[Symbol.dispose]();
  assertEquals(await waiting, undefined);
  assert(slots.take("c") !== undefined);
});

Deno.test("an eighth of the slots is kept for clients that have none", () => {
  const slots = new AnswerSlots(16);
  const held = Array.from({ length: 16 }, () => slots.take("a"));
  assertEquals(held.indexOf(undefined), 14);
  assert(slots.take("b") !== undefined && slots.take("c") !== undefined);
  assert(held.slice(0, 14).every((slot) => !slot!.lost.aborted));
});

/** Asks from another address than that of `fetch`; gives the status, or the code of a connection that broke. */
function askFromAnother(port: number): Promise<number | string> {
  return new Promise((resolve) => {
    const sent = request({ host: "127.0.0.1", port, localAddress: "127.0.0.2", agent: false }, (answer) => {
      answer.resume().once("end", () => resolve(answer.statusCode ?? 0));
    });
    sent.once("error", (error) => resolve(error.message));
    sent.end();
  });
}

const onLinux = Deno.build.os === "linux";

Deno.test("an answer beyond half of the slots is cut off when another address comes, and the log says so", {
  // Elsewhere 127.0.0.2 is no address of the machine.
  ignore: !onLinux,
}, async () => {
  const entries: AccessLogEntry[] = [];
  const endless = () => new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1 << 16)) });
  const service: RegistryService = ({ url }) =>
    Promise.resolve(new Response(new URL(url).pathname === "/endless" ? endless() : "served"));
  const options = { limits: { answers: 2 }, onAnswer: (entry: AccessLogEntry) => void entries.push(entry) };
  await withServer(options, service, async ({ port }) => {
    const slow = await Promise.all([0, 1].map(async () => {
      const socket = await Deno.connect({ hostname: "127.0.0.1", port });
      await socket.write(encoder.encode(get(port, "/endless")));
      await socket.read(new Uint8Array(10));
      return socket;
    }));
    assertEquals(await askFromAnother(port), 200);
    assertEquals(entries.map(({ target, whole, cutOff }) => ({ target, whole, cutOff })), [
      { target: "/endless", whole: false, cutOff: "its slot went to another address" },
      { target: "/", whole: true, cutOff: undefined },
    ]);
    for (const socket of slow) socket.close();
  });
});

Deno.test("connections whose request has no end, or that linger after their 503, are closed for another address", {
  ignore: !onLinux,
}, async (t) => {
  for (const [name, answers] of [["a body still comes", 256], ["they linger", 0]] as const) {
    await t.step(name, async () => {
      let begun = 0;
      const { promise: allBegun, resolve } = Promise.withResolvers<void>();
      const service: RegistryService = async (request) => {
        if (request.method === "POST" && ++begun === 4) resolve();
        await request.text();
        return new Response("served");
      };
      await withServer({ limits: { connections: 4, answers } }, service, async ({ port }) => {
        const head = `POST / HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-length: 9\r\n\r\n`;
        const sockets = await Promise.all(Array.from({ length: 4 }, async () => {
          const socket = await Deno.connect({ hostname: "127.0.0.1", port });
          await socket.write(encoder.encode(`${head}a`));
          if (answers === 0) await socket.read(new Uint8Array(10));
          return socket;
        }));
        if (answers > 0) await allBegun;
        assertEquals(await askFromAnother(port), answers > 0 ? 200 : 503);
        for (const socket of sockets) socket.close();
      });
    });
  }
});

Deno.test("an idle connection stays open for a while, and is closed when its own address needs another", async () => {
  let answered = () => {};
  await withServer({ limits: { connections: 2 }, onAnswer: () => answered() }, plain, async ({ port }) => {
    const sockets: Deno.TcpConn[] = [];
    for (let connection = 0; connection < 3; connection++) {
      const socket = await Deno.connect({ hostname: "127.0.0.1", port });
      sockets.push(socket);
      const isAnswered = new Promise<void>((resolve) => answered = resolve);
      await socket.write(encoder.encode(get(port)));
      const answer = new Uint8Array(1000);
      const text = new TextDecoder().decode(answer.subarray(0, await socket.read(answer) ?? 0));
      assertEquals(text.slice(0, 15), "HTTP/1.1 200 OK");
      assert(/keep-alive: timeout=75\r\n/i.test(text), text);
      await isAnswered;
    }
    for (const socket of sockets) socket.close();
  });
});

/** Deals slices to work that takes `takes` of them, and writes down whose each was. */
async function deal(works: readonly { readonly name: string; readonly work: Work; readonly takes: number }[]) {
  let clock = 0;
  let breaths = 0;
  const dealer = new TimeSlices({
    sliceMs: 8,
    now: () => clock,
    breathe: () => Promise.resolve(void breaths++),
  });
  const order: string[] = [];
  await Promise.all(works.map(async ({ name, work, takes }) => {
    for (let taken = 0; taken < takes; taken++) {
      await dealer.next(work);
      order.push(name);
      clock += 8;
      work.usedMs += 8;
    }
  }));
  return { order: order.join(""), breaths };
}

Deno.test("slices go to clients in turn, and of a client to its short work first, its long work not for ever last", async () => {
  const long = () => ({ ...startWork("x"), usedMs: 1000 });
  assertEquals((await deal([{ name: "a", work: long(), takes: 5 }])).breaths, 5, "sockets are looked at before each");
  const both = await deal([
    { name: "a", work: long(), takes: 6 },
    { name: "b", work: long(), takes: 6 },
    { name: "c", work: { ...startWork("y"), usedMs: 1000 }, takes: 6 },
  ]);
  assertEquals(both.order, "acbcacbcacbcababab");
  const mixed = await deal([
    { name: "l", work: long(), takes: 4 },
    { name: "s", work: startWork("x"), takes: 9 },
  ]);
  assertEquals(mixed.order, "ssslssslsssll");
});

Deno.test("an import has a quarter of the slices, however many clients compute, and all of them alone", async () => {
  for (const clients of [1, 2, 3, 4, 32]) {
    const asked = Array.from({ length: clients }, (_, client) => [
      { name: "l", work: { ...startWork(`${client}`), usedMs: 1000 }, takes: 240 / clients },
      { name: "s", work: startWork(`${client}`), takes: 240 / clients },
    ]);
    const { order } = await deal([{ name: "i", work: startSharedWork(true), takes: 120 }, ...asked.flat()]);
    const share = order.slice(0, 400).replaceAll(/[^i]/g, "").length;
    assertEquals(share, 100, order);
    for (const kind of ["l", "s"]) {
      assert(order.slice(0, 400).split(kind).length - 1 >= 50, `${clients} clients, ${kind}: ${order}`);
    }
  }
  const { order } = await deal([{ name: "i", work: startSharedWork(true), takes: 9 }]);
  assertEquals(order, "iiiiiiiii");
});

Deno.test("a short request waits for a few slices of twelve long ones, not for each of them at each step", async () => {
  const stop = new AbortController();
  const service: RegistryService = async ({ url, signal }) => {
    if (new URL(url).pathname === "/short") return new Response("short");
    const turns = new Turns(AbortSignal.any([signal, stop.signal]));
    for (;;) if (turns.over) await turns.next();
  };
  await withServer({ onFault: () => {} }, service, async ({ port, url }) => {
    const before = slices.dealt;
    const long = Array.from({ length: 12 }, () => speak(port, get(port, "/long")));
    while (slices.dealt < before + 24) await new Promise((resolve) => setTimeout(resolve, 1));
    const taken: number[] = [];
    for (let request = 0; request < 20; request++) {
      const begun = slices.dealt;
      assertEquals(await (await fetch(`${url}/short`)).text(), "short");
      taken.push(slices.dealt - begun);
    }
    taken.sort((a, b) => a - b);
    // One slice for each time that client and server wait for each other; yielding once a slice, it was some 50.
    assert(taken[10] <= 12, `slices dealt during each request: ${taken}`);
    stop.abort(new DOMException("enough", "AbortError"));
    await Promise.all(long);
  });
});
