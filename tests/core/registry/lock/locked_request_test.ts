import { assertEquals } from "@std/assert";
import { LockBodies } from "../../../../src/core/registry/lock/lock_bodies.ts";
import { restoreRequest, shortenRequest } from "../../../../src/core/registry/lock/locked_request.ts";
import { inFolder } from "../../../_files.ts";

Deno.test("restoreRequest() returns the request of a lock, numbers beyond 2^53 as numbers", async () => {
  await inFolder(async (folder) => {
    const bodies = new LockBodies(folder);
    const numbers = Array.from({ length: 30 }, (_, index) => 2 ** 60 + 2 ** 10 * index);
    const request = { query: "", filter: [{ field: "a", value: 2 ** 60 }, { field: "b", value: numbers }] };
    const locked: unknown = JSON.parse(JSON.stringify(await shortenRequest(request, bodies)));
    assertEquals(await restoreRequest(locked, bodies, "search"), request);
  });
});
