export type { Clock } from "./clock.ts";
export type { InputStream, Io, OutputStream } from "./io.ts";
export { run } from "./run.ts";
