/** Names of rooms of the cache that others than their owner know. */

/** Folder of the answers of locks. */
export const ANSWERS_ROOM = "lock";
