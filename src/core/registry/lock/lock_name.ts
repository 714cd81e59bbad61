/** Name of a lock in the folder of what was recorded. */
export const LOCK_NAME = "seqreg.lock";
