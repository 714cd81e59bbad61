import { makeSample } from "../../src/embedded/sample/mod.ts";
await makeSample("/tmp/lk/archives", { records: 10000, seed: 1 });
