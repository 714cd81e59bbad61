/**
 * Makes the C library of Linux keep freed memory for the next allocation.
 *
 * glibc returns large blocks to the system at once, and touching every page of the next block takes longer than all
 * else that is done with a frame. A freed block raises its limits (`M_MMAP_THRESHOLD` to the block's size,
 * `M_TRIM_THRESHOLD` to twice that), up to 32 MiB. Elsewhere this does nothing.
 * `tests/core/tables/types/keep_freed_memory_test.ts` fails when Deno or glibc allocate otherwise.
 *
 * @see mallopt(3), "Dynamic adjustment of the mmap threshold"
 */

/** The largest block that raises the limits, less its own header. */
const LARGEST_KEPT_BYTES = 32 * 1024 * 1024 - 64 * 1024;

/** Makes the allocator reuse freed memory from now on. */
export function keepFreedMemory(): void {
  new ArrayBuffer(LARGEST_KEPT_BYTES).transfer(0);
}
