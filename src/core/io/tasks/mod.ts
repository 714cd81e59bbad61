/** What other members use of `io/tasks/`. */
export * from "./map_ahead.ts";
export * from "./notebook_api.ts";
export * from "./pause.ts";
export * from "./progress.ts";
export * from "./shared_task.ts";
export * from "./task_thread.ts";
export * from "./wasm.ts";
export * from "./work_progress.ts";
export * from "./yield_to_event_loop.ts";
