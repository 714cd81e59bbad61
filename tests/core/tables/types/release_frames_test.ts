import { assertEquals } from "@std/assert";
import { FrameRelease } from "../../../../src/core/tables/types/release_frames.ts";

/** Gives out objects, each of ten bytes, and keeps some. */
async function giveOut(memory: FrameRelease, count: number, keeps: (index: number) => boolean): Promise<object[]> {
  const kept: object[] = [];
  for (let index = 0; index < count; index++) {
    const frame = { index };
    memory.add(frame, 10);
    if (keeps(index)) kept.push(frame);
    await memory.releaseWhenDue();
  }
  return kept;
}

Deno.test("memory is asked back less often from who keeps all frames, and as often as before from who drops them", async () => {
  const memory = new FrameRelease(40);
  const kept = await giveOut(memory, 4, () => true);
  assertEquals(memory.budget, 80);
  kept.push(...await giveOut(memory, 8, () => true));
  assertEquals(memory.budget, 160);
  await giveOut(memory, 16, (index) => index < 2);
  assertEquals([memory.budget, kept.length], [40, 12]);
});

Deno.test("who keeps all frames is asked in the end, too", async () => {
  const memory = new FrameRelease(10);
  for (let turn = 0, all: object[] = []; turn < 5; turn++) {
    all = [...all, ...await giveOut(memory, memory.budget / 10, () => true)];
  }
  assertEquals(memory.budget, 80);
});

Deno.test("frames that were emptied are not waited for, nor taken for kept; what is left of them is", async () => {
  const memory = new FrameRelease(1_000_000);
  const frames = Array.from({ length: 12 }, (_, index) => ({ index }));
  for (const frame of frames) {
    memory.add(frame, 1_000_000)();
    await memory.releaseWhenDue();
  }
  const kept = { index: 12 };
  memory.add(kept, 1_000_000);
  await memory.releaseWhenDue();
  assertEquals([memory.budget, kept.index, frames.length], [2_000_000, 12, 12]);
});
