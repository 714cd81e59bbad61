/** What other members use of `registry/lock/`. */
export * from "./call_lock.ts";
export { isRecordedRefusal } from "./intercepted_call.ts";
export * from "./journal.ts";
export * from "./lock_bodies.ts";
export * from "./lock_file.ts";
export * from "./locked_request.ts";
export * from "./replay_order.ts";
export * from "./set_digest.ts";
export * from "./verify_lock.ts";
